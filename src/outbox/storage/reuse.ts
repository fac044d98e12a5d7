import { MINUTE } from '../../lib/duration.ts';
import { eventIdFloor } from '../../lib/id.ts';
import { mayOverwrite } from '../state/schema.ts';
import { isWaiting, WAITING_SQL } from '../state/states.ts';
import {
  claimsOf,
  deleteClaims,
  eventsBetween,
  keepNumber,
  keptNumber,
  messagesBehind,
  openSql,
} from './retention.ts';

/** The number of rows that one look reads. */
const PAGE = 32;

/** The wait after a look that came to the end. Rows that expire in the meantime are overwritten after that. */
const AGAIN_MS = 5 * MINUTE;

/** The condition for overwriting a row: it may have changed since it was listed. */
export const EVENT_IS_FINISHED = `NOT ${openSql(WAITING_SQL)}`;
export const MESSAGE_IS_FINISHED = `state NOT IN ${WAITING_SQL} AND coalesce(json_extract(attempts, '$[#-1].at'), 0) < ?
  AND seq NOT IN (SELECT seq FROM handings)`;

/**
 * Returns expired rows of one table, oldest first. `read` returns the oldest page of them: it always continues where it
 * ended, since its rows are overwritten.
 */
function expired<Row>(
  read: (now: number) => readonly Row[],
  isFree: (row: Row) => boolean,
): (now: number) => Row | undefined {
  let free: Row[] = [];
  let againAt = 0;
  return (now) => {
    if (free.length === 0 && now >= againAt) {
      const rows = read(now);
      free = rows.filter(isFree);
      if (rows.length < PAGE || free.length === 0) againAt = now + AGAIN_MS;
    }
    return free.shift();
  };
}

/** Rows that have expired and may be overwritten: deleting a row costs as much as writing it. */
export class Reuse {
  readonly #sql: SqlStorage;
  readonly #mayOverwrite: boolean;
  /**
   * The value at the last sweep (ms). Kept in rows: an object that an event starts has not read its configuration yet.
   */
  #sweptAt: number;
  #retentionMs: number;
  readonly #events = expired(
    (now) => eventsBetween({ sql: this.#sql, now }, ['', eventIdFloor(this.#before(now))], WAITING_SQL, PAGE),
    (event) => event.is_open + event.is_claimed === 0,
  );
  readonly #messages = expired(
    (now) => messagesBehind(this.#sql, 0, this.#before(now), PAGE),
    ({ state }) => !isWaiting(state),
  );
  /** The keys of the event that {@link event} returned last. */
  #claims: string[] = [];

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#mayOverwrite = mayOverwrite(sql);
    this.#sweptAt = keptNumber(sql, 'swept_at');
    this.#retentionMs = keptNumber(sql, 'retention') || Infinity;
  }

  /** The time when the last complete sweep began (ms); 0 if there was none. */
  get sweptAt(): number {
    return this.#sweptAt;
  }

  /** Records that a sweep that began at `now` is complete. */
  swept(now: number, retentionMs: number): void {
    keepNumber(this.#sql, 'swept_at', now);
    this.#sweptAt = now;
    if (retentionMs !== this.#retentionMs) keepNumber(this.#sql, 'retention', retentionMs);
    this.#retentionMs = retentionMs;
  }

  /**
   * Returns an event to be overwritten by one that makes `count` claims. These claims overwrite its own; the rest is
   * deleted.
   */
  event(now: number, count: number): readonly [id: string] | undefined {
    const event = this.#mayOverwrite ? this.#events(now) : undefined;
    if (event === undefined) return undefined;
    this.#claims = claimsOf(event);
    deleteClaims(this.#sql, event.id, this.#claims.splice(count));
    return [event.id];
  }

  message(now: number): readonly [seq: number, before: number] | undefined {
    const message = this.#mayOverwrite ? this.#messages(now) : undefined;
    return message && [message.seq, this.#before(now)];
  }

  claim(now: number): readonly [key: string, now: number] | undefined {
    const key = this.#claims.pop();
    return key === undefined ? undefined : [key, now];
  }

  /** Returns the time before which a row must have been accepted, and last tried, to be overwritten (ms). */
  #before(now: number): number {
    return now - this.#retentionMs;
  }
}

/** The statement for a row, as an `INSERT` and as an `UPDATE` of an expired row. */
type Statements = readonly [insert: string, overwrite: string];

/** `isFree`: the condition for the row that is overwritten. All columns are given, so nothing is left of that row. */
export const statements = (
  [table, columns, values]: readonly [table: string, columns: string, values: string],
  isFree: string,
  [verb, onConflict, ofUpdate]: readonly [verb: string, onConflict: string, ofUpdate: string],
): Statements => [
  `${verb} INTO ${table} (${columns}) VALUES (${values}) ${onConflict}`,
  `UPDATE OR ${ofUpdate} ${table} SET (${columns}) = (${values}) WHERE ${isFree}`,
];

/** Writes a row: over an expired one if `old`, the values of its condition, is given and still matches it. */
export const write = (
  sql: SqlStorage,
  [insert, overwrite]: Statements,
  row: readonly SqlStorageValue[],
  old: readonly SqlStorageValue[] | undefined,
): boolean =>
  (old !== undefined && sql.exec(overwrite, ...row, ...old).rowsWritten > 0) ||
  sql.exec(insert, ...row).rowsWritten > 0;
