import type { MessageRow } from '../state/message.ts';

/** A message that waits, as far as the choice of the next one depends on it. */
export interface Waiting {
  readonly seq: number;
  /** Null: sent by hand. */
  readonly source: string | null;
  /** Null: a status, which has no receiver. */
  readonly phone: string | null;
  readonly isUrgent: boolean;
  /** Its place among the messages to its receiver: its number, or a higher one when it goes behind the others. */
  readonly place: number;
}

const CLASSES = ['urgent', 'normal'] as const;
type Class = (typeof CLASSES)[number];

/**
 * All messages that wait for one receiver. Each status counts as a separate receiver, so that none waits for another.
 */
interface Receiver {
  readonly key: string;
  readonly phone: string | null;
  /** In the order of sending. */
  readonly waiting: Record<Class, Waiting[]>;
  /** The source in whose ring it is, which is that of its next message; null: in none. */
  readonly ring: Record<Class, string | null>;
  /** Its call is under way. */
  isBusy: boolean;
  /** Until when it has reached its hourly cap (ms); null: it has not. */
  fullUntil: number | null;
}

/** How far a line is counted: a page of messages must not take a long time. */
const MAX_AHEAD = 1_000;

/** After this many urgent calls in a row, a normal message of another source has a turn. */
const URGENT_IN_A_ROW = 4;

const classOf = ({ isUrgent }: Waiting): Class => (isUrgent ? 'urgent' : 'normal');
/** No source has an empty name. */
const sourceOf = ({ source }: Waiting): string => source ?? '';
/** No number begins with `#`. */
const keyOf = ({ phone, seq }: Pick<Waiting, 'phone' | 'seq'>): string => phone ?? `#${seq}`;

/**
 * Chooses the next message: urgent messages first; sources in turn; the receivers of a source in turn; the messages to
 * one receiver in the order accepted, one at a time. A busy or full receiver is in no ring, so that it costs nothing
 * until it is free. All of this is in memory: after a crash it is read from the table of messages.
 */
