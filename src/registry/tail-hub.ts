import type { FRAME_TYPES, TailFrame } from '../outbox/tail/frame.ts';
import type { MessageFrame, EventFrame } from '../outbox/answers/api-frame.ts';
import { iso } from '../lib/time.ts';
import { describeError, log } from '../lib/log.ts';
import { seen, words, type Sight, type View } from './view.ts';

/** The clients that may watch at the same time. Each costs memory here, and one send for each frame. */
const MAX_SOCKETS = 20;

/**
 * The maximum number of characters that are sent to a client between two of its `ping`s. The platform does not show how
 * much of them still waits in memory. But it reads no `ping` while its answer to the previous one cannot be sent, so a
 * client that does not read sends no more `ping`s, and is disconnected at this limit. 20 of them must fit into the
 * object's 128 MB.
 */
const MAX_UNREAD = 1_048_576;

const READY = 1;
/** RFC 6455 §7.4.1 and the IANA registry: 1008 policy violation, 1013 try again later. */
const POLICY = 1008;
const TRY_LATER = 1013;

const ENDED = 'Your login has ended: sign in again.';

/**
 * A client's request, kept with its socket while the object is not in memory. `until`: the end of its login, in ms;
 * `session`: the id of its session, if it is one; `sight`: the parts of a frame that it sees, if it is a viewer.
 */
export interface Watcher {
  readonly source: string | null;
  readonly type: (typeof FRAME_TYPES)[number] | null;
  readonly until: number | null;
  readonly session: string | null;
  readonly sight: Sight | null;
}

/** Returns a watcher as the query of a request by the admin API, which has checked it. */
export function writeWatcher(watcher: Watcher): string {
  const given = Object.entries(watcher).filter(([, value]) => value !== null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

const NOBODY: Watcher = { source: null, type: null, until: null, session: null, sight: null };

/** Returns the watcher in such a query. */
export function readWatcher(query: URLSearchParams): Watcher {
  const until = query.get('until');
  return { ...NOBODY, ...Object.fromEntries(query), until: until === null ? null : Number(until) };
}

export interface HubDeps {
  readonly ctx: DurableObjectState;
  /** The version in force. */
  readonly version: () => number;
  /** Makes everything that frames come from report them. */
  readonly watch: () => Promise<void>;
  readonly clock: () => number;
}

/** The sockets of the tail. They outlive the object's memory, so between frames nothing is billed for them. */
export class TailHub {
  readonly #deps: HubDeps;
  readonly #sent = new WeakMap<WebSocket, { readonly ping: number; readonly characters: number }>();
  #joining = 0;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** True if anybody watches, or is about to. */
  get isWatched(): boolean {
    return this.#joining > 0 || this.#deps.ctx.getWebSockets().length > 0;
  }

  /** Accepts a client; 429 if there are too many. It gets everything that happens after its `hello`. */
  async join(watcher: Watcher): Promise<Response> {
    const { ctx, version, watch, clock } = this.#deps;
    if (this.#joining + ctx.getWebSockets().length >= MAX_SOCKETS) return new Response(null, { status: 429 });
    this.#joining += 1;
    try {
      await watch();
    } finally {
      this.#joining -= 1;
    }
    const { 0: client, 1: server } = new WebSocketPair();
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    ctx.acceptWebSocket(server, watcher.session === null ? [] : [watcher.session]);
    server.serializeAttachment(watcher);
    const at = iso(clock());
    server.send(JSON.stringify({ type: 'hello', at, version: version() }));
    return new Response(null, { status: 101, webSocket: client });
  }

  /**
   * Sends frames to the clients that asked for them, and returns true if anybody watches. `dropped`: the number of
   * further frames that were left out.
   */
  show(frames: readonly TailFrame[], dropped = 0): boolean {
    const { ctx, clock } = this.#deps;
    const sockets = ctx.getWebSockets().filter(({ readyState }) => readyState === READY);
    if (sockets.length === 0) return this.isWatched;
    const texts = frames.map((frame) => ({ frame, text: JSON.stringify(frame) }));
    const end = dropped === 0 ? [] : [JSON.stringify({ type: 'dropped', count: dropped })];
    for (const socket of sockets) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `join` attached it
      const watcher = socket.deserializeAttachment() as Watcher;
      if ((watcher.until ?? Infinity) <= clock()) {
        socket.close(POLICY, ENDED);
        continue;
      }
      const { sight } = watcher;
      const wanted = texts
        .filter(({ frame }) => isWanted(frame, watcher))
        .map(({ frame, text }) => (sight === null ? text : JSON.stringify(seenFrame(frame, sight))));
      this.#send(socket, [...wanted, ...end]);
    }
    return true;
  }

  /** Disconnects the clients of a session. */
  end(session: string): void {
    for (const socket of this.#deps.ctx.getWebSockets(session)) socket.close(POLICY, ENDED);
  }

  #send(socket: WebSocket, texts: readonly string[]): void {
    const ping = this.#deps.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    const before = this.#sent.get(socket);
    let characters = before?.ping === ping ? before.characters : 0;
    for (const text of texts) {
      characters += text.length;
      if (characters > MAX_UNREAD) {
        socket.close(TRY_LATER, 'Too slow: send `ping` every 5 s and read all frames.');
        return;
      }
      socket.send(text);
    }
    this.#sent.set(socket, { ping, characters });
  }
}

/** Notifies the accounts' outboxes that somebody watches. An outbox that cannot be reached is left out of the tail. */
export async function watchOutboxes(env: Env, accounts: readonly string[]): Promise<void> {
  await Promise.all(
    accounts.map(async (account) => {
      try {
        await env.OUTBOX.getByName(account).watch();
      } catch (thrown) {
        log('warn', 'tail.watch.failed', { account, error: describeError(thrown) });
      }
    }),
  );
}

const isWanted = (frame: TailFrame, { source, type }: Watcher): boolean =>
  (source === null || frame.source === source) && (type === null || frame.type === type);

const SEEN_EVENT: View<EventFrame> = {
  ...words('type', 'at', 'event', 'source', 'event_type', 'state', 'duplicate', 'waiting', 'account'),
  reason: 'quoted',
  subject: 'exact',
};

const SEEN_MESSAGE: View<MessageFrame> = {
  ...words('type', 'at', 'message', 'event', 'source', 'route', 'kind', 'state', 'outcome', 'http_status'),
  ...words('n', 'next_attempt_at', 'duration_ms', 'about', 'account', 'code'),
  reason: 'quoted',
  reason_params: 'quoted',
};

/** The reason of a rejection is in our own words. */
const SEEN_FRAMES = { event: SEEN_EVENT, message: SEEN_MESSAGE, rejection: 'words' } as const;

/** Returns a frame as a viewer sees it. */
const seenFrame = (frame: TailFrame, sight: Sight): unknown =>
  seen<TailFrame>(frame, ({ type }) => SEEN_FRAMES[type], sight);
