export interface StoreSchema {
  /** The object's name in errors and in the store. */
  readonly name: string;
  /** A store with another one is refused: a change of the tables that older code cannot use needs a new one. */
  readonly version: number;
  readonly statements: readonly string[];
}

/** What a store records about itself, in a table of one row. */
interface StoreVersion extends Record<string, SqlStorageValue> {
  readonly store: string;
  readonly version: number;
}

const VERSION_TABLE = `CREATE TABLE store_version (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  store TEXT NOT NULL,
  version INTEGER NOT NULL
)`;

/** Makes all tables in an empty store, or none. Throws, and changes nothing, if the store has others. */
export function openStore(
  storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>,
  { name, version, statements }: StoreSchema,
): void {
  const { sql } = storage;
  const tables = tablesOf(sql);
  if (tables.length > 0) {
    const found = tables.includes('store_version') ? versionOf(sql) : null;
    if (found?.store !== name) throw new Error(notOurs(name, tables));
    if (found.version !== version) throw new Error(ofAnother(found, version));
    return;
  }
  storage.transactionSync(() => {
    for (const text of [VERSION_TABLE, ...statements]) sql.exec(text);
    sql.exec('INSERT INTO store_version (one, store, version) VALUES (1, ?, ?)', name, version);
  });
}

const versionOf = (sql: SqlStorage): StoreVersion | null =>
  sql.exec<StoreVersion>('SELECT * FROM store_version').toArray()[0] ?? null;

/** The tables of the object, without those of the platform and of SQLite. */
const tablesOf = (sql: SqlStorage): readonly string[] =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_cf_') && !name.startsWith('sqlite_'));

const ofAnother = ({ store, version }: StoreVersion, code: number): string =>
  `the ${store}'s tables have version ${version}, but this code has version ${code}: deploy the release that made them (npx wrangler deploy); nothing was changed`;

const NAMED = 3;

function notOurs(name: string, tables: readonly string[]): string {
  const found = [...tables.slice(0, NAMED), ...(tables.length > NAMED ? ['…'] : [])].join(', ');
  return `the ${name} has tables that no release made (${found}): deploy under another name, or start empty (npx wrangler delete; on your own machine delete .wrangler); nothing was changed`;
}

const writing =
  (verb: 'INSERT' | 'REPLACE') =>
  (sql: SqlStorage, table: string, row: Readonly<Record<string, SqlStorageValue>>, onConflict = '') => {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join();
    const query = `${verb} INTO ${table} (${columns.join()}) VALUES (${places}) ${onConflict}`;
    return sql.exec(query, ...Object.values(row));
  };

export const insertRow = writing('INSERT');

export const replaceRow = writing('REPLACE');

export const readRows = <Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  query: string,
  ...values: readonly SqlStorageValue[]
): Row[] => sql.exec<Row>(query, ...values).toArray();

export const isAny = (sql: SqlStorage, query: string, ...values: readonly SqlStorageValue[]): boolean =>
  sql.exec(query, ...values).toArray().length > 0;
