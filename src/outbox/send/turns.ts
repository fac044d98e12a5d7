import { STANDINGS, standingIn, type Standing } from '../../lib/shares.ts';
import { DAY } from '../../lib/time.ts';
import {
  addTo,
  countOf,
  Crowded,
  keyOf,
  longestOf,
  newReceiver,
  removeFrom,
  ringFor,
  type ReceiverQueue,
  type WaitingMessage,
  NEVER,
} from './waiting.ts';
import type { MessageRow } from '../state/message.ts';

/** The maximum length of a line that is counted: a page of messages must not take a long time. */
const MAX_AHEAD = 1_000;

/**
 * Chooses the next message: urgent messages first; signed and open sources in turn; sources in turn; the receivers of a
 * source in turn; the messages of a standing to one receiver in the order accepted, one at a time. A busy or full receiver is in no ring, so it costs nothing until
 * it is free. Everything is in memory: after a crash it is read from the table of messages.
 */
export class Turns {
  readonly #receivers = new Map<string, ReceiverQueue>();
  readonly #rings = new Rings();
  readonly #seqs = new Set<number>();
  readonly #back = new HeldBack();
  readonly #crowded = new Crowded();
  #open = 0;

  /** The number of messages that wait here. */
  get size(): number {
    return this.#seqs.size;
  }

  /** The same number, without first messages to new receivers, which may wait for days. */
  get load(): number {
    return this.size - this.#back.apart;
  }

  /** The number of messages of open sources that wait here, without first messages to new receivers. */
  get open(): number {
    return this.#open - this.#back.apartOpen;
  }

  /** The number of new receivers that are held back, counted up to this one if it is held back as well. */
  newBefore(phone: string, standing: Standing): number {
    return this.#back.newBefore(this.#receivers.get(phone), standing);
  }

  has(seq: number): boolean {
    return this.#seqs.has(seq);
  }

  /** True if a receiver has a message waiting or under way. */
  isKnown(phone: string): boolean {
    return this.#receivers.has(phone);
  }

  /** The standings of messages that wait for a receiver that is free. */
  get ready(): readonly Standing[] {
    return this.#rings.ready;
  }

  /** The time when to check receivers at their limit again (ms); null if there are none. */
  get opensAt(): number | null {
    return this.#back.opensAt;
  }

  /**
   * Returns the number of messages to the same receiver that certainly go before this one, {@link MAX_AHEAD} at most.
   * Those of another standing may go later.
   */
  ahead(row: Pick<MessageRow, 'seq' | 'phone' | 'standing'>): number {
    const { seq, phone } = row;
    if (phone === null || !this.has(seq)) return 0;
    const waiting = this.#receivers.get(phone)?.waiting[standingIn(row)] ?? [];
    return Math.max(
      0,
      waiting.findIndex((one, at) => one.seq === seq || at === MAX_AHEAD),
    );
  }

  /** The number of receivers with a message waiting or under way; each status counts. */
  get receivers(): number {
    return this.#receivers.size;
  }

