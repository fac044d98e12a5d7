import { CLASSES, type Class, type ReceiverQueue } from './waiting.ts';

/** A receiver whose turn may be next, and the source that would have the turn. */
export interface Turn {
  readonly name: Class;
  readonly source: string;
  readonly receiver: ReceiverQueue;
}

/** After this many urgent calls in a row, a normal message of another source has a turn. */
const URGENT_IN_A_ROW = 4;

/** The sources with receivers whose turn may come, by class, each with those receivers, in order. */
export class Rings {
  readonly #rings: Record<Class, Map<string, Map<string, ReceiverQueue>>> = {
    urgent: new Map(),
    normal: new Map(),
  };
  #urgentInARow = 0;

  /** True if nobody has a turn. */
  get isEmpty(): boolean {
    return CLASSES.every((name) => this.#rings[name].size === 0);
  }

  /** Returns the next turn, which may be refused; null if nobody has one. */
  next(): Turn | null {
    const urgent = this.#first('urgent');
    if (urgent === null) return this.#first('normal');
    // One source's flood of urgent messages must not silence all the others.
    return this.#urgentInARow < URGENT_IN_A_ROW ? urgent : (this.#first('normal', urgent.source) ?? urgent);
  }

  /** A turn was taken: its source goes behind the others. */
  taken({ name, source }: Turn): void {
    this.#urgentInARow = name === 'urgent' ? this.#urgentInARow + 1 : 0;
    const rings = this.#rings[name];
    const ring = rings.get(source);
    if (ring === undefined || rings.size === 1) return;
    rings.delete(source);
    rings.set(source, ring);
  }

  /**
   * Puts a receiver into the ring of this source; null: into none. If it is already in the ring, it keeps its place.
   */
  put(name: Class, receiver: ReceiverQueue, source: string | null): void {
    const before = receiver.ring[name];
    if (source === before) return;
    if (before !== null) this.#leave(name, before, receiver);
    if (source !== null) this.#join(name, source, receiver);
    receiver.ring[name] = source;
  }

  /** Returns the first turn of a class, from a source other than `except`; null if there is none. */
  #first(name: Class, except?: string): Turn | null {
    for (const [source, ring] of this.#rings[name]) {
      if (source === except) continue;
      for (const receiver of ring.values()) return { name, source, receiver };
    }
    return null;
  }

  #join(name: Class, source: string, receiver: ReceiverQueue): void {
    const ring = this.#rings[name].get(source);
    if (ring === undefined) this.#rings[name].set(source, new Map([[receiver.key, receiver]]));
    else ring.set(receiver.key, receiver);
  }

  #leave(name: Class, source: string, receiver: ReceiverQueue): void {
    const ring = this.#rings[name].get(source);
    ring?.delete(receiver.key);
    if (ring?.size === 0) this.#rings[name].delete(source);
  }
}
