/**
 * The part of an isolate's 128 MB that webhooks under way may use; all its requests share it. One webhook alone may use
 * any amount.
 */
export const MAX_UNDER_WAY_BYTES = 64 * 1_048_576;

/** The maximum memory that one byte of a body needs once it is parsed: `[[[]]]` becomes lists in lists. */
const MEMORY_PER_BODY_BYTE = 12;

/** The size of a body that is taken whatever the sender is. A larger one must leave memory for those. */
export const SMALL_BODY_BYTES = 1_048_576;

/** The part of {@link MAX_UNDER_WAY_BYTES} that larger bodies may use: one of the largest, or several in between. */
const MAX_LARGE_BYTES = 48 * 1_048_576;

/** A cancelled request may never report that it is done, so it is forgotten after this (ms). */
const FORGOTTEN_AFTER_MS = 60_000;

/** Estimates how much memory the webhooks under way in this isolate use. */
export class UnderWay {
  readonly #held = new Set<Taken>();
  #bytes = 0;
  #largeBytes = 0;

  /**
   * Reserves this many bytes and returns a function that releases them; null if too much is under way. `now` in ms.
   * `isLarge`: for a large body, so that some memory stays for small ones.
   */
  take(bytes: number, now: number, isLarge = false): (() => void) | null {
    for (const one of this.#held) {
      if (one.until > now) break;
      this.#giveBack(one);
    }
    if (this.#bytes > 0 && this.#bytes + bytes > MAX_UNDER_WAY_BYTES) return null;
    if (isLarge && this.#largeBytes + bytes > MAX_LARGE_BYTES) return null;
    const taken = { bytes, isLarge, until: now + FORGOTTEN_AFTER_MS };
    this.#held.add(taken);
    this.#bytes += bytes;
    if (isLarge) this.#largeBytes += bytes;
    return () => this.#giveBack(taken);
  }

  #giveBack(taken: Taken): void {
    if (!this.#held.delete(taken)) return;
    this.#bytes -= taken.bytes;
    if (taken.isLarge) this.#largeBytes -= taken.bytes;
  }
}

interface Taken {
  readonly bytes: number;
  readonly isLarge: boolean;
  readonly until: number;
}

/** The one of this isolate. */
export const underWay = new UnderWay();

/** The memory of one webhook's body, from the time when its size is known until the webhook is answered. */
export class BodyMemory {
  readonly #now: number;
  #bytes = 0;
  #done: (() => void) | null = null;

  /** `now`: when it came in (ms). */
  constructor(now: number) {
    this.#now = now;
  }

  /** Reserves memory for a body of this size. False if there is too little. */
  reserve(bytes: number): boolean {
    if (this.#done !== null && bytes <= this.#bytes) return true;
    this.release();
    this.#bytes = bytes;
    this.#done = underWay.take(MEMORY_PER_BODY_BYTE * bytes, this.#now, bytes > SMALL_BODY_BYTES);
    return this.#done !== null;
  }

  release(): void {
    this.#done?.();
    this.#done = null;
  }
}
