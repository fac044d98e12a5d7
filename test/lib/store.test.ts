import { describe, expect, it } from 'vitest';
import { isNewerStore, openStore, type StoreSchema } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { inStorage } from '../outbox/in-storage.ts';

/** Three releases. The second adds a column; the third does away with one that code before the second needs. */
const V1: StoreSchema = {
  name: 'shop',
  migrations: [{ statements: ['CREATE TABLE orders (id INTEGER PRIMARY KEY, text TEXT, old TEXT)'] }],
};
const V2: StoreSchema = {
  name: 'shop',
  migrations: [
    ...V1.migrations,
    { statements: ["ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT 'none'"] },
  ],
};
const V3: StoreSchema = {
  name: 'shop',
  migrations: [...V2.migrations, { statements: ['ALTER TABLE orders DROP COLUMN old'], readableSince: 2 }],
};

/** Runs `body` with the storage of an object in which nothing was ever written. */
const inEmpty = (body: (storage: DurableObjectStorage, sql: SqlStorage) => void): Promise<void> =>
  inStorage(async ({ storage }) => {
    await storage.deleteAll();
    body(storage, storage.sql);
    // The outbox that lives here looks at its tables once more.
    await storage.deleteAll();
    openStore(storage, OUTBOX_STORE);
  });

/** Everything that the object has: tables, indexes and the version. */
const everything = (sql: SqlStorage) => [
  sql.exec("SELECT name, sql FROM sqlite_master WHERE substr(name, 1, 4) <> '_cf_'").toArray(),
  sql.exec("SELECT * FROM sqlite_master WHERE name = 'store_version'").toArray().length === 0
    ? []
    : sql.exec('SELECT * FROM store_version').toArray(),
];

const versions = (sql: SqlStorage) => sql.exec('SELECT version, readable_since FROM store_version').one();

const orders = (sql: SqlStorage) => sql.exec('SELECT * FROM orders ORDER BY id').toArray();

const add = (sql: SqlStorage, id: number) => sql.exec("INSERT INTO orders (id, text) VALUES (?, 'one')", id);

describe('a store', () => {
  it('that is empty gets all tables at once, and keeps its version', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V3);
      expect(versions(sql)).toEqual({ version: 3, readable_since: 2 });
      add(sql, 1);
      expect(orders(sql)).toEqual([{ id: 1, text: 'one', note: 'none' }]);
    }));

  it('does not change when it is opened again', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V2);
      const before = everything(sql);
      openStore(storage, V2);
      expect(everything(sql)).toEqual(before);
    }));

  it('of an older release gets what is new, and keeps its rows', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V1);
      add(sql, 1);
      openStore(storage, V2);
      expect(versions(sql)).toEqual({ version: 2, readable_since: 1 });
      expect(orders(sql)).toEqual([{ id: 1, text: 'one', old: null, note: 'none' }]);
      openStore(storage, V3);
      expect(versions(sql)).toEqual({ version: 3, readable_since: 2 });
    }));

  it('of any older release may be opened by the newest', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V1);
      openStore(storage, V3);
      expect(versions(sql)).toEqual({ version: 3, readable_since: 2 });
    }));

  it('stays as it was when a step fails half-way', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V1);
      const before = everything(sql);
      const broken = { statements: ['CREATE TABLE more (id INTEGER)', 'CREATE TABLE orders (id INTEGER)'] };
      const next = { name: 'shop', migrations: [...V1.migrations, broken] };
      expect(() => openStore(storage, next)).toThrow(/already exists/);
      expect(everything(sql)).toEqual(before);
    }));
});

describe('after a rollback, a store of a newer release', () => {
  it('is used by code that it can be read by, and not changed', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V2);
      add(sql, 1);
      const before = everything(sql);
      openStore(storage, V1);
      expect(everything(sql)).toEqual(before);
      add(sql, 2);
      sql.exec("UPDATE orders SET text = 'two' WHERE id = 1");
      openStore(storage, V2);
      expect(orders(sql)).toEqual([
        { id: 1, text: 'two', old: null, note: 'none' },
        { id: 2, text: 'one', old: null, note: 'none' },
      ]);
    }));

  it('is known to have more than the code, which newer code does not say of an older one', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V2);
      expect([V1, V2, V3].map((schema) => isNewerStore(sql, schema))).toEqual([true, false, false]);
    }));

  it('is refused by code that cannot read it: what it has, what that needs, and what to do', () =>
    inEmpty((storage, sql) => {
      openStore(storage, V3);
      const before = everything(sql);
      openStore(storage, V2);
      expect(() => openStore(storage, V1)).toThrow(
        "the shop's tables (version 3) need code of version 2 or later, but this code has version 1: deploy the release that made them, or a later one (npx wrangler deploy); nothing was changed",
      );
      expect(everything(sql)).toEqual(before);
    }));
});

describe('a store that is not ours', () => {
  it.each<[what: string, statements: readonly string[]]>([
    ['has tables and no version', ['CREATE TABLE orders (id INTEGER)']],
    [
      'has its version as no release writes it',
      ['CREATE TABLE schema_version (version INTEGER NOT NULL)', 'INSERT INTO schema_version VALUES (10)'],
    ],
    [
      'has another row in the table of the version',
      ['CREATE TABLE store_version (version INTEGER)', 'INSERT INTO store_version VALUES (1)'],
    ],
    ['has no row in the table of the version', ['CREATE TABLE store_version (version INTEGER)']],
  ])('%s: it is refused, and left as it is', (_, statements) =>
    inEmpty((storage, sql) => {
      for (const statement of statements) sql.exec(statement);
      const before = everything(sql);
      expect(() => openStore(storage, V1)).toThrow(/^the shop has tables that no release made/);
      expect(everything(sql)).toEqual(before);
    }),
  );

  it('is of another kind of object: it is refused', () =>
    inEmpty((storage) => {
      openStore(storage, { ...V1, name: 'depot' });
      expect(() => openStore(storage, V1)).toThrow(/^the shop has tables/);
    }));

  it('is refused in one line: what was found, and how to go on', () =>
    inEmpty((storage, sql) => {
      for (const name of ['a', 'b', 'c', 'd']) sql.exec(`CREATE TABLE ${name} (id INTEGER)`);
      expect(() => openStore(storage, V1)).toThrow(
        'the shop has tables that no release made (a, b, c, …): deploy under another name, or start empty (npx wrangler delete; on your own machine delete .wrangler); nothing was changed',
      );
    }));
});
