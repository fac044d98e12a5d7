import { DAY } from '../../lib/duration.ts';
import type { ReceiverQueue } from './waiting.ts';

/** This number of new receivers may wait without using the space of others: some 500 bytes each. */
const MAX_HELD = 40_000;

/**
 * The receivers that may get nothing now: those at their hourly limit, and those that never got a message, except for
 * urgent ones.
 */
export class HeldBack {
  readonly full = new Set<ReceiverQueue>();
  /** In the order in which they were held back. */
  readonly #new = new Set<ReceiverQueue>();
  #opensAt = Infinity;

  /** The time to check them again (ms); null if there are none. */
  get opensAt(): number | null {
    return this.full.size + this.#new.size === 0 ? null : this.#opensAt;
  }

  /** The number of messages that use no space of others: they may wait for days. */
  get apart(): number {
    return Math.min(this.#new.size, MAX_HELD);
  }

  /** The number of new receivers that are held back, counted up to this one if it is held back as well. */
  newBefore(receiver: ReceiverQueue | undefined): number {
    if (receiver === undefined || !this.#new.has(receiver)) return this.#new.size;
    let before = 0;
    for (const one of this.#new) {
      if (one === receiver) break;
      before += 1;
    }
    return before;
  }

  /** Records that a receiver has reached its limit until then (ms). */
  fill(receiver: ReceiverQueue, until: number): void {
    receiver.fullUntil = until;
    this.full.add(receiver);
    this.#opensAt = Math.min(this.#opensAt, until);
  }

  /** Records that a receiver may not get its first message before then (ms). */
  hold(receiver: ReceiverQueue, until: number): void {
    receiver.heldUntil = until;
    this.#new.add(receiver);
    this.#opensAt = Math.min(this.#opensAt, until);
  }

  /** A call to a receiver has ended, so it is no longer new. */
  met(receiver: ReceiverQueue): void {
    receiver.heldUntil = null;
    this.#new.delete(receiver);
  }

  drop(receiver: ReceiverQueue): void {
    this.full.delete(receiver);
    this.#new.delete(receiver);
  }

  /** Frees those whose time has come, and returns them. `all`: frees every one, since a limit changed. */
  open(now: number, all: boolean): readonly ReceiverQueue[] {
    if (!all && now < this.#opensAt && this.#opensAt - now <= DAY) return [];
    const isOver = (until: number | null): boolean =>
      // Nobody is held back for longer than a day: the clock was set back.
      all || until === null || until <= now || until - now > DAY;
    const freed = new Set<ReceiverQueue>();
    this.#opensAt = Infinity;
    for (const receiver of this.full)
      if (isOver(receiver.fullUntil)) {
        receiver.fullUntil = null;
        this.full.delete(receiver);
        freed.add(receiver);
      } else this.#opensAt = Math.min(this.#opensAt, receiver.fullUntil ?? Infinity);
    for (const receiver of this.#new)
      if (isOver(receiver.heldUntil)) {
        this.met(receiver);
        freed.add(receiver);
      } else this.#opensAt = Math.min(this.#opensAt, receiver.heldUntil ?? Infinity);
    return [...freed];
  }
}
