import { STANDINGS, standingIn, type Standing } from '../../lib/shares.ts';
import { DueMessages } from './due.ts';
import { FreshMessages } from './fresh.ts';
import { ReadyRows, type Ready } from './ready-rows.ts';
import { Turns } from './turns.ts';

/** The functions and data that a queue is created with. */
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
  readonly #ready: ReadyRows;
  readonly #fresh: FreshMessages;
  /** The messages with a `next_at`. */
  readonly #due: Readonly<Record<Standing, DueMessages>>;

  constructor({ sql, cursor, isInFlight }: QueueDeps) {
    const deps = { sql, turns: this.turns, isInFlight };
    this.#ready = new ReadyRows(sql);
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

  /** The highest number of a message; 0 if there is none. */
  get newest(): number {
    return this.#fresh.newest;
  }

  /** Messages were accepted, in the order of their numbers. */
  accepted(messages: readonly Ready[]): void {
    for (const ready of messages) {
      const { next_at: at } = ready.row;
      if (at !== null) this.dueAt(at, standingIn(ready.row));
      if (this.#fresh.accepted(ready.row, at === null)) this.#ready.add(ready);
    }
  }

  /** Rows were changed or added in some other way: everything known of them is read again. */
  changed(now: number): void {
    this.#ready.clear();
    this.#fresh.changed();
    for (const standing of STANDINGS) this.#due[standing].changed(now);
  }

  /** Returns the row of a message that was taken; null if it was cancelled, postponed or deleted since it was read. */
  takeRow(seq: number, now: number): Ready | null {
    return this.#ready.take(seq, now, (row) => row.next_at === null && this.turns.has(row.seq));
  }

  /** Reads the next slice of each kind. */
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
