import { expect, it } from 'vitest';
import { openStore, type StoreSchema } from '../../src/lib/store.ts';
import { simulatedStorage } from '../platform/storage.ts';

const SHOP: StoreSchema = {
  name: 'shop',
  version: 3,
  statements: ['CREATE TABLE orders (id INTEGER)', 'CREATE TABLE notes (text TEXT)'],
};

/** A storage in which these statements were run. */
function storageAfter(...statements: readonly string[]) {
  const storage = simulatedStorage();
  for (const statement of statements) storage.sql.exec(statement);
  return storage;
}

/** A storage that was opened with this schema. */
function storageOf(schema: StoreSchema) {
  const storage = simulatedStorage();
  openStore(storage, schema);
  return storage;
}

/** Everything that the object has: tables, indexes and the version. */
const everything = ({ sql }: { readonly sql: SqlStorage }) => {
  const tables = sql
    .exec<{ name: string }>("SELECT * FROM sqlite_master WHERE name NOT LIKE '_cf_%'")
    .toArray();
  const hasVersion = tables.some(({ name }) => name === 'store_version');
  return [tables, hasVersion ? sql.exec('SELECT * FROM store_version').toArray() : []];
};

it('a store that is empty gets all tables, and keeps them and their rows when it is opened again', () => {
  const storage = storageOf(SHOP);
  storage.sql.exec('INSERT INTO orders (id) VALUES (1)');
  const before = everything(storage);
  openStore(storage, SHOP);
  expect(everything(storage)).toEqual(before);
  expect(storage.sql.exec('SELECT * FROM orders').toArray()).toEqual([{ id: 1 }]);
});

it('a store stays empty when one of its tables cannot be made', () => {
  const storage = simulatedStorage();
  const broken = { ...SHOP, statements: [...SHOP.statements, 'CREATE TABLE orders (id INTEGER)'] };
  expect(() => openStore(storage, broken)).toThrow(/already exists/);
  expect(everything(storage)).toEqual([[], []]);
});

const VERSION = 'CREATE TABLE store_version (version INTEGER)';

it.each([
  ['has tables and no version', ['CREATE TABLE orders (id INTEGER)']],
  ['has another row in the table of the version', [VERSION, 'INSERT INTO store_version VALUES (3)']],
  ['has no row in the table of the version', [VERSION]],
])('a store that is not ours %s: it is refused, and left as it is', (_, statements) => {
  const storage = storageAfter(...statements);
  const before = everything(storage);
  expect(() => openStore(storage, SHOP)).toThrow(/^the shop has tables that no release made/);
  expect(everything(storage)).toEqual(before);
});

it('a store that is not ours, or of another version, is refused in one line: what was found, and how to go on', () => {
  const foreign = storageAfter(...['a', 'b', 'c', 'd'].map((name) => `CREATE TABLE ${name} (id INTEGER)`));
  expect(() => openStore(foreign, SHOP)).toThrow(
    'the shop has tables that no release made (a, b, c, …): deploy under another name, or start empty (npx wrangler delete; on your own machine delete .wrangler); nothing was changed',
  );
  expect(() => openStore(storageOf({ ...SHOP, name: 'depot' }), SHOP)).toThrow(/^the shop has tables/);
  for (const version of [2, 4])
    expect(() => openStore(storageOf({ ...SHOP, version }), SHOP)).toThrow(
      `the shop's tables have version ${version}, but this code has version 3: deploy the release that made them (npx wrangler deploy); nothing was changed`,
    );
});
