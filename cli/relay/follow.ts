import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { failed, type CommandResult } from '../failure.ts';
import { oneLine } from '../text.ts';
import { OVERLAP_MS, readHistory, type Dated } from './history.ts';
import { nameOf, Shown } from './shown.ts';
import { watch, type ReadFrame } from './tail.ts';
import { StalledMessages } from './waiting.ts';

const MAX_WAIT_MS = 30_000;

/**
 * The origin of a frame: the stream, the lists at the start, the lists after the connection was gone, or the lists
 * since a message still waits.
 */
export type FrameOrigin = 'live' | 'earlier' | 'away' | 'waiting';

/** A frame as JSON, and as far as this version knows it. */
interface ReceivedFrame {
  readonly json: unknown;
  readonly frame: ReadFrame | null;
}

export interface FollowOptions {
  readonly query: { readonly source?: string | undefined; readonly type?: string | undefined };
  /** The part of the past to show: since when (ms), and the number of last frames. Null: none. */
  readonly start: { readonly since: number; readonly last: number } | null;
  readonly onFrame: (given: ReceivedFrame, origin: FrameOrigin) => void;
  readonly onWarning: (text: string) => void;
  /** True if it makes sense to connect again after an end without a single frame. */
  readonly hasTail: () => Promise<CommandResult<boolean>>;
}

/**
 * Watches, and connects again when the connection ends: Cloudflare moves objects now and then, and machines sleep.
 * Items that came meanwhile are read from the lists, and shown before later ones.
 */
export async function follow(client: Client, options: FollowOptions): Promise<CommandResult> {
  const { query, onWarning, hasTail } = options;
  const view = new View(client, options);
  for (let failures = 0; ; failures += 1) {
    const end = await watch(client, query, (json, frame) => {
      failures = 0;
      view.take({ json, frame });
    });
    await view.caughtUp;
    if (end.isFinal) return failed(`${client.profile.url} ended the tail: ${oneLine(end.why)}`);
    const has = failures === 0 ? { ok: true as const } : await hasTail();
    if (!has.ok && has.error.unsure !== true && has.error.status !== undefined) return has;
    const wait = Math.min(MAX_WAIT_MS, 500 * 2 ** failures);
    onWarning(`${oneLine(end.why)}; trying again in ${Math.ceil(wait / 1_000)} s`);
    await sleep(wait);
  }
}

/** The output of one tail over all its connections. */
class View {
  readonly #client: Client;
  readonly #options: FollowOptions;
  readonly #shown = new Shown();
  readonly #waiting: StalledMessages;
  /** The time when it began, and the last that it knows of (ms, by the relay's clock). Null before it was connected. */
  #known: { readonly began: number; readonly last: number } | null = null;
  /** Frames of the stream while the lists are read; null: they are not being read. */
  #held: ReceivedFrame[] | null = null;

  /** Resolves when what came in between is shown. */
  caughtUp: Promise<void> = Promise.resolve();

  constructor(client: Client, options: FollowOptions) {
    this.#client = client;
    this.#options = options;
    const { onFrame, onWarning } = options;
    this.#waiting = new StalledMessages(
      client,
      (frame) => onFrame({ json: frame, frame }, 'waiting'),
      onWarning,
    );
  }

  take(given: ReceivedFrame): void {
    const { frame } = given;
    if (frame?.type === 'hello') {
      this.#options.onFrame(given, 'live');
      this.#held = [];
      this.caughtUp = this.#catchUp(Date.parse(frame.at));
    } else if (this.#held !== null) this.#held.push(given);
    else this.#show(given, 'live');
  }

  async #catchUp(now: number): Promise<void> {
    const { start } = this.#options;
    if (this.#known !== null) {
      const since = Math.max(this.#known.began, this.#known.last - OVERLAP_MS);
      await this.#showLists(since, Infinity, 'away');
    } else {
      this.#known = { began: now, last: now };
      if (start !== null) await this.#showLists(start.since, start.last, 'earlier');
    }
    const held = this.#held ?? [];
    this.#held = null;
    for (const one of held) this.#show(one, 'live');
  }

  async #showLists(since: number, last: number, origin: FrameOrigin): Promise<void> {
    const { query, onWarning } = this.#options;
    const history = await readHistory(this.#client, { ...query, since, pending: this.#shown.pending });
    if (!history.ok) return onWarning(`earlier entries cannot be read: ${history.error.message}`);
    // The stream shows what it reports itself.
    const reported = new Set(this.#held?.flatMap(({ frame }) => newsOf(frame)));
    const { frames, isCut } = history.value;
    const some = frames.filter((frame) => !reported.has(nameOf(frame))).slice(-last);
    if (isCut && some.length < last)
      onWarning('not everything is shown here: see `events`, `messages` and `rejections`');
    for (const frame of some) this.#show({ json: frame, frame }, origin);
  }

  #show(given: ReceivedFrame, origin: FrameOrigin): void {
    const { frame } = given;
    if (frame !== null && isDated(frame)) {
      if (!this.#shown.take(frame, origin !== 'live')) return;
      const { began, last } = this.#known ?? { began: Infinity, last: 0 };
      this.#known = { began, last: Math.max(last, Date.parse(frame.at)) };
    }
    this.#options.onFrame(given, origin);
    // Frames from the lists already say why a message waits.
    if (origin === 'live' && frame !== null && isDated(frame)) this.#waiting.take(frame);
  }
}

export const isDated = (frame: ReadFrame): frame is Dated =>
  frame.type !== 'hello' && frame.type !== 'dropped';

/** The event or message that a frame describes completely. */
const newsOf = (frame: ReadFrame | null): readonly string[] =>
  frame === null || !isDated(frame) || (frame.type === 'event' && frame.duplicate) ? [] : [nameOf(frame)];
