/** Reads JSON from the browser's storage. Null: there is none, or the browser allows none. */
export function readStored(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Null: forgets it. A full storage is not a reason to stop: the page itself still has the value. */
export function store(storage: Storage, key: string, value: unknown): void {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // It is gone with the page.
  }
}
