// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was stored
export function readStored<Value>(storage: Storage, key: string): Value | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this console stored
    return JSON.parse(storage.getItem(key) ?? 'null') as Value | null;
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
