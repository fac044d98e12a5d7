import { DAY, HOUR, iso } from '../lib/time.ts';
import { parseOwnJson } from '../lib/json.ts';
import { holdsNumber } from '../lib/numbers.ts';
import { STRAYS } from '../lib/shares.ts';
import { Counts, type Totals } from '../counts/counts.ts';
import { newSeries, Series, type KeptSeries } from '../counts/series.ts';
import type { RejectionEntry, SpamKind } from '../answers/api-registry.ts';
import { type SqlRow, Tables } from './schema.ts';
import { replaceRow, insertRow } from '../lib/store.ts';

export const SPAM_KEPT_MS = 14 * DAY;

export const SPAM_OF_SOURCE = { rows: 2_000, bytes: 4_194_304 } as const;
const SPAM_OF_ALL = { rows: 20_000, bytes: 67_108_864 } as const;

/** The maximum number of forms that a search reads. */
const MAX_FOUND_IN = 2_000;

/** The reason why a form is taken for spam. `detail`: for people, without anything that was written into the form. */
export interface Spam {
  readonly kind: SpamKind;
  readonly detail: string;
}

/** The data to make an event of a form with, once a person decides that it is not spam. */
export interface KeptForm {
  readonly type: string | null;
  readonly receivedAt: number;
  readonly dedupeKey: string | null;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export type SpamEntry = RejectionEntry & { readonly spam: SpamKind };

export interface NewSpam {
  readonly entry: SpamEntry;
  /** The id that its event would have. */
  readonly event: string;
  /** The digest of its fields and its source. The same form within `sameMs` is the same spam. */
  readonly digest: string;
  readonly sameMs: number;
  /** A {@link KeptForm} as JSON; null if its source keeps no payloads. */
  readonly form: string | null;
}

interface Row extends SqlRow {
  n: number;
  release_id: string | null;
  released_at: number | null;
  entry: string;
}

type WithForm = Row & { form: string | null };

const COLUMNS = 'n, release_id, released_at, entry';

/**
 * A wrong guess can be released. If there is too much, the oldest of the most frequent kind is deleted: a flood of one
 * kind pushes out little else.
 */
export class SpamBox extends Tables {
  /** Returns the id for the event of the same form from a moment ago; null if the form is new. */
  same({ digest, sameMs, entry: { at } }: NewSpam): string | null {
    if (sameMs === 0) return null;
    const query = 'SELECT event FROM spam WHERE digest = ? AND at > ? ORDER BY n DESC LIMIT 1';
    return this.row<{ event: string }>(query, digest, Date.parse(at) - sameMs)?.event ?? null;
  }

  add(n: number, { entry, event, digest, form }: NewSpam): void {
    const { source, spam: kind, at } = entry;
    const text = JSON.stringify(entry);
    const bytes = text.length + (form?.length ?? 0);
    const row = { n, source, kind, at: Date.parse(at), digest, event, bytes, entry: text, form };
    insertRow(this.sql, 'spam', row);
    this.#makeRoom(SPAM_OF_SOURCE, source);
    this.#makeRoom(SPAM_OF_ALL, null);
  }

  sweep(now: number): void {
    this.sql.exec('DELETE FROM spam WHERE at < ?', now - SPAM_KEPT_MS);
  }

  list(limit: number, before: number, source: string | null) {
    const query = `SELECT ${COLUMNS} FROM spam WHERE n < ? AND (?2 IS NULL OR source = ?2) ORDER BY n DESC LIMIT ?3`;
    return this.rows<Row>(query, before, source, limit).map(numbered);
  }

  find(end: string, limit: number): readonly NumberedRejection[] {
    const found: NumberedRejection[] = [];
    const query = `SELECT ${COLUMNS}, form FROM spam ORDER BY n DESC LIMIT ${MAX_FOUND_IN}`;
    for (const row of this.sql.exec<WithForm>(query)) {
      if (holdsNumber(row.form ?? '', end)) found.push(numbered(row));
      if (found.length === limit) break;
    }
    return found;
  }

  /** Returns a form as it was written, for people and for a release. `form`: a {@link KeptForm} as JSON. */
  readSpam(n: number): { readonly entry: RejectionEntry; readonly form: string | null } | null {
    const row = this.row<WithForm>(`SELECT ${COLUMNS}, form FROM spam WHERE n = ?`, n);
    return row === undefined ? null : { ...numbered(row), form: row.form };
  }

  /** The id of the event to make: `id`, or that of a release that was cut off. Null if the form is gone. */
  startRelease(n: number, id: string): string | null {
    const query = 'UPDATE spam SET release_id = coalesce(release_id, ?) WHERE n = ? RETURNING release_id';
    return this.row<{ release_id: string }>(query, id, n)?.release_id ?? null;
  }

