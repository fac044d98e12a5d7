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
