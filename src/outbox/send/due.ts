import { SLICE, type ReadDeps, type WaitingRow } from './fresh.ts';
import {
  isFull,
  isLow,
  isOpenFull,
  isOpenLow,
  numberOf,
  shareOf,
  type ShareKind,
  type Standing,
} from '../../lib/shares.ts';

/** Stands for all open sources. */
const OPEN = '';

/** Urgent messages of open sources go before their others: their places are lower. */
const BEFORE = 2 ** 50;

/** Higher than any message's number. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The position in the index `messages_due`: everything before (at, seq) was read. */
interface Position {
  readonly at: number;
  readonly seq: number;
}

interface DueRow extends WaitingRow {
  next_at: number;
  priority: number;
  forbidden: number;
}

/**
 * The messages of one standing with a `next_at` (retries, delayed and urgent ones). They are read once that time has
 * come.
 */
export class DueMessages {
  readonly #deps: ReadDeps;
  readonly #standing: Standing;
  readonly #kind: ShareKind;
  #position: Position = { at: 0, seq: 0 };
  /**
   * No message behind the position has an earlier `next_at` (ms; Infinity if there is none); null if it is still to be
   * read.
   */
  #from: number | null = null;
  /** Receivers that had reached their share, and the first `next_at` of their messages that were passed over (ms). */
  readonly #passedOver = new Map<string, number>();

  constructor(deps: ReadDeps, standing: Standing) {
    this.#deps = deps;
    this.#standing = standing;
    this.#kind = standing === 'urgent' ? 'urgent' : 'due';
  }

  /** A message now has this `next_at` (ms), which may be before the position. */
  dueAt(at: number): void {
    if (at <= this.#position.at) this.#position = { at, seq: 0 };
    if (this.#from !== null) this.#from = Math.min(this.#from, at);
  }

  /** Messages were changed or added in some other way. */
  changed(now: number): void {
    this.dueAt(now);
    this.#from = null;
  }

  /** The time from which there may be something to read (ms; Infinity if there is nothing, or no room for it). */
  get nextAt(): number {
    if (isFull(this.#kind, this.#deps.turns.load)) return Infinity;
    return this.#lowFrom() ?? this.#fromAt();
  }

  /** Returns the time from which the table has messages behind the position (ms). */
  #fromAt(): number {
    if (this.#from !== null) return this.#from;
    const { at, seq } = this.#position;
    const next = this.#deps.sql
      .exec<{ next_at: number }>(
        `SELECT next_at FROM messages WHERE next_at IS NOT NULL AND standing = ? AND (next_at, seq) > (?, ?)
           ORDER BY next_at, seq LIMIT 1`,
        numberOf(this.#standing),
        at,
        seq,
      )
      .toArray()[0];
    return (this.#from = next?.next_at ?? Infinity);
  }

  /** Reads the next slice. `behind`: the place of messages that go behind all others. */
  load(now: number, behind: number): void {
    const { sql, turns } = this.#deps;
    // The clock was ahead and was set back: messages that were postponed since then are before the position.
    if (this.#position.at > now) this.#readFrom(0);
    if (isFull(this.#kind, turns.load)) return;
    this.#readAgain();
    if (this.#fromAt() > now) return;
    const { at, seq } = this.#position;
    const rows = sql
      .exec<DueRow>(
        `SELECT seq, source, phone, next_at, priority, json_extract(attempts, '$[#-1].outcome') IS 'forbidden' AS forbidden
           FROM messages WHERE next_at IS NOT NULL AND standing = ? AND (next_at, seq) > (?, ?) AND next_at <= ?
           ORDER BY next_at, seq LIMIT ${SLICE}`,
        numberOf(this.#standing),
        at,
        seq,
        now,
      )
      .toArray();
    for (const row of rows) this.#add(row, behind);
    const last = rows.at(-1);
    this.#position =
      last !== undefined && rows.length === SLICE
        ? { at: last.next_at, seq: last.seq }
        : { at: now, seq: LAST };
    this.#from = null;
  }

  /** Reads passed-over rows again if few of them are in memory: rows that are there already are not added twice. */
  #readAgain(): void {
    const at = this.#lowFrom();
    if (at === null) return;
    this.#passedOver.clear();
    this.#readFrom(at);
  }

  /** Returns the time from which to read for receivers with few messages in memory (ms); null if there are none. */
  #lowFrom(): number | null {
    const { turns } = this.#deps;
    let first: number | null = null;
    let isAnyLow = false;
    for (const [key, at] of this.#passedOver) {
      first = Math.min(first ?? at, at);
      isAnyLow ||=
        key === OPEN
          ? isOpenLow(this.#kind, turns.open)
          : isLow(this.#kind, turns.countFor(key, this.#standing), turns.load);
    }
    return isAnyLow ? first : null;
  }

  #readFrom(at: number): void {
    this.#position = { at, seq: 0 };
    this.#from = null;
  }

  #add({ seq, source, phone, next_at: at, priority, forbidden }: DueRow, behind: number): void {
    const { turns, isInFlight } = this.#deps;
    if (isInFlight(seq) || turns.has(seq)) return;
    const standing = this.#standing;
    const isOpen = standing === 'open';
    const isMuch = turns.countFor(phone, standing) >= shareOf(this.#kind, turns.load);
    const key = isOpen && isOpenFull(this.#kind, turns.open) ? OPEN : isMuch ? phone : null;
    if (key !== null) {
      this.#passedOver.set(key, Math.min(this.#passedOver.get(key) ?? at, at));
      return;
    }
    // A 403 may be this message's own fault, so it goes behind all waiting messages.
    const place = forbidden === 1 ? Math.max(seq, behind) : isOpen && priority === 1 ? seq - BEFORE : seq;
    turns.add({ seq, source, phone, standing, place });
  }
}