export class Turns {
  readonly #receivers = new Map<string, Receiver>();
  /** By class: the sources with receivers whose turn may come, each with those receivers, the next one first. */
  readonly #rings: Record<Class, Map<string, Map<string, Receiver>>> = {
    urgent: new Map(),
    normal: new Map(),
  };
  readonly #seqs = new Set<number>();
  readonly #full = new Set<Receiver>();
  /** Receivers with more normal messages than this got one more. */
  #above = Infinity;
  readonly #crowded = new Set<string>();
  #opensAt = Infinity;
  #urgentInARow = 0;

  /** How many messages wait here. */
  get size(): number {
    return this.#seqs.size;
  }

  has(seq: number): boolean {
    return this.#seqs.has(seq);
  }

  /** Whether a receiver has a message waiting or under way. */
  isKnown(phone: string): boolean {
    return this.#receivers.has(phone);
  }

  /** Whether any receiver is free and has a message waiting. */
  get isReady(): boolean {
    return CLASSES.some((name) => this.#rings[name].size > 0);
  }

  /** When to check the full receivers again (ms); null: none is full. */
  get opensAt(): number | null {
    return this.#full.size === 0 ? null : this.#opensAt;
  }

  /**
   * How many messages to the same receiver surely go before this one, {@link MAX_AHEAD} at most. Those of the other
   * class may go later.
   */
  ahead({ seq, phone, priority }: Pick<MessageRow, 'seq' | 'phone' | 'priority'>): number {
    if (phone === null || !this.has(seq)) return 0;
    const waiting = this.#receivers.get(phone)?.waiting[priority === 1 ? 'urgent' : 'normal'] ?? [];
    return Math.max(
      0,
      waiting.findIndex((one, at) => one.seq === seq || at === MAX_AHEAD),
    );
  }

  /** How many receivers have a message waiting or under way; each status counts. */
  get receivers(): number {
    return this.#receivers.size;
  }

  /** Receivers, `most` at most, full ones first, and how many messages wait for each. */
  lines(most: number): readonly { readonly phone: string | null; readonly waiting: number }[] {
    const chosen = new Set<Receiver>();
    for (const some of [this.#full, this.#receivers.values()])
      for (const receiver of some) {
        if (chosen.size === most) break;
        chosen.add(receiver);
      }
    return [...chosen].map(({ phone, waiting }) => ({
      phone,
      waiting: waiting.urgent.length + waiting.normal.length,
    }));
  }

  /** Adds a message, unless it waits already. */
  add(message: Waiting): void {
    if (this.#seqs.has(message.seq)) return;
    this.#seqs.add(message.seq);
    const receiver = this.#receiver(message);
    insertByPlace(receiver.waiting[classOf(message)], message);
    this.#noteCrowded(receiver);
    this.#place(receiver);
  }

  /** Whether more normal messages than `above` wait for a receiver that got one since {@link takeCrowded}. */
  isCrowded(above: number): boolean {
    if (above !== this.#above) {
      this.#above = above;
      this.#crowded.clear();
      for (const receiver of this.#receivers.values()) this.#noteCrowded(receiver);
    }
    return this.#crowded.size > 0;
  }

  /** Those receivers. */
  takeCrowded(above: number): readonly string[] {
    if (!this.isCrowded(above)) return [];
    const phones = [...this.#crowded];
    this.#crowded.clear();
    return phones;
  }

  /** The numbers of a receiver's normal messages, in the order of sending. */
  waitingFor(phone: string): readonly number[] {
    return this.#receivers.get(phone)?.waiting.normal.map(({ seq }) => seq) ?? [];
  }

  #noteCrowded({ phone, waiting }: Receiver): void {
    if (phone !== null && waiting.normal.length > this.#above) this.#crowded.add(phone);
  }

  /**
   * The next message; its receiver is busy until {@link release}. Null: none can go now. `opensAt` says when a receiver
   * may have another message (ms, `now` or earlier: at once).
   */
  take(now: number, opensAt: (phone: string | null) => number): Waiting | null {
    for (;;) {
      const next = this.#next();
      if (next === null) return null;
      const { name, source, receiver } = next;
      const until = opensAt(receiver.phone);
      if (until > now) {
        receiver.fullUntil = until;
        this.#full.add(receiver);
        this.#opensAt = Math.min(this.#opensAt, until);
        this.#place(receiver);
        continue;
      }
      const message = receiver.waiting[name].shift();
      receiver.isBusy = true;
      this.#place(receiver);
      this.#moveBack(name, source);
      this.#urgentInARow = name === 'urgent' ? this.#urgentInARow + 1 : 0;
      if (message === undefined) continue;
      this.#seqs.delete(message.seq);
      return message;
    }
  }

  /** A message waits no more: it was cancelled. */
  remove({ seq, phone }: Pick<Waiting, 'phone' | 'seq'>): void {
    const receiver = this.#receivers.get(keyOf({ seq, phone }));
    if (receiver === undefined || !this.#seqs.delete(seq)) return;
    for (const name of CLASSES) {
      const at = receiver.waiting[name].findIndex((message) => message.seq === seq);
      if (at >= 0) receiver.waiting[name].splice(at, 1);
    }
    if (!receiver.isBusy && CLASSES.every((name) => receiver.waiting[name].length === 0))
      this.#dropReceiver(receiver);
    else this.#place(receiver);
  }

  /** Marks a receiver as busy: its call is under way. */
  hold(call: Pick<Waiting, 'phone' | 'seq'>): void {
    const receiver = this.#receiver(call);
    receiver.isBusy = true;
    this.#place(receiver);
  }

  /** The call of a message has ended: its receiver may have the next one. */
  release(call: Pick<Waiting, 'phone' | 'seq'>): void {
    const receiver = this.#receivers.get(keyOf(call));
    if (receiver === undefined) return;
    receiver.isBusy = false;
    if (CLASSES.every((name) => receiver.waiting[name].length === 0)) this.#dropReceiver(receiver);
    else this.#place(receiver);
  }

  /** Frees the full receivers whose time has come; `all`: every one, since the limit changed. */
  reopen(now: number, all = false): void {
    if (!all && now < this.#opensAt) return;
    this.#opensAt = Infinity;
    for (const receiver of this.#full) {
      if (all || (receiver.fullUntil ?? 0) <= now) {
        receiver.fullUntil = null;
        this.#full.delete(receiver);
        this.#place(receiver);
      } else this.#opensAt = Math.min(this.#opensAt, receiver.fullUntil ?? Infinity);
    }
  }

  #receiver(message: Pick<Waiting, 'phone' | 'seq'>): Receiver {
    const key = keyOf(message);
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const receiver: Receiver = {
      key,
      phone: message.phone,
      waiting: { urgent: [], normal: [] },
      ring: { urgent: null, normal: null },
      isBusy: false,
      fullUntil: null,
    };
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #dropReceiver(receiver: Receiver): void {
    this.#place(receiver);
    this.#full.delete(receiver);
    this.#receivers.delete(receiver.key);
  }

  /**
   * Moves a receiver into the rings where it belongs now, and out of the others. In a ring where it is already it keeps
   * its place.
   */
  #place(receiver: Receiver): void {
    const isFree = !receiver.isBusy && receiver.fullUntil === null;
    for (const name of CLASSES) {
      const head = receiver.waiting[name][0];
      const source = isFree && head !== undefined ? sourceOf(head) : null;
      const before = receiver.ring[name];
      if (source === before) continue;
      if (before !== null) this.#leave(name, before, receiver);
      if (source !== null) this.#join(name, source, receiver);
      receiver.ring[name] = source;
    }
  }

  #join(name: Class, source: string, receiver: Receiver): void {
    const ring = this.#rings[name].get(source);
    if (ring === undefined) this.#rings[name].set(source, new Map([[receiver.key, receiver]]));
    else ring.set(receiver.key, receiver);
  }

  #leave(name: Class, source: string, receiver: Receiver): void {
    const ring = this.#rings[name].get(source);
    ring?.delete(receiver.key);
    if (ring?.size === 0) this.#rings[name].delete(source);
  }

  #next(): { name: Class; source: string; receiver: Receiver } | null {
    const urgent = this.#first('urgent');
    if (urgent === null) return this.#first('normal');
    // One source's flood of urgent messages must not silence all the others.
    return this.#urgentInARow < URGENT_IN_A_ROW ? urgent : (this.#first('normal', urgent.source) ?? urgent);
  }

  #first(name: Class, except?: string): { name: Class; source: string; receiver: Receiver } | null {
    for (const [source, ring] of this.#rings[name]) {
      if (source === except) continue;
      for (const receiver of ring.values()) return { name, source, receiver };
    }
    return null;
  }

  /** A source that had its turn goes behind the others. */
  #moveBack(name: Class, source: string): void {
    const rings = this.#rings[name];
    const ring = rings.get(source);
    if (ring === undefined || rings.size === 1) return;
    rings.delete(source);
    rings.set(source, ring);
  }
}

/** Nearly all come in order, so the search begins at the end. */
function insertByPlace(waiting: Waiting[], message: Waiting): void {
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]?.place ?? 0) > message.place) at -= 1;
  waiting.splice(at, 0, message);
}
