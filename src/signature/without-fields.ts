/** A field of a payload, by its dotted path; with `items` in each element of the list at that path. */
export interface PayloadField {
  readonly items: string | undefined;
  readonly path: string;
}

/**
 * Returns the payload without these fields, copied where it changes: the original may be shared. A form's fields are
 * found by their whole names, as in verification.
 */
export const withoutFields = (payload: unknown, fields: readonly PayloadField[]): unknown =>
  fields.reduce(withoutField, payload);

function withoutField(payload: unknown, { items, path }: PayloadField): unknown {
  if (items === undefined) return without(withoutKey(payload, path), path.split('.'));
  return changeAt(payload, items.split('.'), (list) =>
    Array.isArray(list) ? list.map((item: unknown) => without(item, path.split('.'))) : list,
  );
}

function without(value: unknown, path: readonly string[]): unknown {
  const key = path.at(-1) ?? '';
  return changeAt(value, path.slice(0, -1), (parent) => withoutKey(parent, key));
}

/**
 * Returns the value with a change at the path, in copies of everything around it; unchanged if the path does not exist.
 */
function changeAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const changed = changeAt(Reflect.get(value, step), rest, change);
  if (Array.isArray(value)) return replaceAt(value, step, changed);
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [key, key === step ? changed : own] as const),
  );
}

function withoutKey(value: unknown, key: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  // A credential is a text. An object in its place comes from another form of the sender's bodies.
  if (isObject(Reflect.get(value, key))) return value;
  // Removing an element would move the others.
  if (Array.isArray(value)) return replaceAt(value, key, null);
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key));
}

const replaceAt = (list: readonly unknown[], key: string, replacement: unknown): unknown[] =>
  list.map((element, index) => (String(index) === key ? replacement : element));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