  /**
   * Returns receivers, `most` at most, full ones first, and the number of messages of each standing that wait for them.
   */
  lines(
    most: number,
  ): readonly { readonly phone: string | null; readonly standing: Standing; readonly waiting: number }[] {
    const chosen = new Set<ReceiverQueue>();
    for (const some of [this.#back.full, this.#receivers.values()])
      for (const receiver of some) {
        if (chosen.size === most) break;
        chosen.add(receiver);
      }
    return [...chosen].flatMap(({ phone, waiting }) =>
      STANDINGS.flatMap((standing) => {
        const { length } = waiting[standing];
        return length === 0 ? [] : [{ phone, standing, waiting: length }];
      }),
    );
  }

  /** Adds a message, unless it already waits. */
  add(message: WaitingMessage): void {
    if (this.#seqs.has(message.seq)) return;
    this.#seqs.add(message.seq);
    if (message.standing === 'open') this.#open += 1;
    const receiver = this.#receiver(message);
    addTo(receiver, message);
    this.#crowded.note(receiver);
    this.#place(receiver);
  }

  /** True if more normal messages than `above` wait for a receiver that got one since {@link takeCrowded}. */
  isCrowded(above: number): boolean {
    return this.#crowded.isAny(above, this.#receivers.values());
  }

  /** Returns those receivers. */
  takeCrowded(above: number): readonly string[] {
    if (!this.isCrowded(above)) return [];
    return this.#crowded.take();
  }

  /** Returns the numbers of a receiver's normal messages, signed or open ones, whichever are more, in the order of sending. */
  waitingFor(phone: string): readonly number[] {
    const receiver = this.#receivers.get(phone);
    return receiver === undefined ? [] : longestOf(receiver).map(({ seq }) => seq);
  }

  /** Returns the number of messages of a standing that wait here for a receiver; null for a status, each of which is its own receiver. */
  countFor(phone: string | null, name: Standing): number {
    return phone === null ? 0 : (this.#receivers.get(phone)?.waiting[name].length ?? 0);
  }

  /**
   * Returns the next message of a standing that may have a turn; its receiver is busy until {@link release}. Null if
   * none can go now. `opensAt` returns the time when a receiver may have another message, `newUntil` the time when it
   * may have its first one, which is this (ms, `now` or earlier: at once).
   */
  take(
    now: number,
    opensAt: (phone: string | null, standing: Standing) => number,
    newUntil: (phone: string, standing: Standing, seq: number) => number = () => now,
    may: (standing: Standing) => boolean = () => true,
  ): WaitingMessage | null {
    for (;;) {
      const turn = this.#rings.next(may);
      if (turn === null) return null;
      const { name, receiver } = turn;
      const until = opensAt(receiver.phone, name);
      const [first] = receiver.waiting[name];
      const held =
        receiver.phone === null || first === undefined ? now : newUntil(receiver.phone, name, first.seq);
      if (until > now || held > now) {
        if (until > now) this.#back.fill(receiver, name, until);
        else this.#back.hold(receiver, name, held);
        this.#place(receiver);
        continue;
      }
      const message = receiver.waiting[name].shift();
      receiver.isBusy = true;
      this.#place(receiver);
      this.#rings.taken(turn);
      if (message === undefined) continue;
      this.#forget(message.seq, name);
      return message;
    }
  }

  /** Removes a message that does not wait any longer, because it was cancelled. */
  remove({ seq, phone }: Pick<WaitingMessage, 'phone' | 'seq'>): void {
    const receiver = this.#receivers.get(keyOf({ seq, phone }));
    if (receiver === undefined || !this.#seqs.has(seq)) return;
    this.#forget(seq, removeFrom(receiver, seq));
    if (!receiver.isBusy && countOf(receiver) === 0) this.#dropReceiver(receiver);
    else this.#place(receiver);
  }

  /** Marks a receiver as busy: its call is under way. */
  hold(call: Pick<WaitingMessage, 'phone' | 'seq'>): void {
    const receiver = this.#receiver(call);
    receiver.isBusy = true;
    this.#place(receiver);
  }

  /** The call of a message has ended: its receiver may have the next one. */
  release(call: Pick<WaitingMessage, 'phone' | 'seq'>): void {
    const receiver = this.#receivers.get(keyOf(call));
    if (receiver === undefined) return;
    receiver.isBusy = false;
    this.#back.met(receiver);
    if (countOf(receiver) === 0) this.#dropReceiver(receiver);
    else this.#place(receiver);
  }

  /** Frees the full receivers whose time has come; `all`: every one, since the limit changed. */
  reopen(now: number, all = false): void {
    for (const receiver of this.#back.open(now, all)) this.#place(receiver);
  }

  #forget(seq: number, standing: Standing | null): void {
    if (this.#seqs.delete(seq) && standing === 'open') this.#open -= 1;
  }

  #receiver(message: Pick<WaitingMessage, 'phone' | 'seq'>): ReceiverQueue {
    const key = keyOf(message);
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const receiver = newReceiver(message);
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #dropReceiver(receiver: ReceiverQueue): void {
    this.#place(receiver);
    this.#back.drop(receiver);
    this.#receivers.delete(receiver.key);
  }

  /**
   * Moves a receiver into the rings where it belongs now, and out of the others. In a ring where it already is, it
   * keeps its place.
   */
  #place(receiver: ReceiverQueue): void {
    for (const name of STANDINGS) this.#rings.put(name, receiver, ringFor(receiver, name));
  }
}

/** A receiver whose turn may be next, and the source that would have the turn. */
interface Turn {
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
class Rings {
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

/** This number of new receivers may wait without using the space of others: some 500 bytes each. */
const MAX_HELD = 40_000;

/**
 * The receivers that may get nothing now, or nothing of a standing: those at their hourly limit, and those that never
 * got a message.
 */
class HeldBack {
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
