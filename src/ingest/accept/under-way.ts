/** Of an isolate's 128 MB, which all its requests share. One webhook alone may take any amount. */
export const MAX_UNDER_WAY_BYTES = 64 * 1_048_576;

/** What a byte of a body takes at most once it is parsed: `[[[]]]` is read as lists in lists. */
export const MEMORY_PER_BODY_BYTE = 12;

/** A request that was called off may never say that it is done. */
const FORGOTTEN_AFTER_MS = 60_000;

/** How much memory the webhooks take that are under way in this isolate, about. */
export class UnderWay {
  readonly #held = new Set<{ readonly bytes: number; readonly until: number }>();
  #bytes = 0;

  /** Takes so much, and gives how to give it back; null: there is too much under way. `now` in ms. */
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

/** Of this isolate. */
export const underWay = new UnderWay();
