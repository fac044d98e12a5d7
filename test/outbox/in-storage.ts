import { openStore } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import { simulatedStorage } from '../platform/storage.ts';

/** Runs `body` with the storage of an outbox that has tables and nothing in them: in Node, SQLite by the simulated platform. */
export async function inStorage<T>(
  body: (state: { readonly storage: DurableObjectStorage }) => T | Promise<T>,
): Promise<T> {
  const storage = simulatedStorage();
  openStore(storage, OUTBOX_STORE);
  return await body({ storage });
}
