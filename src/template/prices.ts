import { Drop } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import { toText } from './basics/print.ts';
import type { Spend } from './basics/weight.ts';
import { sizeOf, spendWeight, weightOf } from './basics/weight.ts';

/**
 * The price of a filter before it runs, in units of about 10 ns: all that is in its value and its arguments, unless it
 * is named here. What it makes beyond that is charged afterwards; see filters.ts. The prices are measured with the
 * worst values known: none is more than a few times too low.
 */

/** Filters that do not look into their value and arguments. */
const FROM_OUTSIDE = new Set([
  'size',
  'first',
  'last',
  'default',
  'raw',
  'reverse',
  'concat',
  'push',
  'unshift',
  'pop',
  'shift',
  'compact',
  'uniq',
]);

/** Filters that read one property of each element; its path is their first argument. */
const BY_PROPERTY = new Set(['map', 'pluck', 'flatten', 'sum']);
/** Filters that evaluate the path as an expression, which takes longer. */
const BY_EXPRESSION = new Set(['where', 'reject', 'has', 'find', 'find_index', 'group_by']);
const ELEMENT_BY_EXPRESSION = 100;
const SORTS = new Set(['sort', 'sort_natural']);

/** Filters that print a value as JSON, indented if there is an argument. */
const PRINTERS = new Set(['json', 'jsonify', 'inspect']);
const MAX_INDENT = 10;

/** Filters that look for a text inside of another: their first argument. */
const SEARCHES = new Set(['split', 'remove', 'remove_first', 'replace', 'replace_first']);
const BACKWARD_SEARCHES = new Set(['remove_last', 'replace_last']);

/** The cost of a character beyond one unit: these filters read it more than once, or make an object of it. */
const CHARACTERS: ReadonlyMap<string, number> = new Map([
  ['plain', 1],
  ['wiki_text', 5],
  ['bold', 1],
  ['italic', 1],
  ['strike', 1],
  ['strip_html', 1],
  ['escape_once', 1],
  ['cgi_escape', 2],
  ['number_of_words', 2],
  ['slugify', 4],
]);

/** The cost of a call, however short its value is: parsers and formatters of the platform. */
const CALLS: ReadonlyMap<string, number> = new Map([
  ['phone', 4_000],
  ['money', 500],
  ['money_major', 500],
  ['number', 500],
  ['datetime', 500],
  ['duration', 1_000],
  // Two formatters for the zone, and one for each name.
  ['date_to_xmlschema', 40_000],
  ['date_to_rfc822', 80_000],
  ['date_to_string', 60_000],
  ['date_to_long_string', 60_000],
]);

/** A formatter for a zone that a payload names: each may name another, and then none is cached. */
const ELSEWHERE = 6_000;

/** Spends what a filter reads; returns how much that was. */
export function payForReading(name: string, [value, ...args]: readonly unknown[], spend: Spend): number {
  let paid = 0;
  function pay(count: number): void {
    paid += count;
    spend(count);
  }
  pay(CALLS.get(name) ?? 0);
  if (name === 'datetime' && args.length > 1) pay(ELSEWHERE);
  if (FROM_OUTSIDE.has(name)) for (const each of [value, ...args]) pay(sizeOf(each));
  else if (BY_EXPRESSION.has(name)) payForExpressions(value, args, pay);
  else if (SORTS.has(name) || (BY_PROPERTY.has(name) && args.length > 0))
    payForProperties(value, args[0], pay);
  else {
    const indent = PRINTERS.has(name) && args.length > 0 ? MAX_INDENT : 0;
    for (const each of [value, ...args]) spendWeight(each, pay, indent);
  }
  return paid;
}

/** A name of a path is looked up in each element, even after the path has led to null. */
function payForProperties(list: unknown, path: unknown, pay: Spend): void {
  pay(sizeOf(list) * LOOKED_UP);
  spendWeight(path, pay);
  pay(weightOf(path) * elementsOf(list) * LOOKED_UP);
}

