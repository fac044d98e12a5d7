import { SERIES_TABLE } from '../counts/series.ts';
import type { StoreSchema } from '../lib/store.ts';

const oneRow = (table: string, columns: string): string =>
  `CREATE TABLE ${table} (one INTEGER PRIMARY KEY CHECK (one = 1), ${columns})`;

export const REGISTRY_STORE: StoreSchema = {
  name: 'registry',
  version: 1,
  statements: [
    `CREATE TABLE versions (
       version INTEGER PRIMARY KEY,
       published_at INTEGER NOT NULL,
       by TEXT NOT NULL,
       note TEXT NOT NULL,
       documents TEXT NOT NULL
     )`,
    // The set of a version with what hookbell put in when it was published, if that differs: a row of its own,
    // since each may have the size of a row.
    `CREATE TABLE built (version INTEGER PRIMARY KEY, documents TEXT NOT NULL)`,
    // The version in force, when it was activated (ms), and the address at which an editor last published.
    oneRow('active', 'activation INTEGER NOT NULL, version INTEGER NOT NULL, public_url TEXT'),
    // The last documents of accounts that were removed while their outboxes held something.
    `CREATE TABLE removed_accounts (
       account TEXT PRIMARY KEY,
       document TEXT NOT NULL,
       removed_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    // What people added beside the set, in that order. `until`: the time when it ends or was ended (ms).
    ...['silences', 'overrides'].map(
      (table) => `CREATE TABLE ${table} (
       n INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       until INTEGER NOT NULL,
       entry TEXT NOT NULL
     )`,
    ),
    // Receivers who have opted out; see `overlay.ts`.
    `CREATE TABLE suppressions (
       n INTEGER PRIMARY KEY,
       phone TEXT NOT NULL UNIQUE,
       at INTEGER NOT NULL,
       by TEXT NOT NULL,
       reason TEXT NOT NULL,
       message TEXT
     )`,
    // The same receivers, one a line, many in a row: one more or less reads and writes a row, not each of them.
    `CREATE TABLE suppressed (part INTEGER PRIMARY KEY, phones TEXT NOT NULL, count INTEGER NOT NULL)`,
    `CREATE TRIGGER opted_out AFTER INSERT ON suppressions BEGIN
       INSERT INTO suppressed (part, phones, count) VALUES (new.n / 1024, new.phone, 1)
         ON CONFLICT (part) DO UPDATE SET phones = phones || char(10) || excluded.phones, count = count + 1;
     END`,
    `CREATE TRIGGER opted_in AFTER DELETE ON suppressions BEGIN
       UPDATE suppressed SET count = count - 1, phones = trim(replace(
         char(10) || phones || char(10), char(10) || old.phone || char(10), char(10)), char(10))
         WHERE part = old.n / 1024;
       DELETE FROM suppressed WHERE part = old.n / 1024 AND count = 0;
     END`,
    // Receivers who opted in by a link.
    `CREATE TABLE opt_ins (phone TEXT NOT NULL, at INTEGER NOT NULL)`,
    // The codes of the secret links of calendars.
    `CREATE TABLE calendars (list TEXT PRIMARY KEY, code TEXT NOT NULL) WITHOUT ROWID`,
    // The mark of a set that is managed in git.
    oneRow('managed', 'who TEXT NOT NULL, at INTEGER NOT NULL, version INTEGER, files TEXT NOT NULL'),
    // The version that KV has, and the time of the next try after a failure. Not in memory, because the object is
    // evicted between two tries.
    oneRow(
      'copied',
      'version INTEGER NOT NULL, activation INTEGER NOT NULL, at INTEGER NOT NULL, writes INTEGER NOT NULL',
    ),
    oneRow('copy_retry', 'failures INTEGER NOT NULL, at INTEGER NOT NULL'),
    // The position of the round through the outboxes; see `rounds.ts`.
    oneRow('rounds', 'due INTEGER NOT NULL, behind TEXT NOT NULL'),
    `CREATE TABLE pairing_windows (
       source TEXT PRIMARY KEY,
       expires_at INTEGER NOT NULL,
       secret TEXT,
       digest TEXT,
       offers TEXT NOT NULL DEFAULT '[]',
       taken INTEGER NOT NULL DEFAULT 0
     ) WITHOUT ROWID`,
    // Sessions of browsers and the codes that open them; see `sessions.ts`.
    `CREATE TABLE sessions (
       id TEXT PRIMARY KEY,
       role TEXT NOT NULL,
       actor TEXT NOT NULL,
       client TEXT,
       created_at INTEGER NOT NULL,
       expires_at INTEGER NOT NULL,
       seen_at INTEGER NOT NULL,
       opens_until INTEGER,
       made_by TEXT,
       invited_by TEXT
     ) WITHOUT ROWID`,
    // The newest row has the sums and the open hour of the series. The slot after the last one has those of spam.
    `CREATE TABLE rejections (
       slot INTEGER PRIMARY KEY,
       n INTEGER NOT NULL,
       entry TEXT NOT NULL,
       totals TEXT NOT NULL,
       series TEXT NOT NULL
     )`,
    // Forms that were taken for spam; see `rejections.ts`. `event`: the id that the visitor got. `form`: the data for an
    // event if it is released; null if it was not kept. `release_id`: the id of that event, which is stored since
    // `released_at` (ms).
    `CREATE TABLE spam (
       n INTEGER PRIMARY KEY,
       source TEXT NOT NULL,
       kind TEXT NOT NULL,
       at INTEGER NOT NULL,
       digest TEXT NOT NULL,
       event TEXT NOT NULL,
       release_id TEXT,
       released_at INTEGER,
       bytes INTEGER NOT NULL,
       entry TEXT NOT NULL,
       form TEXT
     )`,
    'CREATE INDEX spam_by_kind ON spam (source, kind)',
    'CREATE INDEX spam_by_digest ON spam (digest)',
    // How much of it there is of each source and kind.
    `CREATE TABLE spam_held (
       source TEXT, kind TEXT, rows INTEGER, bytes INTEGER, PRIMARY KEY (source, kind)
     ) WITHOUT ROWID`,
    `CREATE TRIGGER spam_came AFTER INSERT ON spam BEGIN
       INSERT INTO spam_held VALUES (new.source, new.kind, 1, new.bytes)
         ON CONFLICT DO UPDATE SET rows = rows + 1, bytes = bytes + excluded.bytes;
     END`,
    `CREATE TRIGGER spam_went AFTER DELETE ON spam BEGIN
       UPDATE spam_held SET rows = rows - 1, bytes = bytes - old.bytes WHERE source = old.source AND kind = old.kind;
       DELETE FROM spam_held WHERE source = old.source AND kind = old.kind AND rows = 0;
     END`,
    SERIES_TABLE,
  ],
};

/** A part of the registry, with tables of its own, and with what it needs of others. */
export class Tables<Others = void> {
  protected readonly sql: SqlStorage;
  protected readonly others: Others;

  constructor(sql: SqlStorage, others: Others) {
    this.sql = sql;
    this.others = others;
  }

  protected rows<Row extends SqlRow>(query: string, ...values: readonly SqlStorageValue[]): Row[] {
    return this.sql.exec<Row>(query, ...values).toArray();
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the query reads
  protected row<Row extends SqlRow>(query: string, ...values: readonly SqlStorageValue[]): Row | undefined {
    return this.rows<Row>(query, ...values)[0];
  }
}

export type SqlRow = Record<string, SqlStorageValue>;
