import * as z from 'zod/mini';
import { FRAME_TYPES, type TailFrame } from '../outbox/tail/frame.ts';

/** People who look at the same time. Each costs memory here, and as many sends a frame. */
const MAX_SOCKETS = 20;

/**
 * What a client may be sent between two of its `ping`s. The platform does not say how much of what was sent still
 * waits in memory, but it takes no `ping` in while its answer to the one before cannot go out: a client that does not
 * read falls silent, and is let go when it has this much coming. 20 of them must fit into the object's 128 MB.
 */
const MAX_UNREAD = 1_048_576;

const READY = 1;
/** RFC 6455 §7.4.1 and the IANA registry: policy violation, try again later. */
const POLICY = 1008;
const TRY_LATER = 1013;

/** What a client asked for, kept with its socket while the object is out of memory. `until`: when its login ends, in ms. */
export interface Watcher {
  readonly source: string | null;
  readonly type: (typeof FRAME_TYPES)[number] | null;
  readonly until: number | null;
}

const watcherSchema: z.ZodMiniType<Watcher> = z.object({
  source: z.nullable(z.string()),
  type: z.nullable(z.enum(FRAME_TYPES)),
  until: z.nullable(z.number()),
});

/** A watcher as a request of the admin API says it, which has checked it. */
export function readWatcher(query: URLSearchParams): Watcher {
  const until = query.get('until');
  const watcher = { source: query.get('source'), type: query.get('type'), until: until && Number(until) };
  return watcherSchema.parse(watcher);
}

/** The same as a query. */
export function writeWatcher(watcher: Watcher): string {
  const said = Object.entries(watcher).filter(([, value]) => value !== null);
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
}

export interface HubDeps {
  readonly ctx: DurableObjectState;
  /** The version in force. */
  readonly version: () => number;
  /** Has everything watched that frames come from. */
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

  /** Whether anybody looks, or is about to. */
  get isWatched(): boolean {
    return this.#joining > 0 || this.#deps.ctx.getWebSockets().length > 0;
  }

  /** Lets a client in; 429 when there are too many. What happens after its `hello` is shown to it. */
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
    ctx.acceptWebSocket(server);
    server.serializeAttachment(watcher);
    const at = new Date(clock()).toISOString();
    server.send(JSON.stringify({ type: 'hello', at, version: version() }));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Shows frames to whoever asked for such, and says whether anybody watches. `dropped`: there were more of them. */
  show(frames: readonly TailFrame[], dropped = 0): boolean {
    const { ctx, clock } = this.#deps;
    const sockets = ctx.getWebSockets().filter(({ readyState }) => readyState === READY);
    if (sockets.length === 0) return this.isWatched;
    const texts = frames.map((frame) => ({ frame, text: JSON.stringify(frame) }));
    const end = dropped === 0 ? [] : [JSON.stringify({ type: 'dropped', count: dropped })];
    for (const socket of sockets) {
      const watcher = watcherSchema.safeParse(socket.deserializeAttachment());
      if (!watcher.success || (watcher.data.until ?? Infinity) <= clock()) {
        socket.close(POLICY, 'Your login has ended: sign in again.');
        continue;
      }
      const wanted = texts.filter(({ frame }) => isWanted(frame, watcher.data)).map(({ text }) => text);
      this.#send(socket, [...wanted, ...end]);
    }
    return true;
  }

  #send(socket: WebSocket, texts: readonly string[]): void {
    const ping = this.#deps.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    const before = this.#sent.get(socket);
    let characters = before?.ping === ping ? before.characters : 0;
    for (const text of texts) {
      characters += text.length;
      if (characters > MAX_UNREAD) {
        socket.close(TRY_LATER, 'Too slow: send `ping` every 5 s, and read what comes.');
        return;
      }
      socket.send(text);
    }
    this.#sent.set(socket, { ping, characters });
  }
}

const isWanted = (frame: TailFrame, { source, type }: Watcher): boolean =>
  (source === null || frame.source === source) && (type === null || frame.type === type);
