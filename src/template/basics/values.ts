import {
  TemplateFailure,
  MAX_RANGE_END,
  MAX_WANTED_LENGTH,
  payForSearch,
  sizeOf,
  spendWeight,
  type Spend,
} from './budget.ts';
import { largeInteger, MAX_NUMBER_LENGTH } from './numbers.ts';

/** The values of the words `empty` and `blank`, which equal whatever has no content. As a text, they are empty. */
export const EMPTY = Symbol('empty');
export const BLANK = Symbol('blank');

/** Everything is true but `false`, `null` and what is missing. */
export const isTruthy = (value: unknown): boolean => value !== false && value !== null && value !== undefined;

/** True if both are the same, as Liquid sees it: what is missing is null, and lists are equal by their elements. */
export function equals(left: unknown, right: unknown): boolean {
  if (typeof left === 'symbol') return isEmpty(right, left);
  if (typeof right === 'symbol') return isEmpty(left, right);
  if (!Array.isArray(left) || !Array.isArray(right)) return (left ?? null) === (right ?? null);
  return left.length === right.length && left.every((each, place) => equals(each, right[place]));
}

const isEmpty = (value: unknown, wanted: symbol): boolean =>
  sizeOf(value) === 0 ||
  (wanted === BLANK && (!isTruthy(value) || (typeof value === 'string' && /^\s*$/.test(value))));

/** Returns an own property; places in a list count from its end if they are below 0, and it has a `first` and a `last`. */
export function propertyOf(holder: unknown, key: unknown): unknown {
  if (holder === null || holder === undefined) return holder;
  if (Array.isArray(holder)) {
    if (typeof key === 'number') return ownOf(holder, key < 0 ? holder.length + key : key);
    if (key === 'first') return holder[0];
    if (key === 'last') return holder.at(-1);
  }
  // A text has its places and its length.
  const whole: object = typeof holder === 'object' ? holder : new Object(holder);
  return ownOf(whole, typeof key === 'symbol' ? '' : String(key));
}

const ownOf = (holder: object, key: number | string): unknown =>
  Object.hasOwn(holder, key) ? (Reflect.get(holder, key) as unknown) : undefined;

/** True if a comparison holds. It walks through texts and lists, and pays for that. */
export function compare(operator: string, left: unknown, right: unknown, spend: Spend): boolean {
  payForComparison(operator, left, right, spend);
  if (operator === '==') return equals(left, right);
  if (operator === '!=') return !equals(left, right);
  if (operator === 'contains') return contains(left, right);
  const [one, other] = [ordered(left), ordered(right)];
  const [a, b] = [beside(other, one), beside(one, other)];
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}

function contains(whole: unknown, part: unknown): boolean {
  // The text `undefined` is not what is missing.
  if (!isTruthy(part)) return false;
  if (Array.isArray(whole)) return whole.some((each) => equals(each, part));
  return typeof whole === 'string' && whole.includes(typeof part === 'symbol' ? '' : String(part));
}

/** Returns a text as the number that it is if the other value is one. An empty text is none. */
const beside = (other: Ordered, value: Ordered): Ordered =>
  typeof other === 'string' || typeof value !== 'string' ? value : Number(value.trim() || Number.NaN);

type Ordered = number | string | bigint;

/** Returns what JavaScript puts in order; what is missing, lists and objects are in none. */
function ordered(value: unknown): Ordered {
  if (typeof value === 'string') return largeInteger(value) ?? value;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number.NaN;
}

/** Spends the cost of an operator for its two operands. */
function payForComparison(operator: string, left: unknown, right: unknown, spend: Spend): void {
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator !== 'contains') return spend(Math.min(left.length, right.length));
    spend(left.length);
    return payForSearch(left, right, spend);
  }
  // `empty` and `blank` read keys or characters.
  if (typeof left === 'symbol' || typeof right === 'symbol') return spend(sizeOf(left) + sizeOf(right));
  const isConstant = /^[!=]=$/.test(operator) && !(Array.isArray(left) && Array.isArray(right));
  if (!isConstant) for (const side of [left, right]) spendWeight(side, spend);
}

/** Equals no text, number or list. */
const OTHER = { other: true };

/** Returns a simpler value that a `case` compares with many. The contents of a list or an object do not matter. */
export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_WANTED_LENGTH ? OTHER : value;
  if (typeof value === 'symbol') return '';
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) && value.length === 0 ? '' : OTHER;
}

/** Returns an operand that is to be read as a number; lists, objects and long texts are not numbers. */
export function numberOf(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > MAX_NUMBER_LENGTH;
  return isLong || typeof value === 'symbol' || (typeof value === 'object' && value !== null)
    ? Number.NaN
    : value;
}

export function rangeOf(first: unknown, last: unknown, spend: Spend): readonly number[] {
  const [from, to] = [rangeEnd(first), rangeEnd(last)];
  const length = Math.max(0, to - from + 1);
  spend(length);
  return Array.from({ length }, (_, place) => from + place);
}

function rangeEnd(value: unknown): number {
  const end = Math.trunc(Number(numberOf(value))) || 0;
  if (Math.abs(end) > MAX_RANGE_END) throw new TemplateFailure(`a range reaches beyond ${MAX_RANGE_END}`);
  return end;
}
