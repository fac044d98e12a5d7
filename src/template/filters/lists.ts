import { err, ok, type Result } from '../../lib/result.ts';
import { spendWeight, type Spend } from '../basics/budget.ts';
import { largeInteger } from '../basics/numbers.ts';
import { equals, propertyOf } from '../basics/values.ts';
import { addUp } from './arithmetic.ts';

/** A list, the names of a path in each of its elements, and the value to look for there. */
export interface ListLookup {
  /** The value as it came; it may not be a list. */
  readonly value: unknown;
  /** The elements of the value, and of lists in it. */
  readonly list: readonly unknown[];
  /** An empty text if there is none. */
  readonly path: string;
  /** Its parts; none if it is empty. */
  readonly names: readonly string[];
  /** Undefined for any value that is true. */
  readonly wanted: unknown;
}

export const map = ({ list, names }: ListLookup): unknown[] =>
  list.map((element) => (names.length === 0 ? undefined : valueAt(element, names)));

export const compact = ({ list, names }: ListLookup): unknown[] =>
  list.filter((element) => (valueAt(element, names) ?? null) !== null);

/** Returns the elements without those that equal an earlier one, or whose value at a path does. */
export function uniq({ list, names }: ListLookup, spend: Spend): unknown[] {
  spendWeight(list, spend);
  const [objects, others] = [new Set<unknown>(), new Set<unknown>()];
  return list.filter((element) => {
    const value = valueAt(element, names) ?? null;
    const isObject = typeof value === 'object' && value !== null;
    const [seen, key] = isObject ? [objects, JSON.stringify(value)] : [others, value];
    return !seen.has(key) && seen.add(key);
  });
}

/** A text has what it contains, as in standard Liquid. */
export function matches(element: unknown, { path, names, wanted }: ListLookup): boolean {
  if (path === '') return false;
  const isText = typeof element === 'string';
  const value = isText ? (element.includes(path) ? path : undefined) : valueAt(element, names);
  if (wanted === undefined) return value !== undefined && value !== null && value !== false;
  return typeof wanted === 'symbol' ? equals(value, wanted) : value === wanted;
}

/** The maximum length of a text's part that is compared when a list is sorted. */
const MAX_KEY_LENGTH = 250;

type Key = string | number | bigint | null;

export function keyOf(value: unknown): Key {
  if (typeof value === 'string') return largeInteger(value) ?? value.slice(0, MAX_KEY_LENGTH);
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null;
}

export const naturalKeyOf = (value: unknown): Key => keyOf(value)?.toString().toLowerCase() ?? null;

/** Elements without a key come last. */
export const inOrder = ({ list, names }: ListLookup, key: (value: unknown) => Key): unknown[] =>
  list
    .map((element) => ({ element, key: key(valueAt(element, names)) }))
    .toSorted(({ key: a }, { key: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a < b ? -1 : Number(a > b);
    })
    .map(({ element }) => element);

/** Returns the sum of a list of numbers, or of one property of its elements; null counts as 0. */
export function sum({ value, list, names }: ListLookup): Result<number | string, string> {
  const given = asList(value);
  return given.ok ? addUp(list.map((element) => valueAt(element, names))) : given;
}

/** Returns one property of each element of a list. The path may have dots: `price.amount`. */
export function pluck({ value, names }: Pick<ListLookup, 'value' | 'names'>): Result<unknown[], string> {
  if (names.join('') === '') return err('the path of the property is missing');
  const list = asList(value);
  return list.ok ? ok(list.value.map((element) => valueAt(element, names))) : list;
}

/** The elements of the lists at a path, in one list. An element without such a list adds none. */
export function flatten(lookup: Pick<ListLookup, 'value' | 'names'>): Result<unknown[], string> {
  const lists = pluck(lookup);
  return lists.ok ? ok(lists.value.flatMap((one): unknown[] => (Array.isArray(one) ? one : []))) : lists;
}

const asList = (value: unknown): Result<readonly unknown[], string> =>
  Array.isArray(value) ? ok(value as unknown[]) : err('the value is not a list');

const valueAt = (element: unknown, names: readonly string[]): unknown => names.reduce(property, element);

/** Texts have no properties here. */
function property(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Array.isArray(holder) && name === 'size' ? holder.length : propertyOf(holder, name);
}
