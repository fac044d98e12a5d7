/** Something with a time to look at it again (ms; Infinity: none). */
export interface Timed {
  lookAt: number;
}

interface TimedEntry<Entry> {
  readonly at: number;
  readonly entry: Entry;
}

/** Fewer old places than this are not worth a look. */
const FEW = 64;

/**
 * What is to be looked at, in the order of the times. When a time changes, its old place stays and is passed over; when most places are
 * old, they are taken out.
 */
export class Timetable<Entry extends Timed> {
  #places: TimedEntry<Entry>[] = [];
  /** How many entries have a time. */
  #timed = 0;

  /** How many places there are, old ones included. */
  get size(): number {
    return this.#places.length;
  }

  /** Looks at the entry at this time (ms), unless it is looked at before. */
  bringForward(entry: Entry, at: number): void {
    if (at < entry.lookAt) this.set(entry, at);
  }

  /** Looks at the entry at this time (ms), and not before. Of two at the same time, the one that was set first is first. */
  set(entry: Entry, at: number): void {
    this.#timed += Number(at !== Infinity) - Number(entry.lookAt !== Infinity);
    entry.lookAt = at;
    if (at === Infinity) return;
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle]?.at ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    this.#places.splice(low, 0, { at, entry });
    if (this.#places.length > 2 * this.#timed + FEW) this.#takeOutOld();
  }

  /** The earliest time (ms); null: there is nothing to look at. */
  nextAt(): number | null {
    const first = this.#places.findIndex(({ at, entry }) => entry.lookAt === at);
    this.#places.splice(0, first < 0 ? Infinity : first);
    return this.#places[0]?.at ?? null;
  }

  /** Takes out all that are to be looked at by now (ms). */
  take(now: number): Entry[] {
    const end = this.#places.findIndex(({ at }) => at > now);
    const due = this.#places.splice(0, end < 0 ? Infinity : end);
    return due.flatMap(({ at, entry }) => {
      if (entry.lookAt !== at) return [];
      this.#timed -= 1;
      entry.lookAt = Infinity;
      return [entry];
    });
  }

  #takeOutOld(): void {
    const seen = new Set<Entry>();
    this.#places = this.#places.filter(({ at, entry }) => {
      if (entry.lookAt !== at || seen.has(entry)) return false;
      seen.add(entry);
      return true;
    });
  }
}