  /** Records that its event is stored. False if it was stored before. */
  endRelease(n: number, now: number): boolean {
    const query = 'UPDATE spam SET released_at = ? WHERE n = ? AND released_at IS NULL RETURNING n';
    return this.rows(query, now, n).length > 0;
  }

  #makeRoom(most: Readonly<Record<'rows' | 'bytes', number>>, source: string | null): void {
    const held = 'FROM spam_held WHERE source = ifnull(?, source)';
    const query = `SELECT total(rows) > ${most.rows} AS rows, total(bytes) > ${most.bytes} AS bytes ${held}`;
    for (;;) {
      const { rows, bytes } = this.sql.exec<{ rows: number; bytes: number }>(query, source).one();
      if (rows + bytes === 0) return;
      const largest = `SELECT source, kind ${held} ORDER BY ${rows > 0 ? 'rows' : 'bytes'} DESC LIMIT 1`;
      const oldest = `SELECT min(n) FROM spam WHERE (source, kind) = (${largest})`;
      this.sql.exec(`DELETE FROM spam WHERE n = (${oldest})`, source);
    }
  }
}

const numbered = ({ n, entry, release_id: released, released_at: at }: Row): NumberedRejection => ({
  n,
  entry: { ...parseOwnJson<SpamEntry>(entry), ...(at !== null && released !== null && { released }) },
});

/** Webhooks of a source over its limit, as one isolate counted them. */
export interface LimitedEntry extends RejectionEntry {
  readonly times: number;
}

/** Rejections for the same code are one row for this time. What any visitor can cause is one for a day. */
const foldedMs = ({ field, near }: RejectionEntry) =>
  field === undefined && near === undefined ? HOUR : DAY;

export interface NumberedRejection {
  readonly n: number;
  readonly entry: RejectionEntry;
}

export interface RejectionFilter {
  readonly source?: string | undefined;
  /** True for spam only, false for everything else. */
  readonly isSpam?: boolean | undefined;
}

/** Without spam and unknown addresses; the oldest is overwritten. */
export const MAX_REJECTIONS = 200;

/** The slot with the sums of the newest spam, which is kept elsewhere. */
const SPAM_SLOT = MAX_REJECTIONS;

/** The slots of addresses that no source has: names like a source's, and others. */
const NEAR_SLOT = SPAM_SLOT + 1;
const FAR_SLOT = NEAR_SLOT + STRAYS.names;

/** The most pairs of source and code with their own counts: sources come and go, and a row has a limit. */
const MAX_SERIES = 1_000;

/** Used in place of a source or a code, since these cannot begin with `_`. */
export const OTHER = '_other';

const REJECTED = 'rejected';

/** The newest row has the sums of all there ever were, so they need no extra row. */
export class Rejections extends Tables {
  readonly spam: SpamBox;
  readonly #counts: Counts;
  readonly #series: Series;

  constructor(sql: SqlStorage) {
    super(sql);
    this.spam = new SpamBox(sql);
    const query = 'SELECT totals, series FROM rejections ORDER BY n DESC LIMIT 1';
    const newest = this.row<{ totals: string; series: string }>(query);
    const kept = parseOwnJson<KeptSeries | null>(newest?.series ?? 'null');
    this.#series = new Series(sql, kept ?? newSeries(0));
    this.#counts = new Counts(parseOwnJson<Totals>(newest?.totals ?? '{}'));
  }

  rejectionTotals(): Totals {
    return this.#counts.toJSON();
  }

