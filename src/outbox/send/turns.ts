import { byStanding, STANDINGS, standingIn, type Standing } from '../../lib/shares.ts';
import { DAY } from '../../lib/time.ts';
import type { MessageRow } from '../state/message.ts';

export interface WaitingMessage {
  readonly seq: number;
  readonly source: string | null;
  /** Null for a status, which has no receiver. */
  readonly phone: string | null;
  readonly standing: Standing;
  /** Its place among the messages to its receiver: its number, or a higher one if it goes behind the others. */
  readonly place: number;
}

/** The messages of one standing that wait for one receiver. Each status is a receiver of its own, so none waits for another. */
interface Line {
  readonly receiver: string;
  readonly phone: string | null;
  readonly standing: Standing;
  /** In the order of sending, never empty while the line is known. */
  readonly waiting: WaitingMessage[];
  /** The source in whose ring it is, which is that of its next message; null if it is in none. */
  ring: string | null;
  /** Until when (ms) it is held back, as its receiver is full or never got a message. Null if it is not. */
  heldUntil: number | null;
}

type Call = Pick<WaitingMessage, 'phone' | 'seq'>;

/** A number cannot begin with `#`. */
const receiverOf = ({ phone, seq }: Call): string => phone ?? `#${seq}`;

/** The maximum length of a line that is counted: a page of messages must not take a long time. */
const MAX_AHEAD = 1_000;

/** This number of new receivers may wait without using the space of others: some 500 bytes each. */
const MAX_HELD = 40_000;

/**
 * Chooses the next message: urgent messages first; signed and open sources in turn; sources in turn; the receivers of a
 * source in turn; the messages of a standing to one receiver in the order accepted, one at a time. A busy or full
 * receiver is in no ring, so it costs nothing until it is free.
 */
export class Turns {
  readonly #lines = byStanding(() => new Map<string, Line>());
  readonly #rings = new Rings();
  readonly #busy = new Set<string>();
  readonly #seqs = new Set<number>();
  #open = 0;
  /** The lines that are held back: of receivers that are full, and of new ones, which never are urgent. */
  readonly #full = new Set<Line>();
  readonly #new = byStanding(() => new Set<Line>());
  #heldUntil = Infinity;
  #crowdedAbove = Infinity;
  readonly #crowded = new Set<string>();

  get size(): number {
    return this.#seqs.size;
  }

