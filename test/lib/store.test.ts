import { describe, expect, it } from 'vitest';
import { openStore, type StoreSchema } from '../../src/lib/store.ts';
import { simulatedStorage } from '../platform/storage.ts';

const releaseAfter = (before: StoreSchema | null, statement: string, readableSince?: number): StoreSchema => {
  const step = { statements: [statement], ...(readableSince !== undefined && { readableSince }) };
  return { name: 'shop', migrations: [...(before?.migrations ?? []), step] };
};
/** Three releases. The second adds a column; the third does away with one that code before the second needs. */
const V1 = releaseAfter(null, 'CREATE TABLE orders (id INTEGER PRIMARY KEY, text TEXT, old TEXT)');
const V2 = releaseAfter(V1, "ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT 'none'");
const V3 = releaseAfter(V2, 'ALTER TABLE orders DROP COLUMN old', 2);

/** A storage that the releases opened one after the other. */
function openedBy(...releases: readonly StoreSchema[]) {
  const storage = simulatedStorage();
  for (const release of releases) openStore(storage, release);
  return { storage, sql: storage.sql };
}

/** Everything that the object has: tables, indexes and the version. */
const everything = (sql: SqlStorage) => {
  const tables = sql
    .exec<{ name: string }>("SELECT * FROM sqlite_master WHERE name NOT LIKE '_cf_%'")
    .toArray();
  const hasVersion = tables.some(({ name }) => name === 'store_version');
  return [tables, hasVersion ? sql.exec('SELECT * FROM store_version').toArray() : []];
};
const versions = (sql: SqlStorage) => sql.exec('SELECT version, readable_since FROM store_version').one();
const orders = (sql: SqlStorage) => sql.exec('SELECT * FROM orders ORDER BY id').toArray();
const add = (sql: SqlStorage, id: number) => sql.exec("INSERT INTO orders (id, text) VALUES (?, 'one')", id);

it('a store that is empty gets all tables at once, and keeps its version', () => {
  const { sql } = openedBy(V3);
  expect(versions(sql)).toEqual({ version: 3, readable_since: 2 });
  add(sql, 1);
  expect(orders(sql)).toEqual([{ id: 1, text: 'one', note: 'none' }]);
});

it('a store of any older release gets what is new, and keeps its rows', () => {
  const { storage, sql } = openedBy(V1);
  add(sql, 1);
  openStore(storage, V2);
  expect(versions(sql)).toEqual({ version: 2, readable_since: 1 });
  expect(orders(sql)).toEqual([{ id: 1, text: 'one', old: null, note: 'none' }]);
  for (const opened of [openedBy(V1, V2, V3), openedBy(V1, V3)])
    expect(versions(opened.sql)).toEqual({ version: 3, readable_since: 2 });
});

it('a store stays as it was when a step fails half-way', () => {
  const { storage, sql } = openedBy(V1);
  const before = everything(sql);
  const broken = { statements: ['CREATE TABLE more (id INTEGER)', 'CREATE TABLE orders (id INTEGER)'] };
  const next = { name: 'shop', migrations: [...V1.migrations, broken] };
  expect(() => openStore(storage, next)).toThrow(/already exists/);
  expect(everything(sql)).toEqual(before);
});

describe('after a rollback, a store of a newer release', () => {
  it('is used by code that it can be read by, and not changed', () => {
    const { storage, sql } = openedBy(V2);
    add(sql, 1);
    const before = everything(sql);
    openStore(storage, V1);
    expect(everything(sql)).toEqual(before);
    add(sql, 2);
    sql.exec("UPDATE orders SET text = 'two' WHERE id = 1");
    openStore(storage, V2);
    const row = { old: null, note: 'none' };
    expect(orders(sql)).toEqual([
      { id: 1, text: 'two', ...row },
      { id: 2, text: 'one', ...row },
    ]);
  });

  it('is refused by code that cannot read it: what it has, what that needs, and what to do', () => {
    const { storage, sql } = openedBy(V3, V2);
    const before = everything(sql);
    expect(() => openStore(storage, V1)).toThrow(
      "the shop's tables (version 3) need code of version 2 or later, but this code has version 1: deploy the release that made them, or a later one (npx wrangler deploy); nothing was changed",
    );
    expect(everything(sql)).toEqual(before);
  });
});

const VERSION = 'CREATE TABLE store_version (version INTEGER)';

it.each([
  ['has tables and no version', ['CREATE TABLE orders (id INTEGER)']],
  [
    'has its version as no release writes it',
    ['CREATE TABLE v (version INTEGER)', 'INSERT INTO v VALUES (10)'],
  ],
  ['has another row in the table of the version', [VERSION, 'INSERT INTO store_version VALUES (1)']],
  ['has no row in the table of the version', [VERSION]],
])('a store that is not ours %s: it is refused, and left as it is', (_, statements) => {
  const { storage, sql } = openedBy();
  for (const statement of statements) sql.exec(statement);
  const before = everything(sql);
  expect(() => openStore(storage, V1)).toThrow(/^the shop has tables that no release made/);
  expect(everything(sql)).toEqual(before);
});

it('a store that is not ours is refused in one line: what was found, and how to go on', () => {
  const { storage, sql } = openedBy();
  for (const name of ['a', 'b', 'c', 'd']) sql.exec(`CREATE TABLE ${name} (id INTEGER)`);
  expect(() => openStore(storage, V1)).toThrow(
    'the shop has tables that no release made (a, b, c, …): deploy under another name, or start empty (npx wrangler delete; on your own machine delete .wrangler); nothing was changed',
  );
  expect(() => openStore(openedBy({ ...V1, name: 'depot' }).storage, V1)).toThrow(/^the shop has tables/);
});
