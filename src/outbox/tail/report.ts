import { describeError, log } from '../../lib/log.ts';
import type { TailBatch, TailFrame } from './frame.ts';

/** One call reports the frames of this time … */
const INTERVAL_MS = 250;
/** … up to this many frames. The rest is only counted: nobody could read it anyway. */
const MAX_FRAMES = 200;
const AFTER_FAILURE_MS = 5_000;

export interface ReportDeps {
  readonly account: () => string;
  /** True if somebody watches, kept on disk: an outbox that nobody calls is soon evicted. */
  readonly watched: { isWatched: boolean };
  /** Sends a batch. False if nobody watches any more. */
  readonly send: (batch: TailBatch) => Promise<boolean>;
  readonly clock: () => number;
  /** Runs `work` after `ms`. */
  readonly later: (ms: number, work: () => void) => void;
}

/** Reports frames to the tail while somebody watches. Nothing waits for it, and its failures affect nothing else. */
export class TailReport {
  readonly #deps: ReportDeps;
  /**
   * The number of times that somebody began to watch. An answer "nobody watches" that was sent before a new watch
   * does not end it.
   */
  #watches = 0;
  #frames: TailFrame[] = [];
  #dropped = 0;
  #isScheduled = false;
  #notBefore = 0;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
  }

  get isWatched(): boolean {
    return this.#deps.watched.isWatched;
  }

  /** Somebody watches from now on, until a batch finds nobody. */
  watch(): void {
    this.#watches += 1;
    if (!this.isWatched) this.#deps.watched.isWatched = true;
  }

  /** Adds a frame. It is not even made when nobody watches or the batch is full. */
  add(make: () => TailFrame): void {
    if (!this.isWatched) return;
    if (this.#frames.length < MAX_FRAMES) this.#frames.push(make());
    else this.#dropped += 1;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#deps.later(Math.max(0, this.#notBefore - this.#deps.clock()), () => void this.#flush());
  }

  /** Sends the frames, one call at a time, so that they arrive in their order. Never throws. */
  async #flush(): Promise<void> {
    const { account, send, clock } = this.#deps;
    const frames = this.#frames;
    const dropped = this.#dropped;
    const watches = this.#watches;
    [this.#frames, this.#dropped] = [[], 0];
    this.#notBefore = clock() + INTERVAL_MS;
    try {
      const isWatched = await send({ frames, dropped, account: account() });
      if (!isWatched && watches === this.#watches) this.#stop();
    } catch (thrown) {
      this.#dropped += frames.length + dropped;
      this.#notBefore = clock() + AFTER_FAILURE_MS;
      log('warn', 'tail.report.failed', { account: account(), error: describeError(thrown) });
    }
    this.#isScheduled = false;
    if (this.#frames.length > 0) this.#schedule();
  }

  #stop(): void {
    [this.#frames, this.#dropped] = [[], 0];
    this.#deps.watched.isWatched = false;
  }
}
