import { BY_HAND } from '../config/compiled/silences.ts';
import { DAY, iso } from '../lib/time.ts';
import { randomBase32, secureRandomBytes } from '../lib/id.ts';
import { parseOwnJson } from '../lib/json.ts';
import type { ChangedPart, InForce } from './kv-copy.ts';
import { Tables } from './schema.ts';
import { replaceRow, insertRow } from '../lib/store.ts';
import { documentsOf, rightOnes, type Documents } from '../config/documents/check.ts';
import { firstOf } from '../config/documents/issues.ts';
import type {
  ByHandDocument,
  PersonDocument,
  RecipientsDocument,
} from '../config/documents/alerting-schema.ts';
import type { ConfigSet } from '../config/documents/schema.ts';
import { isSuppressed, MAX_SUPPRESSIONS } from '../config/compiled/config.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import type { Suppression } from '../answers/api-registry.ts';
import { readFacts } from '../config/compiled/facts.ts';
import { listedOverride, type OverrideByHand, type Override } from '../config/compiled/rotation.ts';
import type { Versions } from './versions.ts';

// The overlay: what is in force beside the published set, and no publish changes.

/** The time for which one that has ended is kept: it is listed, and a handover from it may still be due. */
const KEPT_MS = 7 * DAY;

/** What people add beside the set until some time, the oldest first. */
abstract class ByHand<Entry extends { readonly id: string }, Others> extends Tables<Others> {
  protected abstract readonly table: 'silences' | 'overrides';

  protected after(time: number): Entry[] {
    const query = `SELECT entry FROM ${this.table} WHERE until > ? ORDER BY n`;
    return this.rows<{ entry: string }>(query, time).map(({ entry }) => parseOwnJson<Entry>(entry));
  }

  protected keep(entry: Entry, until: number): Entry {
    const row = { id: entry.id, until, entry: JSON.stringify(entry) };
    const update = 'ON CONFLICT (id) DO UPDATE SET until = excluded.until, entry = excluded.entry';
    insertRow(this.sql, this.table, row, update);
    return entry;
  }

  /** Of those that have ended, the newest stay: at most so many, or so much. */
  protected sweep(now: number, each: '1' | 'length(entry)', most: number): void {
    const held = `SELECT n, sum(${each}) OVER (ORDER BY n DESC) AS held FROM ${this.table} WHERE until <= ?1`;
    this.sql.exec(
      `DELETE FROM ${this.table} WHERE until <= ?2 OR n IN (SELECT n FROM (${held}) WHERE held > ${most})`,
      now,
      now - KEPT_MS,
    );
  }
}

/** Every webhook's isolate reads each of them. People add a few; a program that adds more has to end some. */
export const MAX_BY_HAND = 50;

/** The maximum of their JSON, and of that of those that ended (UTF-16 units). A message has up to 500 KB of keys. */
const MAX_LENGTH = 2_000_000;

export interface SilenceByHand {
  readonly id: string;
  readonly by: string;
  readonly created_at: string;
  readonly ended_at?: string;
  readonly document: ByHandDocument;
}

export class Silences extends ByHand<SilenceByHand, { readonly inForce: InForce }> {
  protected readonly table = 'silences';

  /** Returns those that have not ended, as documents by id in JSON; undefined if there are none. */
  json(now: number): string | undefined {
    const open = this.after(now).map(({ id, document }) => [id, document] as const);
    return open.length === 0 ? undefined : JSON.stringify(Object.fromEntries(open));
  }

  /** Null if there are too many. `id`: from a caller who may repeat the request; it prolongs the open silence with this id. */
  addSilence(
    document: ByHandDocument,
    by: string,
    now: number,
    id = BY_HAND + randomBase32(12, secureRandomBytes),
  ) {
    return this.others.inForce.change<SilenceByHand>(() => {
      this.sweep(now, 'length(entry)', MAX_LENGTH);
      const { until } = document;
      const open = this.after(now);
      const known = open.find((one) => one.id === id);
      // The first request may not have got its answer, and may be repeated long after.
      if (known !== undefined && Date.parse(until) <= Date.parse(known.document.until)) return known;
      const added = known
        ? { ...known, document: { ...known.document, until } }
        : { id, by, created_at: iso(now), document };
      const isTooMuch = open.length >= MAX_BY_HAND || JSON.stringify([...open, added]).length > MAX_LENGTH;
      if (known === undefined && isTooMuch) return null;
      // One that has ended comes again as the newest.
      if (known === undefined) this.sql.exec('DELETE FROM silences WHERE id = ?', id);
      return this.keep(added, Date.parse(until));
    });
  }

