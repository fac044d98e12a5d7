import { DAY } from '../../lib/time.ts';
import { STANDINGS, type Standing } from '../../lib/shares.ts';
import { NEVER, type ReceiverQueue } from './waiting.ts';

/** This number of new receivers may wait without using the space of others: some 500 bytes each. */
const MAX_HELD = 40_000;

/**
 * The receivers that may get nothing now, or nothing of a standing: those at their hourly limit, and those that never
 * got a message.
 */
export class HeldBack {
  readonly full = new Set<ReceiverQueue>();
  /** In the order in which they were held back. */
  readonly #new = new Set<ReceiverQueue>();
  #opensAt = Infinity;
  #apartOpen = 0;

  /** The time to check them again (ms); null if there are none. */
  get opensAt(): number | null {
    return this.full.size + this.#new.size === 0 ? null : this.#opensAt;
  }

  /** The number of messages that use no space of others: they may wait for days. */
  get apart(): number {
    return Math.min(this.#new.size, MAX_HELD);
  }

  /** The same for messages of open sources. */
  get apartOpen(): number {
    return Math.min(this.#apartOpen, MAX_HELD);
  }

  /** The number of new receivers that are held back for a standing, counted up to this one if it is held back as well. */
  newBefore(receiver: ReceiverQueue | undefined, name: Standing): number {
    let before = 0;
    for (const one of this.#new) {
      if (one === receiver) break;
      if (one.heldUntil[name] !== null) before += 1;
    }
    return before;
  }

  /** Records that a receiver has reached its limit until then (ms). */
  fill(receiver: ReceiverQueue, name: Standing, until: number): void {
    receiver.fullUntil = { ...receiver.fullUntil, [name]: until };
    this.full.add(receiver);
    this.#opensAt = Math.min(this.#opensAt, until);
  }

  /** Records that a receiver may not get its first message before then (ms). */
  hold(receiver: ReceiverQueue, name: Standing, until: number): void {
    if (name === 'open' && receiver.heldUntil.open === null) this.#apartOpen += 1;
    receiver.heldUntil = { ...receiver.heldUntil, [name]: until };
    this.#new.add(receiver);
    this.#opensAt = Math.min(this.#opensAt, until);
  }

  /** A call to a receiver has ended, so it is no longer new. */
  met(receiver: ReceiverQueue): void {
    if (receiver.heldUntil.open !== null) this.#apartOpen -= 1;
    receiver.heldUntil = NEVER;
    this.#new.delete(receiver);
  }

  drop(receiver: ReceiverQueue): void {
    this.full.delete(receiver);
    this.met(receiver);
  }

  /** Frees those whose time has come, and returns them. `all`: frees every one, since a limit changed. */
  open(now: number, all: boolean): readonly ReceiverQueue[] {
    if (!all && now < this.#opensAt && this.#opensAt - now <= DAY) return [];
    this.#opensAt = Infinity;
    const freed = new Set<ReceiverQueue>();
    for (const [receivers, times] of [
      [this.full, 'fullUntil'],
      [this.#new, 'heldUntil'],
    ] as const)
      for (const receiver of receivers) {
        const until = { ...receiver[times] };
        for (const name of STANDINGS) {
          const at = until[name];
          // Nobody is held back for longer than a day: the clock was set back.
          if (at !== null && (all || at <= now || at - now > DAY)) {
            until[name] = null;
            if (times === 'heldUntil' && name === 'open') this.#apartOpen -= 1;
            freed.add(receiver);
          } else this.#opensAt = Math.min(this.#opensAt, at ?? Infinity);
        }
        const isFree = STANDINGS.every((name) => until[name] === null);
        receiver[times] = isFree ? NEVER : until;
        if (isFree) receivers.delete(receiver);
      }
    return [...freed];
  }
}
