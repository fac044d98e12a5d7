import type { Receiver } from './waiting.ts';

/** Receivers for whom too many normal messages wait, and that got one more since this was asked last. */
export class Crowded {
  /** More than this are too many. */
  #above = Infinity;
  readonly #phones = new Set<string>();

  note({ phone, waiting }: Receiver): void {
    if (phone !== null && waiting.normal.length > this.#above) this.#phones.add(phone);
  }

  /** Whether there is any. `all`: to be looked at when the limit has changed. */
  isAny(above: number, all: Iterable<Receiver>): boolean {
    if (above !== this.#above) {
      this.#above = above;
      this.#phones.clear();
      for (const receiver of all) this.note(receiver);
    }
    return this.#phones.size > 0;
  }

  take(): readonly string[] {
    const phones = [...this.#phones];
    this.#phones.clear();
    return phones;
  }
}
