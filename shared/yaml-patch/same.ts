import { isObject } from '../../src/lib/json.ts';
/** True if two documents would be the same as JSON, whatever the order of their keys. */
export const sameDocument = (a: unknown, b: unknown): boolean => same(asSent(a), asSent(b));

/** A file may have values that JSON cannot express. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]))
    );
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}
