import { ReadyRows, type Ready } from './ready-rows.ts';
import { DUE_SQL } from '../state/states.ts';
import type { MessageRow } from '../state/message.ts';
import { Turns } from './turns.ts';

/** How many messages wait in memory at most, about 250 bytes each. Sources and receivers take turns among these. */
const MAX_WAITING = 50_000;

/** How many rows are read at once: this takes a few milliseconds, so that other calls hardly wait. */
const SLICE = 2_000;

/** How many rows are read together, and of what length: a backlog is sent about in the order of its numbers. */
const AHEAD = 32;
const MAX_AHEAD_CHARACTERS = 16_384;

/** Higher than any message's number. */
const LAST = Number.MAX_SAFE_INTEGER;

interface WaitingRow extends Record<string, SqlStorageValue> {
  seq: number;
  source: string | null;
  phone: string | null;
}

/** How far the index `messages_due` was read: everything before (at, seq). */
interface DuePosition {
  readonly at: number;
  readonly seq: number;
}

/** What a queue is made with. */
interface QueueDeps {
  readonly sql: SqlStorage;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  readonly isInFlight: (seq: number) => boolean;
}

/**
 * The messages that wait, oldest first. What this object has just accepted comes with its row. The rest is read from
 * the table in slices: fresh ones by their numbers, those with a `next_at` (retries, delayed and urgent ones) once it
 * has come. These may have changed since they were read, so a claim reads each row again. Nothing is asked of the table
 * while nothing new can be there.
 */
