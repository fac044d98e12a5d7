import { maskNumber, maskNumbers, maskReceiver } from '../lib/numbers.ts';

/**
 * A viewer's view of a value and everything in it.
 * - `words`: written by us, or by this deployment's people. Shown, with numbers masked.
 * - `quoted`: may quote a sender, a gateway or a person. Hidden, unless viewers see payloads; then shown like `words`.
 * - `exact`: came in, goes out, or is derived from such a value. Hidden, unless viewers see payloads; then shown as it
 *   is.
 * - `payload`: the same, but null when hidden.
 * - `hidden`: hidden from every viewer.
 * - `phone`: a number, masked.
 * - `id`: an id or a cursor, which shows nothing of what came in. Shown as it is, although it may have many digits.
 */
type Sort = 'words' | 'quoted' | 'exact' | 'payload' | 'hidden' | 'phone' | 'id';

/** One sort for everything in a value, or a view for each field. A list is seen as its elements are. */
export type View<Value> =
  | Sort
  | ([Value] extends [readonly (infer Element)[]]
      ? View<Element>
      : [Value] extends [object]
        ? FieldViews<Value> | ((value: Value) => OneOf<Value>)
        : never);

/** If a key is added to `Value`, this does not compile until the key has a view. */
type FieldViews<Value> = string extends keyof Value
  ? never
  : { readonly [Key in keyof Value]-?: View<NonNullable<Value[Key]>> };

type OneOf<Value> = Value extends unknown ? View<Value> : never;

export const words = <Key extends string>(...keys: readonly Key[]): Readonly<Record<Key, 'words'>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the keys
  Object.fromEntries(keys.map((key) => [key, 'words'])) as Record<Key, 'words'>;

interface MaskOptions {
  readonly showsPayloads: boolean;
}

export const HIDDEN = 'hidden';

/** A number with at least this many digits may be a phone number. */
const LONG_NUMBER = 100_000_000;

/** Returns a JSON value as a viewer sees it, in the same shape. A key without a view is `quoted`. */
export function masked(value: unknown, view: unknown, options: MaskOptions): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, view, options));
  if (typeof view === 'function') return masked(value, Reflect.apply(view, undefined, [value]), options);
  if (typeof view === 'object' && view !== null && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        maskNumbers(key),
        masked(one, Object.hasOwn(view, key) ? Reflect.get(view, key) : 'quoted', options),
      ]),
    );
  return maskedAs(value, view, options);
}

function maskedAs(value: unknown, sort: unknown, { showsPayloads }: MaskOptions): unknown {
  if (sort === 'id') return value;
  if (sort === 'phone') return typeof value === 'string' ? maskReceiver(value) : value;
  if (sort === 'payload' && !showsPayloads) return null;
  if (sort === 'words' || (sort === 'quoted' && showsPayloads)) return show(value, 'masked');
  return show(value, showsPayloads && (sort === 'exact' || sort === 'payload') ? 'exact' : 'hidden');
}

/** Shows everything in a value; `masked`: without numbers. A `phone` is masked wherever it is: a payload may have one. */
function show(value: unknown, how: 'masked' | 'exact' | 'hidden'): unknown {
  if (typeof value === 'string')
    return how === 'hidden' ? HIDDEN : how === 'exact' ? value : maskNumbers(value);
  if (typeof value === 'number') return how === 'hidden' && value >= LONG_NUMBER ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => show(one, how));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => [
      how === 'exact' ? key : maskNumbers(key),
      key === 'phone' && typeof one === 'string' ? maskNumber(one) : show(one, how),
    ]),
  );
}
