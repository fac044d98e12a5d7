/**
 * A cache of at most `limit` values, which drops the oldest one. For values that take longer to make than to look up.
 */
export function createCache<T>(limit: number): (key: string, make: () => T) => T {
  const values = new Map<string, T>();
  return function cached(key, make) {
    const known = values.get(key);
    if (known !== undefined) return known;
    const made = make();
    const [oldest] = values.keys();
    if (values.size >= limit && oldest !== undefined) values.delete(oldest);
    values.set(key, made);
    return made;
  };
}
