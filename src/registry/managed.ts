import type { Mark, PublishRefusal } from './change.ts';
import { iso } from '../lib/iso.ts';
import type { Keeping } from './api-version.ts';

/** The maximum size of the files, as JSON of their texts by path: they are one row, and a row has at most 2 MB. */
export const MAX_FILES_BYTES = 1_000_000;

interface ManagedRow extends Record<string, SqlStorageValue> {
  /** The person who marked the set first, or took it over. */
  who: string;
  at: number;
  /** The version with which it was taken over; null if it is managed. */
  version: number | null;
}

/** The mark of a set that is kept in git, with the files that it was made from: a table with one row. */
export class Managed {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(): Keeping {
    const [row] = this.#sql.exec<ManagedRow>('SELECT who, at, version FROM managed').toArray();
    if (row === undefined) return { managed: null, taken_over: null };
    const { who, version } = row;
    const at = iso(row.at);
    return version === null
      ? { managed: { by: who, at }, taken_over: null }
      : { managed: null, taken_over: { name: who, at, version } };
  }

  /** The files of the last push, as JSON. */
  files(): string {
    return this.#sql.exec<{ files: string }>('SELECT files FROM managed').toArray()[0]?.files ?? NO_FILES;
  }

  /** Returns why a publish without a mark is refused; null if it is not. */
  refusal(): PublishRefusal | null {
    const { managed } = this.read();
    if (managed === null) return null;
    const detail = `The configuration has been managed in git since ${managed.at}, by ${managed.by}. Nothing was changed. Change its files and push them (\`npx hookbell push --managed\`), or take it over (\`npx hookbell takeover <name>\`).`;
    return { status: 409, conflict: 'managed', detail, errors: [] };
  }

  /** Marks the set. The name and the time of the first mark stay. */
  mark({ by, at, files }: Mark): void {
    const isNew = this.read().managed === null;
    const kept = files ?? this.files();
    if (isNew) this.#write(by, at, null, kept);
    else this.#sql.exec('UPDATE managed SET files = ?', kept);
  }

  /** Ends the mark: from now on, people publish. */
  takeOver(name: string, at: number, version: number): void {
    this.#write(name, at, version, NO_FILES);
  }

  #write(who: string, at: number, version: number | null, files: string): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO managed (one, who, at, version, files) VALUES (1, ?, ?, ?, ?)',
      who,
      at,
      version,
      files,
    );
  }
}

const NO_FILES = '{}';
