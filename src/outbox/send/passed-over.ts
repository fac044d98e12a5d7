import { InOrder } from './in-order.ts';
import { isLow, shareOf } from './share.ts';
import type { Turns } from './turns.ts';

/** How many numbers one look at a receiver's messages reads, and how many receivers have one in a step. */
const RANGE = 8_000;
const RECEIVERS_AT_ONCE = 4;

/** What is not in memory for a receiver that has its share. */
interface Rest {
  /** The number from which on its fresh messages are not read; null: all are. */
  from: number | null;
  /** How many of them there are at most. */
  count: number;
  /** Those that were read since, in order. */
  readonly read: InOrder;
}

interface PassedOverDeps {
  readonly sql: SqlStorage;
  readonly turns: Turns;
  readonly isInFlight: (seq: number) => boolean;
}

/**
 * Fresh messages that are passed over, since their receiver has its share of the memory: there may be any number of them. They are found
 * by their numbers, when fewer wait in memory, and keep their order.
 */
export class PassedOver {
  readonly #deps: PassedOverDeps;
  readonly #rests = new Map<string, Rest>();

  constructor(deps: PassedOverDeps) {
    this.#deps = deps;
  }

  /** How many there are, at most. */
  get count(): number {
    let count = 0;
    for (const rest of this.#rests.values()) count += rest.count;
    return count;
  }

  /** The first number that was passed over, or was and waits now; null: there is none. */
  get first(): number | null {
    const { turns } = this.#deps;
    let first = Infinity;
    for (const [phone, rest] of this.#rests) {
      const read = rest.read.first((seq) => turns.has(seq));
      if (read === null && rest.from === null) this.#rests.delete(phone);
      first = Math.min(first, read ?? Infinity, rest.from ?? Infinity);
    }
    return first === Infinity ? null : first;
  }

  /** Whether a fresh message is passed over. To be asked in the order of numbers. */
  takes(seq: number, phone: string | null): boolean {
    if (phone === null) return false;
    const { turns } = this.#deps;
    const rest = this.#rests.get(phone);
    const { from, count, read } = rest ?? { from: null, count: 0, read: new InOrder() };
    if (from === null && turns.countFor(phone, 'normal') < shareOf('fresh', turns.size)) return false;
    this.#rests.set(phone, { from: from ?? seq, count: count + 1, read });
    return true;
  }

  /** Whether something can be read now. */
  get isLow(): boolean {
    for (const [phone, { from }] of this.#rests) if (from !== null && this.#isLow(phone)) return true;
    return false;
  }

  /** Reads for receivers of whom little is in memory. `to`: the highest number that was passed. */
  load(to: number): void {
    let reads = 0;
    for (const [phone, rest] of this.#rests) {
      if (reads === RECEIVERS_AT_ONCE) return;
      if (rest.from === null || !this.#isLow(phone)) continue;
      this.#read(phone, rest, rest.from, to);
      reads += 1;
      // The others are first, next time.
      this.#rests.delete(phone);
      this.#rests.set(phone, rest);
    }
  }

  #isLow(phone: string): boolean {
    const { turns } = this.#deps;
    return isLow('fresh', turns.countFor(phone, 'normal'), turns.size);
  }

  #read(phone: string, rest: Rest, from: number, passedTo: number): void {
    const { sql, turns, isInFlight } = this.#deps;
    const to = Math.min(passedTo, from + RANGE);
    const most = Math.max(1, shareOf('fresh', turns.size) - turns.countFor(phone, 'normal'));
    const rows = sql
      .exec<{ seq: number; source: string | null }>(
        `SELECT seq, source FROM messages
           WHERE seq >= ? AND seq <= ? AND phone = ? AND state = 'queued' AND next_at IS NULL ORDER BY seq LIMIT ?`,
        from,
        to,
        phone,
        most,
      )
      .toArray();
    for (const { seq, source } of rows) {
      if (isInFlight(seq)) continue;
      turns.add({ seq, source, phone, isUrgent: false, place: seq });
      rest.read.push(seq);
    }
    const last = rows.length === most ? (rows.at(-1)?.seq ?? to) : to;
    rest.count = last >= passedTo ? 0 : Math.max(1, rest.count - rows.length);
    rest.from = last >= passedTo ? null : last + 1;
  }
}
