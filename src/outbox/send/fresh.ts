import { PassedOver } from './passed-over.ts';
import { isFull, standingIn } from '../../lib/shares.ts';
import type { Turns } from './turns.ts';

/** The number of rows that are read at once: this takes a few milliseconds, so that other calls hardly wait. */
export const SLICE = 2_000;

/** The maximum number of slices that one step reads, while everything in them is passed over. */
const SLICES_AT_ONCE = 8;

/** The columns of a message that the choice of the next one depends on. */
export interface WaitingRow extends Record<string, SqlStorageValue> {
  seq: number;
  source: string | null;
  phone: string | null;
  standing: number;
}

/** The functions that read messages into memory. */
export interface ReadDeps {
  readonly sql: SqlStorage;
  readonly turns: Turns;
  readonly isInFlight: (seq: number) => boolean;
}

/** The messages that wait only for their turn. They are read by their numbers. */
export class FreshMessages {
  readonly #deps: ReadDeps;
  readonly #passedOver: PassedOver;
  /** All messages up to this number were read, or passed over. */
  #readTo: number;
  /** The highest number of a message; null if it is still to be read. */
  #newest: number | null = null;
  #cursor: number;

  /** `cursor`: no message up to this number waits. */
  constructor(deps: ReadDeps, cursor: number) {
    this.#deps = deps;
    this.#passedOver = new PassedOver(deps);
    this.#readTo = cursor;
    this.#cursor = cursor;
  }

  /** No message up to this number waits. It only grows, so each number is examined once. */
  get cursor(): number {
    const end = Math.min(this.#readTo, this.#passedOver.first - 1);
    while (this.#cursor < end && !this.#deps.turns.has(this.#cursor + 1)) this.#cursor += 1;
    return this.#cursor;
  }

  /** The maximum number of waiting messages that are not in memory. */
  get others(): number {
    return Math.max(0, this.newest - this.#readTo) + this.#passedOver.count;
  }

  /** The highest number of a message; 0 if there is none. */
  get newest(): number {
    const { sql } = this.#deps;
    return (this.#newest ??=
      sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one().seq ?? 0);
  }

  /** A message was accepted; messages come in the order of their numbers. Returns true if it is fresh and in memory. */
  accepted({ seq, source, phone, standing }: WaitingRow, isFresh: boolean): boolean {
    if (this.#newest !== null) this.#newest = seq;
    if (this.#readTo !== seq - 1 || isFull('fresh', this.#deps.turns.load)) return false;
    this.#readTo = seq;
    return isFresh && this.#add({ seq, source, phone, standing });
  }

  /** Messages were added in some other way. */
  changed(): void {
    this.#newest = null;
  }

  /** True if something can be read now. */
  get isUnread(): boolean {
    return this.#passedOver.isLow || (!isFull('fresh', this.#deps.turns.load) && this.newest > this.#readTo);
  }

  /** Reads the next slice. */
  load(): void {
    this.#passedOver.load(this.#readTo);
    for (let slices = 0; slices < SLICES_AT_ONCE && !this.#loadSlice(); slices += 1);
  }

  /** Reads a slice. Returns true if there is enough for now. */
  #loadSlice(): boolean {
    const { sql, isInFlight, turns } = this.#deps;
    const { newest } = this;
    if (isFull('fresh', turns.load) || newest <= this.#readTo) return true;
    // A range of numbers, not a number of rows: behind a message that waits for long, thousands may have been sent.
    const to = this.#readTo + SLICE;
    const rows = sql
      .exec<WaitingRow>(
        `SELECT seq, source, phone, standing FROM messages
           WHERE seq > ? AND seq <= ? AND state = 'queued' AND next_at IS NULL ORDER BY seq`,
        this.#readTo,
        to,
      )
      .toArray();
    let added = 0;
    for (const row of rows) if (!isInFlight(row.seq) && this.#add(row)) added += 1;
    this.#readTo = to >= newest ? newest : rows.length > 0 ? to : this.#beforeNext(to);
    return added > 0 || rows.length === 0;
  }

  #add(row: WaitingRow): boolean {
    const { seq, source, phone } = row;
    const standing = standingIn(row);
    if (this.#passedOver.takes(seq, phone, standing)) return false;
    this.#deps.turns.add({ seq, source, phone, standing, place: seq });
    return true;
  }

  /** Returns the place before the next message: old messages are deleted, so numbers may have gaps of any length. */
  #beforeNext(seq: number): number {
    const { next } = this.#deps.sql
      .exec<{ next: number | null }>('SELECT min(seq) AS next FROM messages WHERE seq > ?', seq)
      .one();
    return next === null ? seq : next - 1;
  }
}
