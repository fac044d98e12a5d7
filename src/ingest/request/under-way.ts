import { MEMORY } from '../../lib/shares.ts';

/** The maximum memory that one byte of a body needs once it is parsed: `[[[]]]` becomes lists in lists. */
const MEMORY_PER_BODY_BYTE = 12;

/** The size of a body that is taken whatever the sender is. A larger one must leave memory for those. */
export const SMALL_BODY_BYTES = 1_048_576;

/** Whose a body is: a source that cannot prove its sender, or another one, whose large bodies leave memory for small ones. */
type Kind = 'open' | 'large' | 'small';

/** A cancelled request may never report that it is done, so it is forgotten after this (ms). */
const FORGOTTEN_AFTER_MS = 60_000;

/** Estimates how much memory the webhooks under way in this isolate use. */
export class UnderWay {
  readonly #held = new Set<Taken>();
  readonly #bytes: Record<Kind, number> = { open: 0, large: 0, small: 0 };

  /**
   * Reserves this many bytes and returns a function that releases them; null if too much is under way. `now` in ms.
   */
  take(bytes: number, now: number, kind: Kind): (() => void) | null {
    for (const one of this.#held) {
      if (one.until > now) break;
      this.#giveBack(one);
    }
    const { open, large, small } = this.#bytes;
    const all = open + large + small;
    if (all + bytes > MEMORY.all) return null;
    if (kind !== 'small' && this.#bytes[kind] + bytes > MEMORY[kind]) return null;
    const taken = { bytes, kind, until: now + FORGOTTEN_AFTER_MS };
    this.#held.add(taken);
    this.#bytes[kind] += bytes;
    return () => this.#giveBack(taken);
  }

  #giveBack(taken: Taken): void {
    if (!this.#held.delete(taken)) return;
    this.#bytes[taken.kind] -= taken.bytes;
  }
}

interface Taken {
  readonly bytes: number;
  readonly kind: Kind;
  readonly until: number;
}

/** The one of this isolate. */
export const underWay = new UnderWay();

/** The memory of one webhook's body, from the time when its size is known until the webhook is answered. */
export class BodyMemory {
  /** True if its source cannot prove its sender, or is not known yet. */
  isOpen = true;
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
    const kind = this.isOpen ? 'open' : bytes > SMALL_BODY_BYTES ? 'large' : 'small';
    this.#done = underWay.take(MEMORY_PER_BODY_BYTE * bytes, this.#now, kind);
    return this.#done !== null;
  }

  release(): void {
    this.#done?.();
    this.#done = null;
  }
}
