import { EMPTY_SET, type ConfigSet, parseSet } from '../config/documents/schema.ts';
import { iso } from '../lib/time.ts';
import type { VersionInfo, Keeping } from '../answers/api-registry.ts';
import type { Mark, PublishRefusal } from './change.ts';
import { type SqlRow, Tables } from './schema.ts';
import { insertRow, replaceRow } from '../lib/store.ts';

/** A set as JSON: as it was written, and with what hookbell put in when it was published; null if that is the same. */
export interface StoredSet {
  readonly documents: string;
  readonly built: string | null;
}

export interface StoredVersion extends StoredSet {
  readonly version: number;
}

/** The set that webhooks are read by. */
export const inUse = ({ documents, built }: StoredSet): string => built ?? documents;

export class Versions extends Tables<{ readonly clock: () => number }> {
  /** The version in force, and when it was activated; 0 and 0 before the first publish. */
  active(): { readonly activation: number; readonly version: number } {
    return this.row('SELECT activation, version FROM active') ?? { activation: 0, version: 0 };
  }

  get isPublished(): boolean {
    return this.active().activation > 0;
  }

  publicUrl(): string | null {
    return this.row<{ public_url: string | null }>('SELECT public_url FROM active')?.public_url ?? null;
  }

  /**
   * A version in force is activated again when something beside its set has changed. The activation is a time: if this
   * object is restored to an earlier state, a later one still counts as newer.
   */
  activate(version: number, publicUrl = this.publicUrl()): void {
    replaceRow(this.sql, 'active', {
      one: 1,
      activation: Math.max(this.active().activation + 1, this.others.clock()),
      version,
      public_url: publicUrl,
    });
  }

  add({ documents, built }: StoredSet, note: string, by: string, now: number): number {
    const newest = this.row<{ last: number | null }>('SELECT max(version) AS last FROM versions');
    const version = (newest?.last ?? 0) + 1;
    insertRow(this.sql, 'versions', { version, published_at: now, by, note, documents });
    if (built !== null) insertRow(this.sql, 'built', { version, documents: built });
    return version;
  }

  read(version?: number): StoredVersion | null {
    const wanted = version ?? this.active().version;
    if (wanted === 0 && version === undefined)
      return { version: 0, documents: JSON.stringify(EMPTY_SET), built: null };
    const row = this.row<{ documents: string; built: string | null }>(
      'SELECT documents, (SELECT documents FROM built WHERE version = v.version) AS built FROM versions v WHERE version = ?',
      wanted,
    );
    return row === undefined ? null : { version: wanted, ...row };
  }

  /** The set in force, `as` it was written or is in use. */
  inForce(as: (stored: StoredSet) => string = inUse): ConfigSet {
    const stored = this.read();
    return stored === null ? EMPTY_SET : parseSet(as(stored));
  }

  list(limit: number, before: number | null): readonly VersionInfo[] {
    const active = this.active().version;
    return this.rows<{ version: number; published_at: number; by: string; note: string }>(
      'SELECT version, published_at, by, note FROM versions WHERE version < ? ORDER BY version DESC LIMIT ?',
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).map((row) => ({ ...row, published_at: iso(row.published_at), active: row.version === active }));
  }
}

/** The maximum size of the files, as JSON of their texts by path: they are one row, and a row has at most 2 MB. */
export const MAX_FILES_BYTES = 1_000_000;

interface ManagedRow extends SqlRow {
  /** The person who marked the set first, or took it over. */
  who: string;
  at: number;
  /** The version with which it was taken over; null if it is managed. */
  version: number | null;
}

export class Managed extends Tables {
  read(): Keeping {
    const row = this.row<ManagedRow>('SELECT who, at, version FROM managed');
    if (row === undefined) return { managed: null, taken_over: null };
    const { who, version } = row;
    const at = iso(row.at);
    return version === null
      ? { managed: { by: who, at }, taken_over: null }
      : { managed: null, taken_over: { name: who, at, version } };
  }

  /** The files of the last push, as JSON. */
  files(): string {
    return this.row<{ files: string }>('SELECT files FROM managed')?.files ?? NO_FILES;
  }

  refusal(): PublishRefusal | null {
    const { managed } = this.read();
    if (managed === null) return null;
    const detail = `The configuration has been managed in git since ${managed.at}, by ${managed.by}. Nothing was changed. Change its files and push them (\`npx hookbell push --managed\`), or take it over (\`npx hookbell takeover <name>\`).`;
    return { status: 409, conflict: 'managed', detail };
  }

  /** Marks the set. The name and the time of the first mark stay. */
  mark({ by, at, files }: Mark): void {
    const kept = files ?? this.files();
    if (this.read().managed !== null) this.sql.exec('UPDATE managed SET files = ?', kept);
    else replaceRow(this.sql, 'managed', { one: 1, who: by, at, version: null, files: kept });
  }

  takeOver(who: string, at: number, version: number): void {
    replaceRow(this.sql, 'managed', { one: 1, who, at, version, files: NO_FILES });
  }
}

const NO_FILES = '{}';
