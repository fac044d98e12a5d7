import type { Entry } from './entries.ts';

/** What nobody is notified of at present, by what inhibits it, and what has to be checked for that. */
export class HeldBack {
  /** By the name of the incident that inhibits them. */
  readonly #inhibited = new Map<string, Set<Entry>>();
  #unchecked = new Set<Entry>();

  /** Whether anything holds it back is to be looked at. */
  toCheck(entry: Entry): void {
    this.#unchecked.add(entry);
  }

  /** Takes out what is new, or was released, since this was asked last. */
  takeUnchecked(): Iterable<Entry> {
    const unchecked = this.#unchecked;
    if (unchecked.size > 0) this.#unchecked = new Set();
    return unchecked;
  }

  hold(entry: Entry, held: NonNullable<Entry['held']>): void {
    entry.held = held;
    if (held.why === 'inhibited')
      this.#inhibited.set(held.by, (this.#inhibited.get(held.by) ?? new Set()).add(entry));
  }

  /** It is not held back any more, or is gone. */
  forget(entry: Entry): void {
    this.#unchecked.delete(entry);
    if (entry.held === null) return;
    const inhibited = this.#inhibited.get(entry.held.by);
    inhibited?.delete(entry);
    if (inhibited?.size === 0) this.#inhibited.delete(entry.held.by);
    entry.held = null;
  }

  /** What an incident of this name inhibits. */
  by(name: string): readonly Entry[] {
    return [...(this.#inhibited.get(name) ?? [])];
  }
}
