import {
  isLow,
  isOpenFull,
  isOpenLow,
  numberOf,
  openShareOf,
  shareOf,
  type Standing,
} from '../../lib/shares.ts';
import type { Turns } from './turns.ts';

/**
 * The number of message numbers that are read at once for a receiver, and the number of receivers that one step
 * examines.
 */
const RANGE = 8_000;
const RECEIVERS_AT_ONCE = 4;

/** Stands for all open sources, which have a share together; before a receiver: for their messages to it. */
const OPEN = '\n';

/** The messages that are not in memory for a receiver, or for open sources, that have reached their share. */
interface Unloaded {
  /** The number from which its fresh messages are not read. */
  readonly from: number;
  /** The maximum number of these messages. */
  readonly count: number;
}

interface PassedOverDeps {
  readonly sql: SqlStorage;
  readonly turns: Turns;
  readonly isInFlight: (seq: number) => boolean;
}

/**
 * Fresh messages that are passed over because their receiver, or open sources together, have reached their share of the
 * memory: there may be any number of them. They are found by their numbers when fewer wait in memory, and keep their
 * order.
 */
export class PassedOver {
  readonly #deps: PassedOverDeps;
  readonly #rests = new Map<string, Unloaded>();

  constructor(deps: PassedOverDeps) {
    this.#deps = deps;
  }

  /** The maximum number of messages that are passed over. */
  get count(): number {
    let count = 0;
    for (const rest of this.#rests.values()) count += rest.count;
    return count;
  }

  /** The first number that is passed over; Infinity if there is none. */
  get first(): number {
    let first = Infinity;
    for (const { from } of this.#rests.values()) first = Math.min(first, from);
    return first;
  }

  /** Returns true if a fresh message is passed over. Must be called in the order of numbers. */
  takes(seq: number, phone: string | null, standing: Standing): boolean {
    const key = this.#keyFor(phone, standing);
    if (key === null) return false;
    const rest = this.#rests.get(key);
    this.#rests.set(key, { from: rest?.from ?? seq, count: (rest?.count ?? 0) + 1 });
    return true;
  }

  /** The share that is reached; null if none is. What comes after a message that is passed over is passed over as well. */
  #keyFor(phone: string | null, standing: Standing): string | null {
    const { turns } = this.#deps;
    const own = phone === null ? null : standing === 'open' ? OPEN + phone : phone;
    if (own !== null && (this.#rests.has(own) || this.#leftFor(own) <= 0)) return own;
    return standing === 'open' && (this.#rests.has(OPEN) || isOpenFull('fresh', turns.open)) ? OPEN : null;
  }

  /** The number of messages that may be added for a key. */
  #leftFor(key: string): number {
    const { turns } = this.#deps;
    if (key === OPEN) return RANGE / 4;
    return key.startsWith(OPEN)
      ? openShareOf(turns.open) - turns.countFor(key.slice(OPEN.length), 'open')
      : shareOf('fresh', turns.load) - turns.countFor(key, 'signed');
  }

  /** True if something can be read now. */
  get isLow(): boolean {
    for (const key of this.#rests.keys()) if (this.#isLow(key)) return true;
    return false;
  }

  /** Reads for receivers with few messages in memory. `to`: the highest number that was passed. */
  load(to: number): void {
    let reads = 0;
    for (const [key, rest] of this.#rests) {
      if (reads === RECEIVERS_AT_ONCE) return;
      if (!this.#isLow(key)) continue;
      reads += 1;
      const left = this.#read(key, rest, to);
      // The others come first the next time.
      this.#rests.delete(key);
      if (left !== null) this.#rests.set(key, left);
    }
  }

  #isLow(key: string): boolean {
    const { turns } = this.#deps;
    if (key === OPEN) return isOpenLow('fresh', turns.open);
    return key.startsWith(OPEN)
      ? turns.countFor(key.slice(OPEN.length), 'open') < openShareOf(turns.open) / 2
      : isLow('fresh', turns.countFor(key, 'signed'), turns.load);
  }

  /** Reads the next ones. Returns the rest; null if there is none. */
  #read(key: string, { from, count }: Unloaded, passedTo: number): Unloaded | null {
    const { sql, turns, isInFlight } = this.#deps;
    const to = Math.min(passedTo, from + RANGE);
    const isOpen = key.startsWith(OPEN);
    const standing = isOpen ? 'open' : 'signed';
    const most = Math.max(1, this.#leftFor(key));
    const rows = sql
      .exec<{ seq: number; source: string | null; phone: string | null }>(
        `SELECT seq, source, phone FROM messages
           WHERE seq >= ? AND seq <= ? AND standing = ? AND (phone = ? OR ?4 = '') AND state = 'queued'
             AND next_at IS NULL ORDER BY seq LIMIT ?`,
        from,
        to,
        numberOf(standing),
        isOpen ? key.slice(OPEN.length) : key,
        most,
      )
      .toArray();
    for (const { seq, source, phone } of rows) {
      // A receiver that has reached its own share gets these from its own rest, in order.
      if (key === OPEN && this.#keyFor(phone, 'open') !== OPEN && this.takes(seq, phone, 'open')) continue;
      if (!isInFlight(seq)) turns.add({ seq, source, phone, standing, place: seq });
    }
    const last = rows.length === most ? (rows.at(-1)?.seq ?? to) : to;
    return last >= passedTo ? null : { from: last + 1, count: Math.max(1, count - rows.length) };
  }
}
