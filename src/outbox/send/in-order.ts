/** How many that do not wait any more are kept before they are removed. */
const MOST_GONE = 2_000;

/** Numbers of messages in order, of which the first ones do not wait any more. */
export class InOrder {
  #seqs: number[] = [];
  #at = 0;

  push(seq: number): void {
    this.#seqs.push(seq);
  }

  /** The first that waits; null: none does. */
  first(waits: (seq: number) => boolean): number | null {
    for (let seq = this.#seqs[this.#at]; seq !== undefined && !waits(seq); seq = this.#seqs[this.#at])
      this.#at += 1;
    if (this.#at >= MOST_GONE) {
      this.#seqs = this.#seqs.slice(this.#at);
      this.#at = 0;
    }
    return this.#seqs[this.#at] ?? null;
  }
}
