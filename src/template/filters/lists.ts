import { Drop, toValueSync } from 'liquidjs';
import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { glimpse } from '../basics/print.ts';

/** A list, the names of a path in each of its elements, and the value to look for there. */
export interface ListLookup {
  /** The value as it came; it may not be a list. */
  readonly value: unknown;
  readonly list: readonly unknown[];
  readonly names: readonly string[];
  /** Undefined for any value that is true. */
  readonly wanted: unknown;
}

/** Returns the elements' values at a path. */
export const map = ({ list, names }: ListLookup): unknown[] => list.map((element) => valueAt(element, names));

/** Returns the elements whose value at a path is the wanted one. */
export const where = (lookup: ListLookup): unknown[] =>
  lookup.list.filter((element) => matches(element, lookup));

/** Returns the elements whose value is not. */
export const reject = (lookup: ListLookup): unknown[] =>
  lookup.list.filter((element) => !matches(element, lookup));

/** True if there is such an element. */
export const has = (lookup: ListLookup): boolean => lookup.list.some((element) => matches(element, lookup));

/** Returns the first such element. */
export const find = (lookup: ListLookup): unknown => lookup.list.find((element) => matches(element, lookup));

/** Returns its place, from 0; undefined if there is none. */
export function findIndex(lookup: ListLookup): number | undefined {
  const index = lookup.list.findIndex((element) => matches(element, lookup));
  return index < 0 ? undefined : index;
}

function matches(element: unknown, { names, wanted }: ListLookup): boolean {
  const value = valueAt(element, names);
  if (wanted === undefined) return value !== undefined && value !== null && value !== false;
  // `empty`, `blank` and `nil`.
  const equals: unknown = wanted instanceof Drop ? Reflect.get(wanted, 'equals') : null;
  if (typeof equals === 'function') return toValueSync(equals.call(wanted, value) as unknown) === true;
  return value === wanted;
}

/** The maximum length of a text's part that is compared when a list is sorted. */
const MAX_KEY_LENGTH = 250;

/** Returns the list in the order of its elements or their values at a path. */
export const sort = (lookup: ListLookup): unknown[] => inOrder(lookup, keyOf);

/** Does the same, ignoring case. */
export const sortNatural = (lookup: ListLookup): unknown[] =>
  inOrder(lookup, (value) => {
    const key = keyOf(value);
    return key === null ? null : String(key).toLowerCase();
  });

/** Returns the key to sort by; lists and objects have none. */
function keyOf(value: unknown): string | number | null {
  if (typeof value === 'string') return value.slice(0, MAX_KEY_LENGTH);
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null;
}

function inOrder({ list, names }: ListLookup, key: (value: unknown) => string | number | null): unknown[] {
  return list
    .map((element) => ({ element, key: key(valueAt(element, names)) }))
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ element }) => element);
}

/** Elements without a key come last. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/** The number of digits that a float holds reliably. Later ones are rounding noise, as in 0.1 + 0.2. */
const FLOAT_DIGITS = 15;

/** Returns the sum of a list of numbers, or of one property of its elements; null counts as 0. */
export function sum({ value: list, names }: ListLookup): Result<number, string> {
  const values = names.length > 0 ? pluck({ value: list, names }) : asList(list);
  if (!values.ok) return values;
  let total = 0;
  for (const [place, value] of values.value.entries()) {
    const number = value === undefined || value === null ? 0 : toNumber(value);
    if (number === undefined) return err(`element ${place + 1} is not a number: ${glimpse(value)}`);
    total += number;
  }
  return ok(Number(total.toPrecision(FLOAT_DIGITS)));
}

/** Returns one property of each element of a list. The path may have dots: `price.amount`. */
export function pluck({ value, names }: Pick<ListLookup, 'value' | 'names'>): Result<unknown[], string> {
  if (names.join('') === '') return err('the path of the property is missing');
  const list = asList(value);
  return list.ok ? ok(list.value.map((element) => valueAt(element, names))) : list;
}

/**
 * Returns the elements of the lists at a path in each element, in one list. An element without such a list adds none.
 */
export function flatten(lookup: Pick<ListLookup, 'value' | 'names'>): Result<unknown[], string> {
  const lists = pluck(lookup);
  return lists.ok
    ? ok(lists.value.flatMap((one): unknown[] => (Array.isArray(one) ? (one as unknown[]) : [])))
    : lists;
}

const asList = (value: unknown): Result<readonly unknown[], string> =>
  Array.isArray(value) ? ok(value as unknown[]) : err('the value is not a list');

function valueAt(element: unknown, names: readonly string[]): unknown {
  let value = element;
  for (const name of names) value = property(value, name);
  return value;
}

/** Returns an own property; for a list also its `size`, `first` and `last`. */
function property(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  if (Object.hasOwn(holder, name)) return Reflect.get(holder, name);
  if (!Array.isArray(holder)) return undefined;
  if (name === 'size') return holder.length;
  return name === 'first' ? holder[0] : name === 'last' ? holder.at(-1) : undefined;
}

/** The longest text that is read as a number. UTF-16 units. */
const MAX_NUMBER_LENGTH = 400;

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