function payForExpressions(list: unknown, [path, expected]: readonly unknown[], pay: Spend): void {
  const elements = elementsOf(list);
  pay(sizeOf(list) + elements * ELEMENT_BY_EXPRESSION);
  spendWeight(path, pay);
  pay(weightOf(path) * elements * LOOKED_UP_BY_EXPRESSION);
  // A range would be built without the bounds that one in a template has.
  if (/\(/.test(toText(path).replace(/'[^']*'|"[^"]*"/g, '')))
    throw new TemplateFailure('a property is a path, without parentheses');
  // The found value is compared; with a list or `empty`, by all that is in it.
  if (typeof expected === 'object' && expected !== null)
    for (const each of [list, expected]) spendWeight(each, pay);
  else pay(sizeOf(expected) * elements);
}

const LOOKED_UP = 2;
const LOOKED_UP_BY_EXPRESSION = 20;

const elementsOf = (list: unknown): number => (Array.isArray(list) ? list.length : sizeOf(list));

/** Spends what sorting a list by its keys costs. */
export function payForSorting(name: string, keys: unknown, pay: Spend): void {
  if (!Array.isArray(keys)) return;
  const perUnit = name === 'sort' ? COMPARED_PER_UNIT : LOWERED_PER_UNIT;
  const levels = Math.ceil(Math.log2(keys.length + 1));
  pay(keys.length * levels * COMPARISON);
  for (const key of keys as readonly unknown[]) {
    if (typeof key === 'string') pay((key.length / perUnit) * levels);
    // A list as a key is converted to a text for each comparison.
    else spendWeight(key, (count) => pay(count * levels));
  }
}

/** Units of one comparison of two short values. */
const COMPARISON = 8;

/** Spends what an operator costs for its two operands. */
export function payForComparison(operator: string, left: unknown, right: unknown, pay: Spend): void {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  if (operator === 'contains' && areTexts) pay(left.length + right.length + searchCost(left, right));
  else if (areTexts) pay(Math.min(left.length, right.length));
  // `empty` and `blank` read keys or characters; other comparisons take constant time, unless both are lists.
  else if (left instanceof Drop || right instanceof Drop) pay(sizeOf(left) + sizeOf(right));
  else if (
    operator === 'contains' ||
    !/^[!=]=$/.test(operator) ||
    (Array.isArray(left) && Array.isArray(right))
  )
    for (const side of [left, right]) spendWeight(side, pay);
}

/** Spends what a text filter costs beyond reading the texts once. */
export function payForWork(name: string, [text, first]: readonly unknown[], pay: Spend): void {
  if (name === 'truncate_chars') pay(Math.min(Number(first), weightOf(text)) * GRAPHEME);
  if (typeof text !== 'string') return;
  pay(text.length * (CHARACTERS.get(name) ?? 0));
  if (typeof first !== 'string') return;
  if (SEARCHES.has(name)) pay(searchCost(text, first));
  if (BACKWARD_SEARCHES.has(name)) pay(comparedTo(text, first, MAX_FAST_BACKWARD_PATTERN));
}

/** Finding where one grapheme ends. */
const GRAPHEME = 25;

/** The longest texts that V8 finds without comparing a place again and again, as with `abaa` in `aaaaaaaa`. */
const MAX_FAST_PATTERN = 250;
const MAX_FAST_BACKWARD_PATTERN = 16;
/** Characters that V8 compares in one unit. */
const COMPARED_PER_UNIT = 16;
/** Characters that V8 lower-cases and then compares in one unit. */
const LOWERED_PER_UNIT = 4;

/** Returns the cost of searching for one text in another beyond reading both. */
export function searchCost(text: string, wanted: string): number {
  return comparedTo(text, wanted, MAX_FAST_PATTERN);
}

function comparedTo(text: string, { length }: string, fast: number): number {
  return length > fast && length <= text.length ? (text.length * length) / COMPARED_PER_UNIT : 0;
}
