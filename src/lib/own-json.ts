/** Parses JSON that this code wrote to its own tables, and trusts its type. A schema checks all other JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the writer wrote
export function parseOwnJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's writer is the proof
  return JSON.parse(text) as Value;
}

/** The value at a dotted path (`data.items.0.id`) of parsed data; undefined if a step is not an own property. */
export function ownValue(data: unknown, path: string): unknown {
  let current = data;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/**
 * Returns a string unchanged, and a number as JSON writes it. Null for anything else, so that no object becomes a text.
 */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * Returns an object whose values are made from these texts, each at its first use. For large tables of which an isolate
 * uses a few rows. A value replaces its text in `texts`.
 */
export function lazyRecord<Value extends object>(
  texts: Readonly<Record<string, string>>,
  make: (text: string) => Value,
): Readonly<Record<string, Value>> {
  const get = (rows: object, name: string | symbol): unknown => {
    const row: unknown = Reflect.get(rows, name);
    if (typeof row !== 'string') return row;
    const value = make(row);
    Reflect.set(rows, name, value);
    return value;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads a text before `get` has made a value of it
  return new Proxy(texts, { get }) as unknown as Readonly<Record<string, Value>>;
}
