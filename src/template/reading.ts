import { Drop, toValue } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import { MAX_NUMBER_LENGTH } from './basics/integer.ts';
import { toText } from './basics/print.ts';
import type { ListLookup } from './filters/lists.ts';
import type { Spend } from './basics/weight.ts';
import { sizeOf, spendWeight } from './basics/weight.ts';

/**
 * Converts the value and the arguments of a filter into the form that it reads, within bounds, and pays for reading
 * them. After that, the filter's work grows no faster than the amount paid.
 */
export type Reading<Read> = (operands: readonly unknown[], spend: Spend) => Read;

/**
 * The longest text that is searched for, or that equals a value of a `case`. For a longer one, V8 may examine each
 * place again and again.
 */
const MAX_WANTED_LENGTH = 250;

/** Operands that take the same time, whatever they are. */
export const asIs: Reading<readonly unknown[]> = (operands) => operands;

/** Returns an operand that is to be read as a number; lists, objects and long texts are not numbers. */
export function numberOf(operand: unknown): unknown {
  const value: unknown = toValue(operand);
  const isLong = typeof value === 'string' && value.length > MAX_NUMBER_LENGTH;
  return isLong || (typeof value === 'object' && value !== null) ? Number.NaN : value;
}

/** A list whose elements are not examined, and another one. */
export const elements: Reading<readonly unknown[]> = function readElements([list, ...more], spend) {
  for (const each of more) spend(sizeOf(each));
  return [elementsOf(list, spend), ...more];
};

/**
 * Returns the elements of a list, and those of lists in it in their place, as standard Liquid does. A value that is no
 * list is the only element.
 */
function elementsOf(operand: unknown, spend: Spend): readonly unknown[] {
  const value: unknown = toValue(operand);
  if (Array.isArray(value)) return addElements(value, [], spend);
  spend(sizeOf(value));
  return isMissing(value) ? [] : [value];
}

function addElements(list: readonly unknown[], found: unknown[], spend: Spend): readonly unknown[] {
  spend(sizeOf(list));
  for (const each of list) {
    if (Array.isArray(each)) addElements(each, found, spend);
    else found.push(each);
  }
  return found;
}

/** A list or text, a place in it, and a length. */
export const slice: Reading<readonly unknown[]> = function readSlice([value, place, length], spend) {
  spend(sizeOf(value));
  return [value, wholeNumber(place), optional(length)];
};

/** A text, the number of characters or words to keep, and an ending. */
export const cut: Reading<readonly unknown[]> = function readCut([value, ...args], spend) {
  const [length, ...ending] = args;
  return [
    ...texts()([value], spend),
    args.length > 0 ? wholeNumber(length) : undefined,
    ...texts()(ending, spend),
  ];
};

/** Returns an operand that counts something. */
function wholeNumber(operand: unknown): number {
  const value = numberOf(operand);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new TemplateFailure('a length or a place must be a whole number');
}

/** The same for an operand that may be missing. */
export const optional = (operand: unknown): number | undefined =>
  isMissing(operand) ? undefined : wholeNumber(operand);

const isMissing = (operand: unknown): boolean => {
  const value: unknown = toValue(operand);
  return value === undefined || value === null;
};

/** Everything in the operands, and `price` for the call itself. */
export const call = (price: number): Reading<readonly unknown[]> =>
  function readCall(operands, spend) {
    spend(price);
    for (const each of operands) spendWeight(each, spend);
    return operands;
  };

/**
 * A value to format, and so many operands at most. Beyond them are a zone or a locale: a payload may name others each
 * time, and then no formatter is cached.
 */
export const formatted =
  (price: number, usual: number): Reading<readonly unknown[]> =>
  (operands, spend) =>
    call(operands.length > usual ? 6_500 : price)(operands, spend);

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

/** liquidjs would turn an object into `[object Object]`, and take a missing argument for one that is not written. */
function printed(value: unknown, spend: Spend): unknown {
  spendWeight(value, spend);
  return typeof value === 'object' || value === undefined ? toText(value) : value;
}

/** For operands whose weight is paid. */
const paid: Spend = () => undefined;

/** A list of texts, and the separator between them. */
export const listOfTexts: Reading<readonly unknown[]> = function readListOfTexts([list, ...rest], spend) {
  spendWeight(list, spend);
  const inList = elementsOf(list, paid).map((each) => printed(each, paid));
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
  const list = elementsOf(operand, spend);
  spendWeight(path, spend);
  const of = shortEnough(toText(path));
  const names = of === '' ? [] : of.split('.');
  spend(list.length * LOOK_UP * names.length);
  // `empty` and `blank` count the contents of a value.
  if (wanted instanceof Drop) spendWeight(list, spend);
  const looked = { value: toValue(operand) as unknown, list, path: of, names };
  if (isMissing(wanted)) return { ...looked, wanted: undefined };
  return { ...looked, wanted: typeof wanted === 'string' ? shortEnough(wanted) : wanted };
};

/** The same for filters that look into texts as well. */
export const selection: Reading<ListLookup> = function readSelection(operands, spend) {
  const read = lookup(operands, spend);
  for (const each of read.list) {
    if (typeof each !== 'string') continue;
    spend(each.length);
    payForSearch(each, read.path, spend);
  }
  return read;
};

/** The same for one that compares whole elements. */
export const equals: Reading<ListLookup> = function readEquals(operands, spend) {
  const read = lookup(operands, spend);
  spendWeight(read.list, spend);
  return read;
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
