import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { openStore } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';

/** The part of an object's storage that incidents need. */
export type Storage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** An outbox's tables in Node's own SQLite: what the object's storage does, as far as incidents use it. */
export function openStorage(): Storage {
  const database = new DatabaseSync(':memory:');
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const statement = database.prepare(query);
    // Node gives parameters with numbers their values by name only.
    const named = Object.fromEntries(bindings.map((value, at) => [`?${at + 1}`, value]));
    const rows = /\?\d/.test(query) ? statement.all(named) : statement.all(...bindings);
    return {
      toArray: () => rows,
      one: () => {
        if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one: ${query}`);
        return rows[0];
      },
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  const transactionSync = <T>(work: () => T): T => {
    database.exec('SAVEPOINT work');
    try {
      const result = work();
      database.exec('RELEASE work');
      return result;
    } catch (thrown) {
      database.exec('ROLLBACK TO work; RELEASE work');
      throw thrown;
    }
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- incidents use nothing else of an object's storage
  const storage = { sql: { exec }, transactionSync } as unknown as DurableObjectStorage;
  openStore(storage, OUTBOX_STORE);
  return storage;
}
