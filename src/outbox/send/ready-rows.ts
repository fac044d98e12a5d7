import type { MessageRow } from '../state/message.ts';
import { DUE_SQL } from '../state/states.ts';

/** A message as its row has it. `receivedAt`: the time when its webhook came in, or when it was sent by hand (ms). */
export interface Ready {
  readonly row: MessageRow;
  readonly receivedAt: number;
}

/**
 * The number of rows that are read together, and the maximum length of one: a backlog is sent roughly in the order of
 * its numbers.
 */
const AHEAD = 32;
const MAX_AHEAD_CHARACTERS = 16_384;

/** The maximum number of rows that are kept, and of characters of their parameters: a few MB of an object's 128. */
const MAX_ROWS = 2_000;
const MAX_CHARACTERS = 2_000_000;

/**
 * The rows of messages that were just accepted, or read beside one that was claimed: they need not be read again. Rows
 * beyond the limits are read when they are claimed.
 */
export class ReadyRows {
  readonly #sql: SqlStorage;
  readonly #rows = new Map<number, Ready>();
  #characters = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(ready: Ready): void {
    const { row } = ready;
    if (this.#rows.size >= MAX_ROWS || this.#characters + row.params.length > MAX_CHARACTERS) return;
    this.#rows.set(row.seq, ready);
    this.#characters += row.params.length;
  }

  /**
   * Takes a message's row out; null if it was cancelled, postponed or deleted since. `isFresh`: returns true if a row
   * that is read with it may be kept.
   */
  take(seq: number, now: number, isFresh: (row: MessageRow) => boolean): Ready | null {
    const ready = this.#rows.get(seq);
    if (ready !== undefined) {
      this.#rows.delete(seq);
      this.#characters -= ready.row.params.length;
      return ready;
    }
    const read = readAhead(this.#sql, seq, now);
    for (const one of read) if (one.row.seq !== seq && isFresh(one.row)) this.add(one);
    return read.find(({ row }) => row.seq === seq) ?? null;
  }

  /** To be called if rows may have been changed by anything but a call's record. */
  clear(): void {
    this.#rows.clear();
    this.#characters = 0;
  }
}

/** Reads the row of a waiting message, and those that are likely to be claimed after it. */
const readAhead = (sql: SqlStorage, seq: number, now: number): readonly Ready[] =>
  sql
    .exec<MessageRow & { received_at: number | null }>(
      `SELECT *, (SELECT received_at FROM events WHERE id = event_id) AS received_at FROM messages WHERE seq >= ? AND seq < ? AND state IN ${DUE_SQL} AND (next_at IS NULL OR next_at <= ?)
         AND (seq = ? OR length(params) <= ${MAX_AHEAD_CHARACTERS})`,
      seq,
      seq + AHEAD,
      now,
      seq,
    )
    .toArray()
    .map(({ received_at: receivedAt, ...row }) => ({ row, receivedAt: receivedAt ?? row.created_at }));