export class Queue {
  readonly turns = new Turns();
  readonly #deps: QueueDeps;
  readonly #ready = new ReadyRows();
  /** All fresh messages up to this number were read. */
  #readTo: number;
  /** The highest number of a message; null: to be read. */
  #newest: number | null = null;
  /** Numbers of fresh messages that were read, in order; those before `#freshAt` do not wait any more. */
  #fresh: number[] = [];
  #freshAt = 0;
  /** By priority. */
  readonly #due: [DuePosition, DuePosition] = [
    { at: 0, seq: 0 },
    { at: 0, seq: 0 },
  ];
  /** By priority: no message behind the position has an earlier `next_at` (ms; Infinity: there is none); null: to be read. */
  readonly #dueFrom: [number | null, number | null] = [null, null];

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#readTo = deps.cursor;
  }

  /** No fresh message up to this number waits. */
  get cursor(): number {
    this.#skipGone();
    const first = this.#fresh[this.#freshAt];
    return first === undefined ? this.#readTo : first - 1;
  }

  /**
   * How many messages wait at most, without those that are not due yet: those that were read, and all higher numbers.
   */
  get atMost(): number {
    return this.turns.size + Math.max(0, this.newest - this.#readTo);
  }

  /** Messages were accepted, in the order of their numbers. */
  accepted(messages: readonly Ready[]): void {
    for (const ready of messages) {
      const { seq, next_at: at, priority, source, phone } = ready.row;
      if (this.#newest !== null) this.#newest = seq;
      if (at !== null) this.dueAt(at, priority === 1 ? 1 : 0);
      if (this.#readTo !== seq - 1 || this.turns.size >= MAX_WAITING) continue;
      this.#readTo = seq;
      if (at !== null) continue;
      this.turns.add({ seq, source, phone, isUrgent: false, place: seq });
      this.#fresh.push(seq);
      this.#ready.add(ready);
    }
  }

  /** Rows were changed or added in some other way: what is known of them is read again. */
  changed(now: number): void {
    this.#ready.clear();
    this.#newest = null;
    for (const priority of [0, 1] as const) {
      this.dueAt(now, priority);
      this.#dueFrom[priority] = null;
    }
  }

  /** The row of a message that was taken; null: it was cancelled, postponed or deleted since it was read. */
  takeRow(seq: number, now: number): Ready | null {
    const ready = this.#ready.take(seq);
    if (ready !== null) return ready;
    const read = readAhead(this.#deps.sql, seq, now);
    for (const one of read) {
      const isFresh = one.row.next_at === null && this.turns.has(one.row.seq);
      if (isFresh) this.#ready.add(one);
    }
    return read.find(({ row }) => row.seq === seq) ?? null;
  }

  /** Reads the next slice of each kind. */
  load(now: number): void {
    this.turns.reopen(now);
    this.#loadFresh();
    for (const priority of [1, 0] as const) this.#loadDue(priority, now);
  }

  /** A message now has this `next_at` (ms), which may be before what was read already. */
  dueAt(at: number, priority: 0 | 1): void {
    if (at <= this.#due[priority].at) this.#due[priority] = { at, seq: 0 };
    const from = this.#dueFrom[priority];
    if (from !== null) this.#dueFrom[priority] = Math.min(from, at);
  }

  /** When the next message may be due: `now`, a later moment (ms), or null for never. */
  nextAt(now: number): number | null {
    if (this.turns.isReady || this.#isUnread()) return now;
    const first = Math.min(this.turns.opensAt ?? Infinity, this.#dueFromAt(0), this.#dueFromAt(1));
    return Number.isFinite(first) ? Math.max(now, first) : null;
  }

  /** Whether another slice may have fresh messages. */
  #isUnread(): boolean {
    return this.turns.size < MAX_WAITING && this.newest > this.#readTo;
  }

  /** The highest number of a message; 0: there is none. */
  get newest(): number {
    const { sql } = this.#deps;
    return (this.#newest ??=
      sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one().seq ?? 0);
  }

  #loadFresh(): void {
    if (this.turns.size >= MAX_WAITING) return;
    const { sql, isInFlight } = this.#deps;
    const newest = this.newest;
    if (newest <= this.#readTo) return;
    // A range of numbers, not a number of rows: behind a message that waits long, thousands may have been sent.
    const to = this.#readTo + SLICE;
    const rows = sql
      .exec<WaitingRow>(
        `SELECT seq, source, phone FROM messages
           WHERE seq > ? AND seq <= ? AND state = 'queued' AND next_at IS NULL ORDER BY seq`,
        this.#readTo,
        to,
      )
      .toArray();
    for (const { seq, source, phone } of rows) {
      if (isInFlight(seq)) continue;
      this.turns.add({ seq, source, phone, isUrgent: false, place: seq });
      this.#fresh.push(seq);
    }
    this.#readTo = to >= newest ? newest : rows.length > 0 ? to : this.#beforeNext(to);
  }

  /** Skips a gap: old messages are deleted, so numbers may have gaps of any length. */
  #beforeNext(seq: number): number {
    const { next } = this.#deps.sql
      .exec<{ next: number | null }>('SELECT min(seq) AS next FROM messages WHERE seq > ?', seq)
      .one();
    return next === null ? seq : next - 1;
  }

  #loadDue(priority: 0 | 1, now: number): void {
    // The clock was ahead and was set back: messages that were postponed since then are before the position.
    if (this.#due[priority].at > now) {
      this.#due[priority] = { at: 0, seq: 0 };
      this.#dueFrom[priority] = null;
    }
    if (this.turns.size >= MAX_WAITING || this.#dueFromAt(priority) > now) return;
    const { at, seq } = this.#due[priority];
    const rows = this.#deps.sql
      .exec<WaitingRow & { next_at: number; forbidden: number }>(
        `SELECT seq, source, phone, next_at, json_extract(attempts, '$[#-1].outcome') IS 'forbidden' AS forbidden
           FROM messages WHERE next_at IS NOT NULL AND priority = ? AND (next_at, seq) > (?, ?) AND next_at <= ?
           ORDER BY next_at, seq LIMIT ${SLICE}`,
        priority,
        at,
        seq,
        now,
      )
      .toArray();
    for (const row of rows) this.#addDue(row, priority === 1);
    const last = rows.at(-1);
    this.#due[priority] =
      last !== undefined && rows.length === SLICE
        ? { at: last.next_at, seq: last.seq }
        : { at: now, seq: LAST };
    this.#dueFrom[priority] = null;
  }

  #addDue({ seq, source, phone, forbidden }: WaitingRow & { forbidden: number }, isUrgent: boolean): void {
    if (this.#deps.isInFlight(seq)) return;
    // A 403 may be this message's own fault, so it goes behind all that wait.
    this.turns.add({
      seq,
      source,
      phone,
      isUrgent,
      place: forbidden === 1 ? Math.max(seq, this.#readTo) : seq,
    });
  }

  /** From when on the table may have messages behind the position (ms). */
  #dueFromAt(priority: 0 | 1): number {
    const known = this.#dueFrom[priority];
    if (known !== null) return known;
    const { at, seq } = this.#due[priority];
    const next = this.#deps.sql
      .exec<{ next_at: number }>(
        `SELECT next_at FROM messages WHERE next_at IS NOT NULL AND priority = ? AND (next_at, seq) > (?, ?)
           ORDER BY next_at, seq LIMIT 1`,
        priority,
        at,
        seq,
      )
      .toArray()[0];
    return (this.#dueFrom[priority] = next?.next_at ?? Infinity);
  }

  /** Moves past fresh messages that do not wait any more. */
  #skipGone(): void {
    for (
      let seq = this.#fresh[this.#freshAt];
      seq !== undefined && !this.turns.has(seq);
      seq = this.#fresh[this.#freshAt]
    )
      this.#freshAt += 1;
    if (this.#freshAt < SLICE) return;
    this.#fresh = this.#fresh.slice(this.#freshAt);
    this.#freshAt = 0;
  }
}

/** The row of a waiting message, and those that are likely to be claimed after it. */
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