  /** In steps, as {@link Series.read} returns them, and since when everything was counted. */
  rejectionSeries(source: string | undefined, from: number, to: number) {
    return { from: this.#series.from, points: this.#series.read(REJECTED, source, from, to) };
  }

  /** Adds to the row of earlier ones with the same code, if there is one. */
  recordRejection(entry: RejectionEntry, times = 1): void {
    this.#count(entry, times);
    const { source, code, status, at, field = null } = entry;
    const row = this.row<{ slot: number; entry: string }>(
      `SELECT slot, entry FROM rejections WHERE slot <> ${SPAM_SLOT} AND entry ->> '$.source' = ? AND entry ->> '$.code' = ?
           AND entry ->> '$.status' = ? AND entry ->> '$.field' IS ? ORDER BY n DESC LIMIT 1`,
      source,
      code,
      status,
      field,
    );
    const before = row && parseOwnJson<RejectionEntry>(row.entry);
    const first = before?.first_at ?? before?.at ?? at;
    const folds = before && Math.abs(Date.parse(at) - Date.parse(first)) < foldedMs(entry);
    const sum = folds ? (before.times ?? 1) + times : times;
    const slot = row && folds ? row.slot : this.#slotFor(entry);
    this.#keep(slot, sum === 1 ? entry : { ...entry, times: sum, first_at: folds ? first : at });
  }

  /** Returns the id that the visitor gets: that of the same form from a moment ago, which is not recorded again. */
  recordSpam(spam: NewSpam): string {
    const { entry, event } = spam;
    const before = this.spam.same(spam);
    if (before !== null) return before;
    this.#count(entry, 1);
    this.spam.add(this.#keep(SPAM_SLOT, entry), spam);
    return event;
  }

  /** Counts webhooks that were over their sources' limits. A source that was listed for it is not listed again. */
  recordLimited(entries: readonly LimitedEntry[]): void {
    for (const { times, ...entry } of entries) this.recordRejection(entry, times);
  }

  /**
   * If there are enough, that of the oldest; of unknown addresses, of a day's least frequent: random names replace each
   * other.
   */
  #slotFor({ at, near }: RejectionEntry): number {
    const [first, room, order] =
      near === undefined
        ? [0, MAX_REJECTIONS, 'n']
        : [
            near === null ? FAR_SLOT : NEAR_SLOT,
            STRAYS.names,
            `entry ->> '$.at' > '${iso(Date.parse(at) - DAY)}', coalesce(entry ->> '$.times', 1), n`,
          ];
    const query = `SELECT slot FROM rejections WHERE slot >= ? AND slot < ? ORDER BY ${order}`;
    const used = this.rows<{ slot: number }>(query, first, first + room);
    return used.length < room ? first + used.length : (used[0]?.slot ?? first);
  }

  get #newest(): number {
    return this.row<{ n: number }>('SELECT n FROM rejections ORDER BY n DESC LIMIT 1')?.n ?? 0;
  }

  /** It becomes the newest: lists begin with it, and a client that reads on from a number gets it. Returns its number. */
  #keep(slot: number, entry: RejectionEntry): number {
    const n = this.#newest + 1;
    const [totals, series] = [JSON.stringify(this.#counts), JSON.stringify(this.#series.keep())];
    replaceRow(this.sql, 'rejections', { slot, n, entry: JSON.stringify(entry), totals, series });
    this.#series.kept();
    return n;
  }

  /** Those after a number, newest first; all, if it is of a later state, from which this object was restored. */
  rejectionsAfter(after: number): readonly NumberedRejection[] {
    const newest = this.#newest;
    if (newest === after) return [];
    return this.rejections(MAX_REJECTIONS, null).filter(({ n }) => after > newest || n > after);
  }

  rejections(limit: number, before: number | null, { source, isSpam }: RejectionFilter = {}) {
    const page = [limit, before ?? Number.MAX_SAFE_INTEGER, source ?? null] as const;
    return newestFirst(
      [
        ...(isSpam === false ? [] : this.spam.list(...page)),
        ...(isSpam === true ? [] : this.#others(...page)),
      ],
      limit,
    );
  }

  /** The newest that contain a number with this end: spam in its form's content, others in their description. */
  findRejections(end: string, limit: number): readonly NumberedRejection[] {
    const others = this.#others(MAX_REJECTIONS, Number.MAX_SAFE_INTEGER, null).filter(({ entry }) =>
      holdsNumber(`${entry.detail} ${entry.from ?? ''}`, end),
    );
    return newestFirst([...this.spam.find(end, limit), ...others], limit);
  }

  #others(limit: number, before: number, source: string | null): readonly NumberedRejection[] {
    const query = `SELECT n, entry FROM rejections WHERE n < ?1 AND slot <> ${SPAM_SLOT}
      AND (?2 IS NULL OR ?2 IN (entry ->> '$.source', entry ->> '$.near')) ORDER BY n DESC LIMIT ?3`;
    const rows = this.rows<{ n: number; entry: string }>(query, before, source, limit);
    return rows.map(({ n, entry }) => ({ n, entry: parseOwnJson<RejectionEntry>(entry) }));
  }

  #count({ source, code, at, near }: RejectionEntry, times: number): void {
    const hasSeries = this.#counts.size < MAX_SERIES || this.#counts.get('rejection', source, code) > 0;
    const label = hasSeries && near === undefined ? source : OTHER;
    this.#counts.add(times, 'rejection', label, hasSeries ? code : OTHER);
    this.#series.add(Date.parse(at), times, REJECTED, label);
  }
}

const newestFirst = (found: readonly NumberedRejection[], limit: number): readonly NumberedRejection[] =>
  found.toSorted((one, other) => other.n - one.n).slice(0, limit);
