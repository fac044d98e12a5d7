import { openStore } from '../../src/lib/store.ts';
import { writeFact, OUTBOX_KEY } from '../../src/outbox/state/meta.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { simulatedStorage } from '../platform/storage.ts';

/** The tables of an outbox, with nothing in them but its key: in Node, SQLite by the simulated platform. */
export function tables(): DurableObjectStorage {
  const storage = simulatedStorage();
  openStore(storage, OUTBOX_STORE);
  writeFact(storage.sql, OUTBOX_KEY, 'key');
  return storage;
}

export const inStorage = async <T>(
  body: (state: { readonly storage: DurableObjectStorage }) => T | Promise<T>,
): Promise<T> => body({ storage: tables() });
