import { documentsOf, rightOnes } from '../config/documents/check.ts';
import { firstOf } from '../config/documents/issues.ts';
import type { PersonDocument } from '../config/documents/recipients-schema.ts';
import type { ConfigSet } from '../config/documents/schema.ts';
import { isSuppressed, MAX_SUPPRESSIONS } from '../config/compiled/config.ts';
import { DAY, iso } from '../lib/time.ts';
import { parseOwnJson } from '../lib/json.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import type { Suppression } from './api-suppression.ts';
import type { ChangedPart, InForce } from './kv-copy.ts';
import { Tables } from './schema.ts';
import { insertRow } from '../lib/store.ts';

const OPT_INS_A_DAY = 2;

interface Row extends Record<string, SqlStorageValue> {
  n: number;
  phone: string;
  at: number;
  by: string;
  reason: string;
  message: string | null;
}

export class Suppressions extends Tables {
  readonly #inForce: InForce;

  constructor(sql: SqlStorage, inForce: InForce) {
    super(sql);
    this.#inForce = inForce;
  }

  /** Returns all receivers as one JSON text, one on each line; undefined if there are none. */
  json(): string | undefined {
    const lines = this.rows<{ phones: string }>('SELECT phones FROM suppressed');
    return lines.length === 0 ? undefined : JSON.stringify(lines.map(({ phones }) => phones).join('\n'));
  }

  /** Opts a receiver out, at once. Changes nothing if they already have opted out. Null if there are too many. */
  async add(suppression: Omit<Suppression, 'at'>, now: number): Promise<ChangedPart<Suppression> | null> {
    const known = this.find(suppression.phone);
    return known === null
      ? this.#inForce.change<Suppression>(() => this.#add(suppression, now))
      : { part: known, published: this.#inForce.json() };
  }

  #add({ phone, by, reason, message }: Omit<Suppression, 'at'>, now: number): Suppression | null {
    const { count } = this.sql.exec<{ count: number }>('SELECT total(count) AS count FROM suppressed').one();
    if (count >= MAX_SUPPRESSIONS) return null;
    insertRow(this.sql, 'suppressions', { phone, at: now, by, reason, message: message ?? null });
    return this.find(phone);
  }

  remove(phone: string): Promise<ChangedPart<Suppression> | null> {
    return this.#inForce.change<Suppression>(() => {
      const known = this.find(phone);
      this.sql.exec('DELETE FROM suppressions WHERE phone = ?', phone);
      return known;
    });
  }

  /**
   * If they have opted in by a link too often, returns the time from which they may again (ms). That also limits how
   * often they opt out, which is never refused: the last change of a day is an opt-out.
   */
  async optIn(phone: string, now: number): Promise<ChangedPart<Suppression> | number | null> {
    if (this.find(phone) === null) return null;
    return this.#noteOptIn(phone, now) ?? this.remove(phone);
  }

  #noteOptIn(phone: string, now: number): number | null {
    this.sql.exec('DELETE FROM opt_ins WHERE at <= ?', now - DAY);
    const times = this.rows<{ at: number }>('SELECT at FROM opt_ins WHERE phone = ? ORDER BY at', phone);
    const first = times.at(-OPT_INS_A_DAY);
    if (first !== undefined) return first.at + DAY;
    this.sql.exec('INSERT INTO opt_ins (phone, at) VALUES (?, ?)', phone, now);
    return null;
  }

  find(phone: string): Suppression | null {
    const [row] = this.rows<Row>('SELECT * FROM suppressions WHERE phone = ?', phone);
    return row === undefined ? null : shown(row);
  }

  /** Returns the newest first, and the number before which the next page begins; null if there is none. */
  list(limit: number, before: number | null) {
    const rows = this.rows<Row>(
      'SELECT * FROM suppressions WHERE n < ? ORDER BY n DESC LIMIT ?',
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    );
    const items = rows.slice(0, limit);
    return { items: items.map(shown), next: rows.length > limit ? (items.at(-1)?.n ?? null) : null };
  }
}

const shown = ({ phone, at, by, reason, message }: Row): Suppression => ({
  phone,
  at: iso(at),
  by,
  reason,
  ...(message !== null && { message }),
});

/** The maximum number of receivers of one list that are named: a list of customers may have many. */
const MAX_SHOWN = 3;

/** `json`: all receivers who have opted out, as the registry keeps them; undefined if nobody has. */
export function suppressedInLists(set: ConfigSet, json: string | undefined): readonly FieldError[] {
  if (json === undefined) return [];
  const by = { suppressions: parseOwnJson<string>(json) };
  return rightOnes(documentsOf(set).recipients).flatMap(([name, { numbers = [], people = {} }]) => {
    const path = `recipients.${name}`;
    const found = [
      ...numbers.map((phone, at) => ({ path: `${path}.numbers[${at}]`, receiver: phone })),
      ...Object.entries(people).flatMap(([who, person]) =>
        receiversOf(person).map((receiver) => ({ path: `${path}.people.${who}`, receiver })),
      ),
    ].filter(({ receiver }) => isSuppressed(by, receiver));
    const errors = found.map(({ receiver, ...at }) => fieldError(at.path, 'opted-out', said(receiver)));
    return firstOf(path, errors, MAX_SHOWN, 'who have opted out');
  });
}

const receiversOf = (person: PersonDocument): readonly string[] =>
  typeof person === 'string'
    ? [person]
    : [...(person.phone === undefined ? [] : [person.phone]), ...Object.values(person.address ?? {})];

const said = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;
