import { STANDINGS, standingIn, type Standing } from '../../lib/shares.ts';
import type { MessageRow } from '../state/message.ts';
import { DUE_SQL } from '../state/states.ts';
import { DueMessages, FreshMessages } from './refill.ts';
import { Turns } from './turns.ts';

/** A message as its row has it. `receivedAt`: the time when its webhook came in, or when it was sent by hand (ms). */
export interface Ready {
  readonly row: MessageRow;
  readonly receivedAt: number;
}

/** Rows that are read together, of at most this length: a backlog is sent roughly in order. */
const AHEAD = 32;
const MAX_AHEAD_CHARACTERS = 16_384;

/** The maximum number of rows that are kept, and of characters of their parameters: a few MB of an object's 128. */
const MAX_ROWS = 2_000;
const MAX_CHARACTERS = 2_000_000;

interface QueueDeps {
  readonly sql: SqlStorage;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  readonly isInFlight: (seq: number) => boolean;
}

/**
 * The messages that wait, oldest first. A message that this object has just accepted comes with its row. The rest is
 * read from the table in slices: fresh ones by their numbers, those with a `next_at` (retries, delayed and urgent ones)
 * once that time has come. If many wait for one receiver, only a share of them is in memory. A row may have changed
 * since it was read, so a claim reads it again. The table is not read while it can have nothing new.
 */
export class Queue {
  readonly turns = new Turns();
  readonly #sql: SqlStorage;
  /** The rows of fresh messages that need not be read again. Those beyond the limits are read when they are claimed. */
  readonly #rows = new Map<number, Ready>();
  #characters = 0;
  readonly #fresh: FreshMessages;
  readonly #due: Readonly<Record<Standing, DueMessages>>;

  constructor({ sql, cursor, isInFlight }: QueueDeps) {
    const deps = { sql, turns: this.turns, isInFlight };
    this.#sql = sql;
    this.#fresh = new FreshMessages(deps, cursor);
    const dueOf = (standing: Standing): DueMessages => new DueMessages(deps, standing);
    this.#due = { urgent: dueOf('urgent'), signed: dueOf('signed'), open: dueOf('open') };
  }

  /** No fresh message up to this number waits. */
  get cursor(): number {
    return this.#fresh.cursor;
  }

  /** The maximum number of waiting messages, without those that are not due yet. */
  get atMost(): number {
    return this.turns.size + this.#fresh.others;
  }

  get newest(): number {
    return this.#fresh.newest;
  }

  /** Messages were accepted, in the order of their numbers. */
  accepted(messages: readonly Ready[]): void {
    for (const ready of messages) {
      const { next_at: at } = ready.row;
      if (at !== null) this.dueAt(at, standingIn(ready.row));
      if (this.#fresh.accepted(ready.row, at === null)) this.#keep(ready);
    }
  }

  /** Rows were changed or added in some other way: everything known of them is read again. */
  changed(now: number): void {
    this.#rows.clear();
    this.#characters = 0;
    this.#fresh.changed();
    for (const standing of STANDINGS) this.#due[standing].changed(now);
  }

  /** Returns the row of a message that was taken; null if it was cancelled, postponed or deleted since it was read. */
  takeRow(seq: number, now: number): Ready | null {
    const ready = this.#rows.get(seq);
    if (ready !== undefined) {
      this.#rows.delete(seq);
      this.#characters -= ready.row.params.length;
      return ready;
    }
    const read = readAhead(this.#sql, seq, now);
    for (const one of read) if (one.row.next_at === null && this.turns.has(one.row.seq)) this.#keep(one);
    return read.find(({ row }) => row.seq === seq) ?? null;
  }

  #keep(ready: Ready): void {
    const { params, seq } = ready.row;
    if (this.#rows.size >= MAX_ROWS || this.#characters + params.length > MAX_CHARACTERS) return;
    this.#rows.set(seq, ready);
    this.#characters += params.length;
  }

  load(now: number): void {
    this.turns.reopen(now);
    this.#fresh.load();
    const { urgent, signed, open } = this.#due;
    for (const due of [urgent, signed, open]) due.load(now, this.newest);
  }

  /** A message now has this `next_at` (ms), which may be before times that were read already. */
  dueAt(at: number, standing: Standing): void {
    this.#due[standing].dueAt(at);
  }

  /**
   * Returns the time when the next message may go: `now`, a later time (ms), or null for never. `opensAt` returns the
   * time when the pace and the circuit allow a message of a standing.
   */
  nextAt(now: number, opensAt: (standing: Standing) => number = () => now): number | null {
    const ready = this.turns.ready.map(opensAt);
    const due = STANDINGS.map((standing) => Math.max(this.#due[standing].nextAt, opensAt(standing)));
    // No fresh message is urgent. Those of a full receiver may be.
    const fresh = this.#fresh.isUnread ? opensAt('signed') : Infinity;
    const full = Math.max(this.turns.opensAt ?? Infinity, opensAt('urgent'));
    const first = Math.min(...ready, ...due, fresh, full);
    return Number.isFinite(first) ? Math.max(now, first) : null;
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
