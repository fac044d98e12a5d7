/** A migration of a store's tables. Its number is its place in the list, from 1 on. */
export interface Migration {
  readonly statements: readonly string[];
  /**
   * The oldest version of the code that works with the tables after this migration, at most the migration's own number.
   * Absent if that does not change, since the migration only adds something.
   */
  readonly readableSince?: number;
}

/** The tables of a kind of object. The version of the code is the number of migrations. */
export interface StoreSchema {
  /** The object's name in errors and in the store. */
  readonly name: string;
  readonly migrations: readonly Migration[];
}

/** The versions that a store records about itself, in a table of one row. */
interface StoreVersion extends Record<string, SqlStorageValue> {
  readonly store: string;
  readonly version: number;
  readonly readable_since: number;
}

const VERSION_TABLE = `CREATE TABLE store_version (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  store TEXT NOT NULL,
  version INTEGER NOT NULL,
  readable_since INTEGER NOT NULL
)`;

/**
 * Migrates an object's tables to the version of the code, completely or not at all. A newer store is left unchanged and
 * used as well, so that a rollback of the Worker is not an outage. Throws, and changes nothing, if this code may not
 * use the store.
 */
export function openStore(
  storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>,
  { name, migrations }: StoreSchema,
): void {
  const { sql } = storage;
  const code = migrations.length;
  const tables = tablesOf(sql);
  const found = tables.includes('store_version') ? versionOf(sql) : null;
  if (tables.length > 0 && found?.store !== name) throw new Error(notOurs(name, tables));
  if (found !== null && found.readable_since > code) throw new Error(tooNew(found, code));
  const from = found?.version ?? 0;
  if (from >= code) return;
  storage.transactionSync(() => {
    if (from === 0) sql.exec(VERSION_TABLE);
    for (const { statements } of migrations.slice(from)) for (const text of statements) sql.exec(text);
    sql.exec(
      'INSERT OR REPLACE INTO store_version (one, store, version, readable_since) VALUES (1, ?, ?, ?)',
      name,
      code,
      Math.max(...migrations.map(({ readableSince = 1 }) => readableSince)),
    );
  });
}

/** Null if there is no row. */
const versionOf = (sql: SqlStorage): StoreVersion | null =>
  sql.exec<StoreVersion>('SELECT * FROM store_version').toArray()[0] ?? null;

/** The tables of the object, without those of the platform and of SQLite. */
const tablesOf = (sql: SqlStorage): readonly string[] =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_cf_') && !name.startsWith('sqlite_'));

const tooNew = ({ store, version, readable_since: since }: StoreVersion, code: number): string =>
  `the ${store}'s tables (version ${version}) need code of version ${since} or later, but this code has version ${code}: deploy the release that made them, or a later one (npx wrangler deploy); nothing was changed`;

/** The maximum number of tables that an error names. */
const NAMED = 3;

function notOurs(name: string, tables: readonly string[]): string {
  const found = [...tables.slice(0, NAMED), ...(tables.length > NAMED ? ['…'] : [])].join(', ');
  return `the ${name} has tables that no release made (${found}): deploy under another name, or start empty (npx wrangler delete; on your own machine delete .wrangler); nothing was changed`;
}
