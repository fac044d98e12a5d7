/** Something with a time to look at it again (ms; Infinity: none). */
export interface Timed {
  lookAt: number;
}

/**
 * What is to be looked at, earliest first: a binary heap. When a time changes, its old place stays and is passed over,
 * so that each change costs the logarithm of their number.
 */
export class Timetable<Entry extends Timed> {
  readonly #heap: { readonly at: number; readonly order: number; readonly entry: Entry }[] = [];
  #order = 0;

  /** Looks at the entry at this time (ms), unless it is looked at before. */
  bringForward(entry: Entry, at: number): void {
    if (at < entry.lookAt) this.set(entry, at);
  }

  /** Looks at the entry at this time (ms), and not before. */
  set(entry: Entry, at: number): void {
    entry.lookAt = at;
    if (at === Infinity) return;
    const heap = this.#heap;
    let place = heap.length;
    heap.push({ at, order: this.#order, entry });
    this.#order += 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(place, above)) break;
      this.#swap(place, above);
      place = above;
    }
  }

  /** The earliest time (ms); null: there is nothing to look at. */
  nextAt(): number | null {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined) return null;
      if (first.entry.lookAt === first.at) return first.at;
      this.#removeFirst();
    }
  }

  /** Takes out all that are to be looked at by now (ms). */
  take(now: number): Entry[] {
    const taken: Entry[] = [];
    for (let at = this.nextAt(); at !== null && at <= now; at = this.nextAt()) {
      const [first] = this.#heap;
      if (first === undefined) break;
      first.entry.lookAt = Infinity;
      taken.push(first.entry);
      this.#removeFirst();
    }
    return taken;
  }

  /** Of two at the same time, the one that was set first is first. */
  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return false;
    return first.at < second.at || (first.at === second.at && first.order < second.order);
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    this.#swap(0, heap.length - 1);
    heap.pop();
    for (let place = 0; ;) {
      const left = 2 * place + 1;
      const first = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(first, place)) return;
      this.#swap(place, first);
      place = first;
    }
  }
}
