import { MINUTE } from '../lib/duration.ts';

/** Of sessions and codes together, for each of the three roles: who signs in without end ends only their own kind. */
const MAX_PER_ROLE = 66;

/** How exactly it is known when a session was last seen. */
const SEEN_EACH_MS = MINUTE;

/** A session, or a one-time code that opens one. Times in ms. */
export interface NewSession {
  readonly id: string;
  readonly role: string;
  readonly actor: string;
  readonly created_at: number;
  readonly expires_at: number;
  /** What the browser calls itself; null: it says nothing. */
  readonly client: string | null;
  /** Of a code: when the session that it opens ends. Null: it is a session. */
  readonly opens_until: number | null;
  /** Of a code: the session that made it, with which it ends. */
  readonly made_by: string | null;
}

/** A session as it is listed. */
export interface StoredSession extends NewSession {
  readonly seen_at: number;
}

/**
 * Sessions of browsers and the codes that open them. A row is no secret: the cookie and the code are signed, and the
 * row only says that they still count.
 */
export class Sessions {
  readonly #sql: SqlStorage;
  readonly #onEnd: (id: string) => void;

  /** `onEnd`: is told of each that ends, or has ended. */
  constructor(sql: SqlStorage, onEnd: (id: string) => void) {
    this.#sql = sql;
    this.#onEnd = onEnd;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, role TEXT NOT NULL, actor TEXT NOT NULL, client TEXT,
         created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
         opens_until INTEGER, made_by TEXT) WITHOUT ROWID`,
    );
  }

  /** Adds a session or a code, and removes what has expired, and the role's oldest if there are too many. */
  add({ id, role, actor, client, created_at, expires_at, opens_until, made_by }: NewSession): void {
    this.#end('expires_at <= ?', created_at);
    this.#end(
      'id IN (SELECT id FROM sessions WHERE role = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)',
      role,
      MAX_PER_ROLE - 1,
    );
    this.#sql.exec(
      'INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      role,
      actor,
      client,
      created_at,
      expires_at,
      created_at,
      opens_until,
      made_by,
    );
  }

  /** Uses up a code. When its session ends; null: it was used, or is too old. */
  redeem(code: string, now: number): number | null {
    const [row] = this.#sql
      .exec<{ opens_until: number }>(
        'DELETE FROM sessions WHERE id = ? AND expires_at > ? AND opens_until > ? RETURNING opens_until',
        code,
        now,
        now,
      )
      .toArray();
    return row?.opens_until ?? null;
  }

  /** Whether there is this session now; notes that it was seen. */
  has(id: string, now: number): boolean {
    const [row] = this.#sql
      .exec<{ seen_at: number }>(`SELECT seen_at FROM sessions WHERE id = ? AND ${IS_OPEN}`, id, now)
      .toArray();
    if (row !== undefined && now - row.seen_at >= SEEN_EACH_MS)
      this.#sql.exec('UPDATE sessions SET seen_at = ? WHERE id = ?', now, id);
    return row !== undefined;
  }

  /** The newest first. */
  list(now: number): readonly StoredSession[] {
    return this.#sql
      .exec<Row>(`SELECT * FROM sessions WHERE ${IS_OPEN} ORDER BY created_at DESC`, now)
      .toArray();
  }

  /** Ends a session, and the codes that it made. False: there is none of this id. */
  end(id: string): boolean {
    return this.#end('(id = ? AND opens_until IS NULL) OR made_by = ?', id, id) > 0;
  }

  #end(which: string, ...values: readonly SqlStorageValue[]): number {
    const ended = this.#sql
      .exec<{ id: string }>(`DELETE FROM sessions WHERE ${which} RETURNING id`, ...values)
      .toArray();
    for (const { id } of ended) this.#onEnd(id);
    return ended.length;
  }
}

interface Row extends StoredSession, Record<string, SqlStorageValue> {}

const IS_OPEN = 'expires_at > ? AND opens_until IS NULL';
