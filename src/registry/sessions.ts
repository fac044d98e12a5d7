import { MINUTE } from '../lib/time.ts';
import { type SqlRow, Tables } from './schema.ts';
import { insertRow, isAny } from '../lib/store.ts';

/** For each of the three roles: anyone who signs in again and again ends only sessions of their own role. */
const MAX_PER_ROLE = 66;

/** The precision of the time at which a session was last seen. */
const SEEN_EACH_MS = MINUTE;

/** A session, or a one-time code that opens one. Times in ms. */
export interface NewSession {
  readonly id: string;
  readonly role: 'viewer' | 'operator' | 'editor';
  readonly actor: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly client: string | null;
  /** For a code: the end of the session that it opens. Null for a session. */
  readonly opens_until: number | null;
  /** The session that made the code, or handed this session over by one; this one ends with it. Null if a token did. */
  readonly made_by: string | null;
  /** The person who invited the session's person, by a code that is an invitation; null if they have a token. */
  readonly invited_by: string | null;
}

export interface StoredSession extends NewSession {
  readonly seen_at: number;
}

/** A row is not a secret: the cookie and the code are signed, and the row only shows that they are still valid. */
export class Sessions extends Tables {
  /** Removes expired ones, and the role's oldest if there are too many. False if the session that makes it has ended. */
  addSession(session: NewSession): boolean {
    const { role, created_at, made_by } = session;
    this.#end('expires_at <= ?', created_at);
    this.#end(
      'id IN (SELECT id FROM sessions WHERE role = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)',
      role,
      MAX_PER_ROLE - 1,
    );
    const maker = `SELECT id FROM sessions WHERE id = ? AND ${IS_OPEN}`;
    if (made_by !== null && !isAny(this.sql, maker, made_by, created_at)) return false;
    insertRow(this.sql, 'sessions', { ...session, seen_at: created_at });
    return true;
  }

  /** Returns the person whom a code signs in; null if the code does not exist now. The code stays usable. */
  findCode(id: string, now: number): Pick<NewSession, 'actor'> | null {
    return this.row<{ actor: string }>(`SELECT actor FROM sessions WHERE ${IS_CODE}`, id, now) ?? null;
  }

  /**
   * Null if the code was used, or is too old. One step: if the code's maker ends their session, none that came from it
   * is missed.
   */
  redeemCode(code: string, { id, client }: Pick<NewSession, 'id' | 'client'>, now: number): number | null {
    const query = `DELETE FROM sessions WHERE ${IS_CODE} RETURNING *`;
    const row = this.row<SessionRow & { opens_until: number }>(query, code, now);
    if (row === undefined) return null;
    const { opens_until: expires_at } = row;
    const isAdded = this.addSession({ ...row, id, client, created_at: now, expires_at, opens_until: null });
    return isAdded ? expires_at : null;
  }

  /** Returns the person of a session; null if it does not exist now. Notes that it was seen. */
  findSession(id: string, now: number): Pick<NewSession, 'actor'> | null {
    const query = `SELECT seen_at, actor FROM sessions WHERE id = ? AND ${IS_OPEN}`;
    const row = this.row<{ seen_at: number; actor: string }>(query, id, now);
    if (row === undefined) return null;
    if (now - row.seen_at >= SEEN_EACH_MS)
      this.sql.exec('UPDATE sessions SET seen_at = ? WHERE id = ?', now, id);
    return { actor: row.actor };
  }

  /** Returns sessions, and the invitations that nobody has used, newest first. */
  sessions(now: number): readonly StoredSession[] {
    const query = `SELECT * FROM sessions WHERE ${IS_LISTED} ORDER BY created_at DESC`;
    return this.rows<SessionRow>(query, now);
  }

  /** Ends a session and all that it handed over, or an invitation. False if there is none with this id. */
  endSession(id: string): boolean {
    return this.#end(`id = ? AND ${IS_OWN}`, id) > 0;
  }

  /** Also ends the sessions that those handed over, and so on. */
  #end(which: string, ...values: readonly SqlStorageValue[]): number {
    return this.rows(
      `WITH RECURSIVE ended (id) AS (
           SELECT id FROM sessions WHERE ${which}
           UNION SELECT sessions.id FROM sessions JOIN ended ON sessions.made_by = ended.id
         ) DELETE FROM sessions WHERE id IN ended RETURNING id`,
      ...values,
    ).length;
  }
}

interface SessionRow extends StoredSession, SqlRow {}

const IS_CODE = 'id = ? AND min(expires_at, opens_until) > ?';
const IS_OPEN = 'expires_at > ? AND opens_until IS NULL';

/** The condition for anything but a code by which somebody hands over their own session. */
const IS_OWN = '(opens_until IS NULL OR invited_by IS NOT NULL)';
const IS_LISTED = `expires_at > ? AND ${IS_OWN}`;
