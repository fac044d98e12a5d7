import { STANDINGS, type Standing } from '../../lib/shares.ts';
import type { ReceiverQueue } from './waiting.ts';

/** A receiver whose turn may be next, and the source that would have the turn. */
export interface Turn {
  readonly name: Standing;
  readonly source: string;
  readonly receiver: ReceiverQueue;
}

/** After this many urgent calls in a row, a message of another signed source has a turn. */
const URGENT_IN_A_ROW = 4;

/**
 * The sources with receivers whose turn may come, by standing, each with those receivers, in order. Urgent messages go
 * first; signed and open sources take turns, however many there are of each.
 */
export class Rings {
  readonly #rings: Record<Standing, Map<string, Map<string, ReceiverQueue>>> = {
    urgent: new Map(),
    signed: new Map(),
    open: new Map(),
  };
  #urgentInARow = 0;
  #isOpenNext = false;

  /** The standings of those that have a turn. */
  get ready(): readonly Standing[] {
    return STANDINGS.filter((name) => this.#rings[name].size > 0);
  }

  /** Returns the next turn of a standing that may have one, which may be refused; null if there is none. */
  next(may: (standing: Standing) => boolean): Turn | null {
    const urgent = may('urgent') ? this.#first('urgent') : null;
    if (urgent === null) return this.#other(may);
    if (this.#urgentInARow < URGENT_IN_A_ROW || !may('signed')) return urgent;
    // One source's flood of urgent messages must not silence all the others; strangers have to wait.
    return this.#first('signed', urgent.source) ?? urgent;
  }

  #other(may: (standing: Standing) => boolean): Turn | null {
    for (const name of this.#isOpenNext ? (['open', 'signed'] as const) : (['signed', 'open'] as const)) {
      const turn = may(name) ? this.#first(name) : null;
      if (turn !== null) return turn;
    }
    return null;
  }

  /** A turn was taken: its source goes behind the others. */
  taken({ name, source }: Turn): void {
    this.#urgentInARow = name === 'urgent' ? this.#urgentInARow + 1 : 0;
    if (name !== 'urgent') this.#isOpenNext = name === 'signed';
    const rings = this.#rings[name];
    const ring = rings.get(source);
    if (ring === undefined || rings.size === 1) return;
    rings.delete(source);
    rings.set(source, ring);
  }

  /**
   * Puts a receiver into the ring of this source; null: into none. If it is already in the ring, it keeps its place.
   */
  put(name: Standing, receiver: ReceiverQueue, source: string | null): void {
    const before = receiver.ring[name];
    if (source === before) return;
    if (before !== null) this.#leave(name, before, receiver);
    if (source !== null) this.#join(name, source, receiver);
    receiver.ring[name] = source;
  }

  /** Returns the first turn of a standing, from a source other than `except`; null if there is none. */
  #first(name: Standing, except?: string): Turn | null {
    for (const [source, ring] of this.#rings[name]) {
      if (source === except) continue;
      for (const receiver of ring.values()) return { name, source, receiver };
    }
    return null;
  }

  #join(name: Standing, source: string, receiver: ReceiverQueue): void {
    const ring = this.#rings[name].get(source);
    if (ring === undefined) this.#rings[name].set(source, new Map([[receiver.key, receiver]]));
    else ring.set(receiver.key, receiver);
  }

  #leave(name: Standing, source: string, receiver: ReceiverQueue): void {
    const ring = this.#rings[name].get(source);
    ring?.delete(receiver.key);
    if (ring?.size === 0) this.#rings[name].delete(source);
  }
}