  /** The same number, without first messages to new receivers, which may wait for days. */
  get load(): number {
    return this.size - Math.min(this.#new.signed.size + this.#new.open.size, MAX_HELD);
  }

  /** The number of messages of open sources that wait here, without first messages to new receivers. */
  get open(): number {
    return this.#open - Math.min(this.#new.open.size, MAX_HELD);
  }

  /** The standings of messages that wait for a receiver that is free. */
  get ready(): readonly Standing[] {
    return this.#rings.ready;
  }

  /** The time when to check held receivers again (ms); null if there are none. */
  get opensAt(): number | null {
    return this.#held.every(({ size }) => size === 0) ? null : this.#heldUntil;
  }

  get #held(): readonly ReadonlySet<Line>[] {
    return [this.#full, ...Object.values(this.#new)];
  }

  has(seq: number): boolean {
    return this.#seqs.has(seq);
  }

  /** The number of new receivers that are held back, counted up to this one if it is held back as well. */
  newBefore(phone: string, standing: Standing): number {
    const lines = [...this.#new[standing]];
    const at = lines.findIndex((line) => line.phone === phone);
    return at < 0 ? lines.length : at;
  }

  /** How many to the same receiver certainly go before it, {@link MAX_AHEAD} at most; another standing may go later. */
  ahead(row: Pick<MessageRow, 'seq' | 'phone' | 'standing'>): number {
    const { seq, phone } = row;
    const line = phone === null ? undefined : this.#lines[standingIn(row)].get(phone);
    if (line === undefined || !this.has(seq)) return 0;
    return Math.max(
      0,
      line.waiting.findIndex((one, at) => one.seq === seq || at === MAX_AHEAD),
    );
  }

  /** Returns lines, `most` at most, full ones first, and the number of messages in each. */
  lines(most: number) {
    const chosen = new Set<Line>();
    for (const some of [this.#full, ...STANDINGS.map((standing) => this.#lines[standing].values())])
      for (const line of some) if (chosen.size < most) chosen.add(line);
    return [...chosen].map(({ phone, standing, waiting }) => ({ phone, standing, waiting: waiting.length }));
  }

  get lineCount(): number {
    return STANDINGS.reduce((sum, standing) => sum + this.#lines[standing].size, 0);
  }

  /** Returns the number of messages of a standing that wait here for a receiver; 0 for a status. */
  countFor(phone: string | null, standing: Standing): number {
    return phone === null ? 0 : (this.#lines[standing].get(phone)?.waiting.length ?? 0);
  }

  add(message: WaitingMessage): void {
    const { seq, phone, standing, place } = message;
    if (this.#seqs.has(seq)) return;
    this.#seqs.add(seq);
    if (standing === 'open') this.#open += 1;
    const receiver = receiverOf(message);
    const lines = this.#lines[standing];
    const line: Line = lines.get(receiver) ?? {
      receiver,
      phone,
      standing,
      waiting: [],
      ring: null,
      heldUntil: null,
    };
    lines.set(receiver, line);
    // Nearly all come in order.
    line.waiting.splice(line.waiting.findLastIndex((one) => one.place <= place) + 1, 0, message);
    this.#noteCrowd(line);
    this.#place(line);
  }

  /** Receivers with more normal messages than `above` that got one since they were taken out of this set. */
  crowded(above: number): Set<string> {
    if (above !== this.#crowdedAbove) {
      this.#crowdedAbove = above;
      this.#crowded.clear();
      for (const standing of STANDINGS)
        for (const line of this.#lines[standing].values()) this.#noteCrowd(line);
    }
    return this.#crowded;
  }

  #noteCrowd({ phone, standing, waiting }: Line): void {
    if (phone !== null && standing !== 'urgent' && waiting.length > this.#crowdedAbove)
      this.#crowded.add(phone);
  }

  /** A receiver's signed or open messages, whichever are more, in order: strangers' become a digest of their own. */
  waitingFor(phone: string): readonly number[] {
    const [signed = [], open = []] = (['signed', 'open'] as const).map(
      (standing) => this.#lines[standing].get(phone)?.waiting,
    );
    return (open.length > signed.length ? open : signed).map(({ seq }) => seq);
  }

  /** `may`: which standings; busy until {@link release}. `opensAt`, `newUntil`: when another or a first may go (ms). */
  take(
    now: number,
    opensAt: (phone: string | null, standing: Standing) => number,
    newUntil: (phone: string, standing: Standing, seq: number) => number = () => now,
    may: (standing: Standing) => boolean = () => true,
  ): WaitingMessage | null {
    for (;;) {
      const line = this.#rings.next(may);
      const [message] = line?.waiting ?? [];
      if (line === null || message === undefined) return null;
      const { phone, standing } = line;
      const fullUntil = opensAt(phone, standing);
      const until = fullUntil > now || phone === null ? fullUntil : newUntil(phone, standing, message.seq);
      if (until > now) {
        this.#hold(line, until, fullUntil <= now);
        continue;
      }
      this.#rings.taken(line);
      this.#remove(line, message);
      this.hold(message);
      return message;
    }
  }

  remove(call: Call): void {
    if (!this.#seqs.has(call.seq)) return;
    for (const line of this.#linesOf(call)) {
      const message = line.waiting.find(({ seq }) => seq === call.seq);
      if (message !== undefined) this.#remove(line, message);
    }
  }

  #remove(line: Line, message: WaitingMessage): void {
    const { receiver, standing, waiting } = line;
    this.#seqs.delete(message.seq);
    if (standing === 'open') this.#open -= 1;
    waiting.splice(waiting.indexOf(message), 1);
    if (waiting.length === 0) {
      this.#free(line);
      this.#lines[standing].delete(receiver);
    }
    this.#place(line);
  }

  hold(call: Call): void {
    this.#busy.add(receiverOf(call));
    for (const line of this.#linesOf(call)) this.#place(line);
  }

  /** The call of a message has ended: its receiver may have the next one, and is not new any more. */
  release(call: Call): void {
    this.#busy.delete(receiverOf(call));
    for (const line of this.#linesOf(call)) {
      if (this.#new[line.standing].has(line)) this.#free(line);
      this.#place(line);
    }
  }

  /** The message that was just taken is not sent: its turn is not used up. */
  giveBack(call: Call): void {
    this.#rings.giveBack();
    this.release(call);
  }

  #linesOf(call: Call): readonly Line[] {
    const receiver = receiverOf(call);
    return STANDINGS.flatMap((standing) => this.#lines[standing].get(receiver) ?? []);
  }

  /** Frees the held receivers whose time has come; `all`: every one, since the limit changed. */
  reopen(now: number, all = false): void {
    // Nobody is held back for longer than a day: the clock was set back.
    const isOver = (until: number): boolean => all || until <= now || until - now > DAY;
    if (!isOver(this.#heldUntil)) return;
    this.#heldUntil = Infinity;
    for (const line of this.#held.flatMap((lines) => [...lines])) {
      const until = line.heldUntil ?? now;
      if (!isOver(until)) this.#heldUntil = Math.min(this.#heldUntil, until);
      else {
        this.#free(line);
        this.#place(line);
      }
    }
  }

  #hold(line: Line, until: number, isNew: boolean): void {
    line.heldUntil = until;
    (isNew ? this.#new[line.standing] : this.#full).add(line);
    this.#heldUntil = Math.min(this.#heldUntil, until);
    this.#place(line);
  }

  #free(line: Line): void {
    line.heldUntil = null;
    this.#full.delete(line);
    this.#new[line.standing].delete(line);
  }

  /** Moves a line into the ring where it belongs now. In a ring where it already is, it keeps its place. */
  #place(line: Line): void {
    const [next] = line.waiting;
    const isFree = line.heldUntil === null && !this.#busy.has(line.receiver);
    // A source's name cannot be empty.
    this.#rings.put(line, isFree && next !== undefined ? (next.source ?? '') : null);
  }
}

/** After this many urgent calls in a row, a message of another signed source has a turn. */
const URGENT_IN_A_ROW = 4;

/** The lines whose turn may come, by standing and source, in order. Signed and open sources take turns, however many. */
class Rings {
  readonly #rings = byStanding(() => new Map<string, Set<Line>>());
  #urgentInARow = 0;
  #isOpenNext = false;
  /** Both before the last turn. */
  #before = { urgentInARow: 0, isOpenNext: false };

  get ready(): readonly Standing[] {
    return STANDINGS.filter((standing) => this.#rings[standing].size > 0);
  }

  /** Returns the line that has the next turn, of a standing that may have one; null if there is none. */
  next(may: (standing: Standing) => boolean): Line | null {
    const firstOf = (standing: Standing): Line | null => (may(standing) ? this.#first(standing) : null);
    const urgent = firstOf('urgent');
    if (urgent === null)
      return this.#isOpenNext
        ? (firstOf('open') ?? firstOf('signed'))
        : (firstOf('signed') ?? firstOf('open'));
    if (this.#urgentInARow < URGENT_IN_A_ROW || !may('signed')) return urgent;
    // One source's flood of urgent messages must not silence all the others; strangers have to wait.
    return this.#first('signed', urgent.ring) ?? urgent;
  }

  /** A turn is taken: its source goes behind the others. */
  taken({ standing, ring: source }: Line): void {
    this.#before = { urgentInARow: this.#urgentInARow, isOpenNext: this.#isOpenNext };
    this.#urgentInARow = standing === 'urgent' ? this.#urgentInARow + 1 : 0;
    if (standing !== 'urgent') this.#isOpenNext = standing === 'signed';
    const rings = this.#rings[standing];
    const ring = source === null ? undefined : rings.get(source);
    if (source === null || ring === undefined) return;
    rings.delete(source);
    rings.set(source, ring);
  }

  giveBack(): void {
    this.#urgentInARow = this.#before.urgentInARow;
    this.#isOpenNext = this.#before.isOpenNext;
  }

  /** Puts a line into the ring of this source; null: into none. */
  put(line: Line, source: string | null): void {
    if (source === line.ring) return;
    const rings = this.#rings[line.standing];
    if (line.ring !== null) {
      const before = rings.get(line.ring);
      before?.delete(line);
      if (before?.size === 0) rings.delete(line.ring);
    }
    line.ring = source;
    if (source === null) return;
    rings.set(source, (rings.get(source) ?? new Set()).add(line));
  }

  /** Returns the first line of a standing, from a source other than `except`; null if there is none. */
  #first(standing: Standing, except: string | null = null): Line | null {
    for (const [source, ring] of this.#rings[standing])
      if (source !== except) for (const line of ring) return line;
    return null;
  }
}
