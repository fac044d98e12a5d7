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