  /** Ends a silence. `over`: it had ended before; null if there is none with that id. */
  endSilence(id: string, now: number) {
    return this.others.inForce.change<SilenceByHand, 'over' | null>(() => {
      const open = this.findSilence(id, now);
      if (open !== null) return this.keep({ ...open, ended_at: iso(now) }, now);
      return this.findSilence(id, now - KEPT_MS) === null ? null : 'over';
    });
  }

  findSilence(id: string, now: number): SilenceByHand | null {
    return this.after(now).find((one) => one.id === id) ?? null;
  }

  /** Returns those that have not ended, and those that ended within a week. The newest first. */
  silences(now: number): readonly SilenceByHand[] {
    return this.after(now - KEPT_MS).toReversed();
  }
}

const OPT_INS_A_DAY = 2;

type Row = Record<'n' | 'at', number> &
  Record<'phone' | 'by' | 'reason', string> & { message: string | null };

export class Suppressions extends Tables<{ readonly inForce: InForce }> {
  /** Returns all receivers as one JSON text, one on each line; undefined if there are none. */
  json(): string | undefined {
    const lines = this.rows<{ phones: string }>('SELECT phones FROM suppressed');
    return lines.length === 0 ? undefined : JSON.stringify(lines.map(({ phones }) => phones).join('\n'));
  }

  /** Opts a receiver out, at once. Changes nothing if they already have opted out. Null if there are too many. */
  async suppress(
    suppression: Omit<Suppression, 'at'>,
    now: number,
  ): Promise<ChangedPart<Suppression> | null> {
    const { phone, by, reason, message = null } = suppression;
    const { inForce } = this.others;
    const known = this.findSuppression(phone);
    if (known !== null) return { part: known, published: inForce.json() };
    return inForce.change<Suppression>(() => {
      const { count } = this.sql
        .exec<{ count: number }>('SELECT total(count) AS count FROM suppressed')
        .one();
      if (count >= MAX_SUPPRESSIONS) return null;
      insertRow(this.sql, 'suppressions', { phone, at: now, by, reason, message });
      return this.findSuppression(phone);
    });
  }

  unsuppress(phone: string): Promise<ChangedPart<Suppression> | null> {
    return this.others.inForce.change<Suppression>(() => {
      const known = this.findSuppression(phone);
      this.sql.exec('DELETE FROM suppressions WHERE phone = ?', phone);
      return known;
    });
  }

  /**
   * If they have opted in by a link too often, returns the time from which they may again (ms). That also limits how
   * often they opt out, which is never refused: the last change of a day is an opt-out.
   */
  async optIn(phone: string, now: number): Promise<ChangedPart<Suppression> | number | null> {
    if (this.findSuppression(phone) === null) return null;
    this.sql.exec('DELETE FROM opt_ins WHERE at <= ?', now - DAY);
    const times = this.rows<{ at: number }>('SELECT at FROM opt_ins WHERE phone = ? ORDER BY at', phone);
    const first = times.at(-OPT_INS_A_DAY);
    if (first !== undefined) return first.at + DAY;
    insertRow(this.sql, 'opt_ins', { phone, at: now });
    return this.unsuppress(phone);
  }

  findSuppression(phone: string): Suppression | null {
    const row = this.row<Row>('SELECT * FROM suppressions WHERE phone = ?', phone);
    return row === undefined ? null : shown(row);
  }

  /** Returns the newest first, and the number before which the next page begins; null if there is none. */
  suppressions(limit: number, before: number | null) {
    const rows = this.rows<Row>(
      'SELECT * FROM suppressions WHERE n < ? ORDER BY n DESC LIMIT ?',
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    );
    const items = rows.slice(0, limit);
    return { items: items.map(shown), next: rows.length > limit ? (items.at(-1)?.n ?? null) : null };
  }
}

