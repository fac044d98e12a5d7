import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { glimpse } from '../basics/print.ts';

/** Digits that a float holds reliably. Later ones are rounding noise, as in 0.1 + 0.2. */
const FLOAT_DIGITS = 15;

/** The sum of a list of numbers, or of one property of its elements; null counts as 0. */
export function sum(list: unknown, path: unknown): Result<number, string> {
  const values = pluckOptional(list, path);
  if (!values.ok) return values;
  let total = 0;
  for (const [place, value] of values.value.entries()) {
    const number = value === undefined || value === null ? 0 : toNumber(value);
    if (number === undefined) return err(`element ${place + 1} is not a number: ${glimpse(value)}`);
    total += number;
  }
  return ok(Number(total.toPrecision(FLOAT_DIGITS)));
}

/** One property of each element of a list. The path may have dots: `price.amount`. */
export function pluck(list: unknown, path: unknown): Result<unknown[], string> {
  if (typeof path !== 'string' || path === '') return err('the path of the property is missing');
  const keys = path.split('.');
  if (!Array.isArray(list)) return err('the value is not a list');
  return ok(list.map((element) => keys.reduce(ownProperty, element as unknown)));
}

/** The elements of the lists at a path in each element, in one list; an element without a list there has none. */
export function flatten(list: unknown, path: unknown): Result<unknown[], string> {
  const lists = pluck(list, path);
  return lists.ok
    ? ok(lists.value.flatMap((one): unknown[] => (Array.isArray(one) ? (one as unknown[]) : [])))
    : lists;
}

function pluckOptional(list: unknown, path: unknown): Result<unknown[], string> {
  if (path !== undefined) return pluck(list, path);
  return Array.isArray(list) ? ok(list as unknown[]) : err('the value is not a list');
}

function ownProperty(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return Reflect.get(holder, key);
}

/** Longest text that is read as a number. UTF-16 units. */
const MAX_NUMBER_LENGTH = 400;

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.length > MAX_NUMBER_LENGTH) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
