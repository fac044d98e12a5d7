import { openStore } from '../../src/lib/store.ts';
import { REGISTRY_STORE } from '../../src/registry/schema.ts';
import { simulatedStorage } from '../platform/storage.ts';

/** The tables of a registry, with nothing in them: in Node, SQLite by the simulated platform. */
export function tables(): DurableObjectStorage {
  const storage = simulatedStorage();
  openStore(storage, REGISTRY_STORE);
  return storage;
}
