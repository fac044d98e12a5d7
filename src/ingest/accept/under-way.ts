/**
 * The part of an isolate's 128 MB that webhooks under way may use; all its requests share it. One webhook alone may use
 * any amount.
 */
export const MAX_UNDER_WAY_BYTES = 64 * 1_048_576;

/** The maximum memory that one byte of a body needs once it is parsed: `[[[]]]` becomes lists in lists. */
export const MEMORY_PER_BODY_BYTE = 12;

/** A cancelled request may never report that it is done, so it is forgotten after this (ms). */
const FORGOTTEN_AFTER_MS = 60_000;

/** Estimates how much memory the webhooks under way in this isolate use. */
export class UnderWay {
  readonly #held = new Set<{ readonly bytes: number; readonly until: number }>();
  #bytes = 0;

  /** Reserves this many bytes and returns a function that releases them; null if too much is under way. `now` in ms. */
  take(bytes: number, now: number): (() => void) | null {
    for (const one of this.#held) {
      if (one.until > now) break;
      this.#giveBack(one);
    }
    if (this.#bytes > 0 && this.#bytes + bytes > MAX_UNDER_WAY_BYTES) return null;
    const taken = { bytes, until: now + FORGOTTEN_AFTER_MS };
    this.#held.add(taken);
    this.#bytes += bytes;
    return () => this.#giveBack(taken);
  }

  #giveBack(taken: { readonly bytes: number; readonly until: number }): void {
    if (this.#held.delete(taken)) this.#bytes -= taken.bytes;
  }
}

/** The one of this isolate. */
export const underWay = new UnderWay();
