/** The JSON of a body with what stands at a path (`items.0.id`) changed; undefined takes it away. */
export function editJson(body: string, path: string, change: (value: unknown) => unknown): string {
  const [, before = '', json, after = ''] = /^(--[^]*?\r?\n\r?\n)(\{[^]*?\})(\r?\n--[^]*)$/.exec(body) ?? [];
  // A part of multipart.
  if (json !== undefined) return before + editJson(json, path, change) + after;
  const root: unknown = JSON.parse(body);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let parent = root;
  for (const step of steps) parent = Reflect.get(asObject(parent), step);
  if (typeof parent !== 'object' || parent === null) throw new Error(`nothing at ${path}`);
  const value = change(Reflect.get(parent, last));
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return JSON.stringify(root);
}

/** The value at a path in the JSON of a body. */
export const readJson = (body: string, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => Reflect.get(asObject(value), step), JSON.parse(body));

/** The number of elements in the list at a path. */
export const countJson = (body: string, path: string): number => {
  const list = readJson(body, path);
  return Array.isArray(list) ? list.length : 0;
};

/** A URL-encoded form with a field changed; undefined takes it away. */
export function editForm(body: string, name: string, change: (value: string) => string | undefined): string {
  const form = new URLSearchParams(body);
  const value = change(form.get(name) ?? '');
  if (value === undefined) form.delete(name);
  else form.set(name, value);
  return form.toString();
}

/** A value whose keys can be looked at. A value that is not an object has none. */
export const asObject = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};