const shown = ({ n: _n, message, ...row }: Row): Suppression => ({
  ...row,
  at: iso(row.at),
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
  typeof person === 'string' ? [person] : [person.phone ?? [], ...Object.values(person.address ?? {})].flat();

const said = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;

export const OVERRIDE = 'ovr_';

/** Every webhook's isolate reads each of them. Of those that have ended, the newest are kept. */
export const MAX_OVERRIDES_BY_HAND = 100;

export interface NewOverride extends Override {
  readonly list: string;
}

interface BesideOverrides {
  readonly env: Env;
  readonly versions: Versions;
  readonly inForce: InForce;
}

export class Overrides extends ByHand<OverrideByHand, BesideOverrides> {
  protected readonly table = 'overrides';

  json(now: number): string | undefined {
    const all = this.list(now).map(listedOverride);
    return all.length === 0 ? undefined : JSON.stringify(all);
  }

  /** Null if the list does not have the person any more. `full`: there are too many. */
  async addOverride(override: NewOverride, by: string, now: number) {
    const { env, versions, inForce } = this.others;
    await readFacts(env, now);
    return inForce.change<OverrideByHand, 'full' | null>(() => {
      if (!hasTurns(documentsOf(versions.inForce()).recipients, override)) return null;
      this.sweep(now, '1', MAX_OVERRIDES_BY_HAND);
      const { list, person, from, to } = override;
      const open = this.after(now);
      const last = open.findLast((one) => one.list === list);
      const [since, until] = [iso(from), iso(to)];
      const hasBegun = from <= now && last !== undefined && Date.parse(last.since) <= now;
      // The request may be repeated.
      if (last?.person === person && last.until === until && (last.since === since || hasBegun)) return last;
      if (open.length >= MAX_OVERRIDES_BY_HAND) return 'full';
      const id = OVERRIDE + randomBase32(12, secureRandomBytes);
      return this.keep({ id, list, person, since, until, by, created_at: iso(now) }, to);
    });
  }

  endOverride(id: string, now: number): Promise<ChangedPart<OverrideByHand> | null> {
    return this.others.inForce.change<OverrideByHand>(() => {
      const known = this.after(now).find((one) => one.id === id);
      return known === undefined ? null : this.keep({ ...known, ended_at: iso(now) }, now);
    });
  }

  /** Returns those whose person is not in their list any more, or whose list has no rotation. */
  gone(recipients: Documents<RecipientsDocument>, now: number): readonly OverrideByHand[] {
    return this.after(now).filter((one) => !hasTurns(recipients, one));
  }

  /** Ends them: a person with the same name later may be another one. */
  endGone(gone: readonly OverrideByHand[], now: number): void {
    for (const one of gone) this.keep({ ...one, is_gone: true, ended_at: iso(now) }, now);
  }

  list(now: number): OverrideByHand[] {
    return this.after(now - KEPT_MS);
  }
}

/** True if a person of the list may be on call. */
function hasTurns(
  recipients: Documents<RecipientsDocument>,
  { list, person }: Pick<NewOverride, 'list' | 'person'>,
): boolean {
  const { people = {}, rotation } = recipients.get(list) ?? {};
  return rotation !== undefined && Object.hasOwn(people, person);
}

export const goneWarning = ({ list, person, until }: OverrideByHand): FieldError =>
  fieldError(
    `recipients.${list}`,
    'override-ends',
    `ends the override by hand of \`${person}\` until ${until}: the list has no such person with turns any more`,
    { person, until },
  );

/** The number of base-32 digits of a code: 120 bits. */
const CODE_DIGITS = 24;

export class Calendars extends Tables {
  /** Null if nobody has asked for the link. */
  calendarCode(list: string): string | null {
    return this.row<{ code: string }>('SELECT code FROM calendars WHERE list = ?', list)?.code ?? null;
  }

  /** Returns the code, which is made when it is first asked for. `isNew`: in place of the one that is known. */
  makeCalendar(list: string, isNew: boolean): string {
    const known = isNew ? null : this.calendarCode(list);
    if (known !== null) return known;
    const code = randomBase32(CODE_DIGITS, secureRandomBytes);
    replaceRow(this.sql, 'calendars', { list, code });
    return code;
  }
}
