import { Drop, toValue } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import { toText } from './basics/print.ts';
import type { ListLookup } from './filters/lists.ts';
import type { Spend } from './basics/weight.ts';
import { sizeOf, spendWeight } from './basics/weight.ts';

/**
 * Converts the value and the arguments of a filter into the form that it reads, within bounds, and pays for reading
 * them. After that, the filter's work grows no faster than the amount paid.
 */
export type Reading<Read> = (operands: readonly unknown[], spend: Spend) => Read;

/** The longest text that is read as a number. UTF-16 units. */
const MAX_NUMBER_LENGTH = 400;
/**
 * The longest text that is searched for, or that equals a value of a `case`. For a longer one, V8 may examine each
 * place again and again.
 */
const MAX_WANTED_LENGTH = 250;

/** Operands that take the same time, whatever they are. */
export const asIs: Reading<readonly unknown[]> = (operands) => operands;

/** Numbers, or values that convert to one at once. */
export const numbers: Reading<readonly unknown[]> = (operands) => operands.map(numberOf);

/** Returns an operand that is to be read as a number; lists, objects and long texts are not numbers. */
export function numberOf(operand: unknown): unknown {
  const value: unknown = toValue(operand);
  const isLong = typeof value === 'string' && value.length > MAX_NUMBER_LENGTH;
  return isLong || (typeof value === 'object' && value !== null) ? Number.NaN : value;
}

/** Lists whose elements are not examined, and texts. */
export const elements: Reading<readonly unknown[]> = function readElements(operands, spend) {
  for (const each of operands) spend(sizeOf(each));
  return operands;
};

/** A list or text, and places in it. */
export const slice: Reading<readonly unknown[]> = ([value, ...places], spend) => [
  ...elements([value], spend),
  ...places.map(numberOf),
];

/** Everything in the operands, and `price` for the call itself. */
export const call = (price: number): Reading<readonly unknown[]> =>
  function readCall(operands, spend) {
    spend(price);
    for (const each of operands) spendWeight(each, spend);
    return operands;
  };

/** A time, a style, and a zone. A payload may name another zone each time, and then no formatter is cached. */
export const time: Reading<readonly unknown[]> = (operands, spend) =>
  call(operands.length > 2 ? 6_500 : 500)(operands, spend);

/** A value to print, and the number of blanks of a level. */
export const json: Reading<readonly [unknown, number]> = function readJson([value, argument], spend) {
  const indent = argument === undefined ? 0 : 2;
  spendWeight(value, spend, indent);
  return [value, indent];
};

/** Texts; any other value is printed. `more`: the price of a character beyond 1. */
export const texts = (more = 0): Reading<readonly unknown[]> =>
  function readTexts(operands, spend) {
    const read = operands.map((each) => printed(each, spend));
    spend(sizeOf(read[0]) * more);
    return read;
  };

/** liquidjs would turn an object into `[object Object]`. */
function printed(value: unknown, spend: Spend): unknown {
  spendWeight(value, spend);
  return typeof value === 'object' && value !== null ? toText(value) : value;
}

/** A list of texts, and the separator between them. */
export const listOfTexts: Reading<readonly unknown[]> = function readListOfTexts([list, ...rest], spend) {
  spendWeight(list, spend);
  const inList = Array.isArray(list) ? list.map((each) => printed(each, () => undefined)) : list;
  return [inList, ...rest.map((each) => printed(each, spend))];
};

/** The price of finding where one grapheme ends. */
const GRAPHEME = 25;

/** A text, and the number of its graphemes that are examined. */
export const graphemes: Reading<readonly unknown[]> = function readGraphemes(operands, spend) {
  const read = texts()(operands, spend);
  spend(Math.min(Number(read[1]) || 0, sizeOf(read[0])) * GRAPHEME);
  return read;
};

/** A text, and one to search for in it. */
export const search: Reading<readonly unknown[]> = function readSearch(operands, spend) {
  const read = texts(1)(operands, spend);
  payForSearch(read[0], read[1], spend);
  return read;
};

/** The number of characters that V8 compares in one unit. */
const COMPARED_PER_UNIT = 16;

/** Backward, V8 compares the whole wanted text at each place. */
function payForSearch(text: unknown, wanted: unknown, spend: Spend): void {
  if (typeof wanted === 'string') spend((sizeOf(text) * shortEnough(wanted).length) / COMPARED_PER_UNIT);
}

function shortEnough(wanted: string): string {
  if (wanted.length <= MAX_WANTED_LENGTH) return wanted;
  throw new TemplateFailure(`the text to look for must have at most ${MAX_WANTED_LENGTH} characters`);
}

/** The price of an element that is compared with another one. */
const COMPARISON = 8;
/** The price of a name of a path that is looked up in an element. */
const LOOK_UP = 16;

export const lookup: Reading<ListLookup> = function readLookup([operand, path, wanted], spend) {
  const value: unknown = toValue(operand);
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const names = path === undefined ? [] : shortEnough(toText(path)).split('.');
  spend(list.length * (COMPARISON + LOOK_UP * names.length));
  // `empty` and `blank` count the contents of a value.
  if (wanted instanceof Drop) spendWeight(list, spend);
  return { value, list, names, wanted: typeof wanted === 'string' ? shortEnough(wanted) : wanted };
};

/** The same for a list to sort. */
export const sort: Reading<ListLookup> = function readSort(operands, spend) {
  const read = lookup(operands, spend);
  spend(read.list.length * Math.ceil(Math.log2(read.list.length + 1)) * COMPARISON);
  return read;
};

/** Spends the cost of an operator for its two operands. */
export function payForComparison(operator: string, left: unknown, right: unknown, spend: Spend): void {
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator !== 'contains') return spend(Math.min(left.length, right.length));
    spend(left.length);
    return payForSearch(left, right, spend);
  }
  // `empty` and `blank` read keys or characters.
  if (left instanceof Drop || right instanceof Drop) return spend(sizeOf(left) + sizeOf(right));
  const isConstant = /^[!=]=$/.test(operator) && !(Array.isArray(left) && Array.isArray(right));
  if (!isConstant) for (const side of [left, right]) spendWeight(side, spend);
}

/** Equals no text, number or list. */
const OTHER = { other: true };

/** Returns a simpler value that a `case` compares with many. The contents of a list or an object do not matter. */
export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_WANTED_LENGTH ? OTHER : value;
  if (typeof value !== 'object' || value === null || value instanceof Drop) return value;
  return Array.isArray(value) && value.length === 0 ? '' : OTHER;
}
