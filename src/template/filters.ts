import { truncateGraphemes } from '../lib/text.ts';
import { err, ok, type Result } from '../lib/result.ts';
import {
  TemplateFailure,
  FILTER_CALL,
  countIn,
  payForSearch,
  shortEnough,
  sizeOf,
  spendWeight,
  type Spend,
} from './basics/budget.ts';
import { isNoFiniteNumber } from './basics/numbers.ts';
import { LOCALE, localeIn, type Locale, isZone, LOCAL } from './basics/locale.ts';
import { glimpse, toText } from './basics/print.ts';
import { numberOf } from './basics/values.ts';
import { calculate } from './filters/arithmetic.ts';
import { bold, italic, mono, plain, strike, unescapeHtml, wikiText, withoutLinks } from './filters/chat.ts';
import { formatDateTime, formatTime, namesNoZone, parseMoment, zoneOfClock } from './filters/dates.ts';
import { formatDuration } from './filters/durations.ts';
import * as lists from './filters/lists.ts';
import type { ListLookup } from './filters/lists.ts';
import { formatMajor, formatMinor, formatNumber } from './filters/money.ts';
import { readReceiver } from '../phone/read.ts';
import * as words from './filters/words.ts';
import { MAX_PATH, type Context } from './render.ts';

export interface FilterCall {
  readonly name: string;
  /** What stands before it in its expression. */
  readonly before: string;
  readonly context: Context;
  /** The value of its argument that has a name; undefined if there is none. */
  readonly option: unknown;
}

/** A filter that pays for its work. */
export interface Filter {
  readonly min: number;
  readonly max: number;
  /** The name of one more. */
  readonly option?: string;
  /** Returns the result; the filter's work grows no faster than the amount that it pays. */
  readonly call: (operands: readonly unknown[], spend: Spend, call: FilterCall) => unknown;
  /** True if it returns a part of its operands. */
  readonly makesNothing?: boolean;
  /** True if `empty` and `blank` are no texts to it. */
  readonly knowsEmpty?: boolean;
}

type Make<Made> = (operands: readonly unknown[], spend: Spend, call: FilterCall) => Made;

const of = (min: number, max: number, call: Make<unknown>): Filter => ({ min, max, call });

/** Makes a filter from a text to a text. `more`: the price of a character beyond 1. */
const ofText = (make: (text: string) => string, more = 0): Filter =>
  of(0, 0, (operands, spend) => make(textsOf(operands, spend, more)[0] ?? ''));

const ofNumbers = (min: number, max: number): Filter =>
  of(min, max, (operands, _, { name }) => madeBy(name, calculate(name, operands)));

const replacing = (min: number, max: number, replace: words.Replace): Filter =>
  of(min, max, (operands, spend) => {
    const [text, wanted, by = ''] = searched(operands, spend);
    return replace(text, wanted, by, spend);
  });

const ofList = (min: number, max: number, make: (lookup: ListLookup, spend: Spend) => unknown): Filter =>
  of(min, max, (operands, spend) => make(lookup(operands, spend), spend));

/** Makes a filter that looks for elements, also into those that are texts. */
const ofElements = (
  make: (list: readonly unknown[], isWanted: (element: unknown) => boolean) => unknown,
): Filter => ({
  ...of(1, 2, function search(operands, spend) {
    const read = lookup(operands, spend);
    for (const each of read.list) {
      if (typeof each !== 'string') continue;
      spend(each.length);
      payForSearch(each, read.path, spend);
    }
    return make(read.list, (element) => lists.matches(element, read));
  }),
  knowsEmpty: true,
});

const sorting = (keyOf: typeof lists.keyOf): Filter =>
  of(0, 1, function sorted(operands, spend) {
    const read = lookup(operands, spend);
    spend(read.list.length * Math.ceil(Math.log2(read.list.length + 1)) * COMPARISON);
    return lists.inOrder(read, keyOf);
  });

/** Makes a filter that takes one element of a list, or character of a text. */
const elementAt = (place: number): Filter => ({
  ...of(0, 0, function pick([value], spend) {
    if (typeof value === 'string') return words.slice(value, place, 1, spend);
    return Array.isArray(value) ? (value.at(place) as unknown) : '';
  }),
  makesNothing: true,
});

const cutting = (cut: (text: string, length: number | undefined, end: string) => string): Filter =>
  of(0, 2, function shorten([value, ...args], spend) {
    const [length, ...ending] = args;
    const [text = '', end = '...'] = textsOf([value, ...ending], spend);
    return cut(text, args.length > 0 ? wholeNumber(length) : undefined, end);
  });

/** Makes a filter of hookbell. It is not called for a null value or an empty text; the result is then an empty text. */
const own = (min: number, max: number, make: Make<Result<unknown, string>>): Filter =>
  of(min, max, function call(operands, spend, filter) {
    const [value] = operands;
    if (value === undefined || value === null || value === '') return '';
    return madeBy(filter.name, make(operands, spend, filter));
  });

/**
 * The same for a filter that formats a number in a locale, which may be its last argument; one that is not known counts
 * as none. `+Inf` and the like, which monitors send, are printed as they came. `usual`: the number of operands without
 * a zone or a locale: a payload may name others each time, and then no formatter is cached.
 */
function ofNumber(
  min: number,
  max: number,
  [price, usual]: readonly [number, number],
  make: (read: readonly unknown[], locale: Locale) => Result<unknown, string>,
): Filter {
  const filter = own(min, max, function format(given, spend, { option, context: { locale: at } }) {
    const all = option === undefined ? given : [...given, option];
    paid(all, spend, all.length > usual ? WITH_OTHER_FORMATTER : price);
    if (isNoFiniteNumber(all[0])) return ok(all[0]);
    if (all.length === min + 1) return make(all, at);
    const operands = [...all];
    const last = operands.at(-1);
    const locale = localeIn(last);
    const isOwn = option === undefined && (locale === null || isZone(String(last)));
    if (!isOwn || operands.length > max + 1) operands.pop();
    return make(operands, locale === null || isOwn ? at : { ...at, locale });
  });
  return { ...filter, option: LOCALE };
}

const WITH_OTHER_FORMATTER = 6_500;

/** A filter that shows a time to people: a preview notes a time that names no zone where no zone is written. */
const ofClock = (filter: Filter): Filter => ({
  ...filter,
  call(operands, spend, call) {
    const [value, , zone] = operands;
    if (!zone && namesNoZone(value)) call.context.missing?.clocks.add(call.before.trim().slice(0, MAX_PATH));
    return filter.call(operands, spend, call);
  },
});

function madeBy(name: string, made: Result<unknown, string>): unknown {
  if (made.ok) return made.value;
  throw new TemplateFailure(`${name}: ${made.error}`);
}

/** Every filter that a template may name: those of standard Liquid, and those of hookbell. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['default', { ...of(0, 1, defaultTo), option: 'allow_false', makesNothing: true }],
  ['size', of(0, 0, ([value], spend) => countIn(value, spend) ?? 0)],
  ['first', elementAt(0)],
  ['last', elementAt(-1)],
  ...['abs', 'ceil', 'floor'].map((name) => [name, ofNumbers(0, 0)] as const),
  ...['at_least', 'at_most', 'minus', 'modulo', 'plus', 'times'].map(
    (name) => [name, ofNumbers(1, 1)] as const,
  ),
  ['round', ofNumbers(0, 1)],
  ['divided_by', ofNumbers(1, 2)],
  ['reverse', of(0, 0, ([list], spend) => elementsOf(list, spend).toReversed())],
  ['concat', of(1, 1, concat)],
  ['slice', of(1, 2, slice)],
  ['join', of(0, 1, join)],
  ['base64_encode', ofText(words.encodeBase64)],
  ['base64_decode', ofText(words.decodeBase64)],
  ['capitalize', ofText((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())],
  ['downcase', ofText((text) => text.toLowerCase())],
  ['upcase', ofText((text) => text.toUpperCase())],
  ['newline_to_br', ofText((text) => text.replaceAll(/\r?\n/g, '<br />\n'))],
  ['strip_newlines', ofText((text) => text.replaceAll(/\r?\n/g, ''))],
  ['squish', ofText((text) => text.replaceAll(/\s+/g, ' ').trim())],
  ['escape', ofText(words.escapeHtml, 1)],
  ['escape_once', ofText(words.escapeOnce, 1)],
  ['strip_html', ofText(words.stripHtml, 1)],
  ['lstrip', ofText((text) => text.trimStart(), 1)],
  ['rstrip', ofText((text) => text.trimEnd(), 1)],
  ['strip', ofText((text) => text.trim(), 1)],
  ['url_decode', ofText(words.decodeUrl, 1)],
  ['url_encode', ofText(words.encodeUrl, 1)],
  ['append', of(1, 1, (operands, spend) => textsOf(operands, spend).join(''))],
  ['prepend', of(1, 1, (operands, spend) => textsOf(operands, spend).toReversed().join(''))],
  ['remove', replacing(1, 1, words.replaceAll)],
  ['remove_first', replacing(1, 1, words.replaceFirst)],
  ['remove_last', replacing(1, 1, words.replaceLast)],
  ['replace', replacing(1, 2, words.replaceAll)],
  ['replace_first', replacing(1, 2, words.replaceFirst)],
  ['replace_last', replacing(2, 2, words.replaceLast)],
  ['truncate', cutting(words.truncate)],
  ['truncatewords', cutting(words.truncateWords)],
  ['split', of(1, 1, (operands, spend) => words.split(searched(operands, spend)))],
  ['date', ofClock(of(1, 2, date))],
  ['map', ofList(1, 1, lists.map)],
  ['compact', ofList(0, 1, lists.compact)],
  ['uniq', ofList(0, 1, lists.uniq)],
  ['where', ofElements((list, isWanted) => list.filter(isWanted))],
  ['reject', ofElements((list, isWanted) => list.filter((one) => !isWanted(one)))],
  ['has', ofElements((list, isWanted) => list.some(isWanted))],
  ['find', ofElements((list, isWanted) => list.find(isWanted))],
  ['find_index', ofElements((list, isWanted) => [...list.keys()].find((at) => isWanted(list[at])))],
  ['sort', sorting(lists.keyOf)],
  ['sort_natural', sorting(lists.naturalKeyOf)],
  ['sum', own(0, 1, (operands, spend) => lists.sum(lookup(operands, spend)))],
  ['pluck', own(1, 1, (operands, spend) => lists.pluck(lookup(operands, spend)))],
  ['flatten', own(1, 1, (operands, spend) => lists.flatten(lookup(operands, spend)))],
  ['phone', own(0, 1, phone)],
  ['money', ofNumber(1, 1, [500, 2], ([value, of], at) => formatMinor(value, of, at.locale, at.exponents))],
  ['money_major', ofNumber(1, 1, [500, 2], ([value, of], at) => formatMajor(value, of, at.locale))],
  ['number', ofNumber(0, 1, [500, 2], ([value, digits], at) => formatNumber(value, digits, at.locale))],
  [
    'datetime',
    ofClock(ofNumber(0, 2, [500, 2], ([value, style, zone], at) => formatDateTime(value, style, at, zone))),
  ],
  ['duration', ofNumber(0, 0, [1_000, 1], ([value], at) => formatDuration(value, at.locale))],
  ['bold', ofText(bold, 2)],
  ['italic', ofText(italic, 2)],
  ['strike', ofText(strike, 2)],
  ['mono', ofText(mono)],
  ['plain', ofText(plain, 3)],
  ['without_links', ofText(withoutLinks, 1)],
  ['wiki_text', ofText(wikiText, 5)],
  ['unescape', ofText(unescapeHtml, 1)],
  ['truncate_chars', own(1, 1, truncateChars)],
  ['json', own(0, 1, json)],
]);

/** Calls a filter, and charges it for output beyond what it has read. */
export function callFilter(call: FilterCall, operands: readonly unknown[]): unknown {
  const filter = FILTERS.get(call.name);
  if (filter === undefined) throw new Error(`there is no filter ${call.name}`);
  const { work } = call.context.budget;
  let paidFor = 0;
  function spend(amount: number): void {
    paidFor += amount;
    work(amount);
  }
  spend(FILTER_CALL);
  try {
    const read = operands.map((each) => (typeof each === 'symbol' && !filter.knowsEmpty ? '' : each));
    const made = filter.call(read, spend, call);
    // An object is never new.
    if (!filter.makesNothing && (typeof made === 'string' || Array.isArray(made)))
      work(sizeOf(made) - paidFor);
    return made;
  } catch (error) {
    if (error instanceof TemplateFailure) throw error;
    // The text is left out: it could quote the payload.
    throw new TemplateFailure(`${call.name}: cannot be applied to this value`);
  }
}

/** Pays for everything in the operands, and `price` for the call itself. */
function paid(operands: readonly unknown[], spend: Spend, price: number): void {
  spend(price);
  for (const each of operands) spendWeight(each, spend);
}

/** Returns operands as texts. `more`: the price of a character of the first one beyond 1. */
function textsOf(operands: readonly unknown[], spend: Spend, more = 0): string[] {
  paid(operands, spend, 0);
  const texts = operands.map(toText);
  spend((texts[0] ?? '').length * more);
  return texts;
}

/** Returns a text, one to search for in it, and others. */
function searched(operands: readonly unknown[], spend: Spend): readonly [string, string, ...string[]] {
  const [text = '', wanted = '', ...more] = textsOf(operands, spend, 1);
  payForSearch(text, wanted, spend);
  return [text, wanted, ...more];
}

const isMissing = (operand: unknown): boolean => operand === undefined || operand === null;

/** Lists in a list count by their elements, as in standard Liquid. A value that is no list is the only element. */
function elementsOf(value: unknown, spend: Spend, found: unknown[] = []): readonly unknown[] {
  spend(sizeOf(value));
  if (!Array.isArray(value)) return isMissing(value) ? [] : [value];
  for (const each of value as unknown[])
    if (Array.isArray(each)) elementsOf(each, spend, found);
    else found.push(each);
  return found;
}

function wholeNumber(operand: unknown): number {
  const value = numberOf(operand);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new TemplateFailure('a length or a place must be a whole number');
}

/** The same for an operand that may be missing. */
export const optional = (operand: unknown): number | undefined =>
  isMissing(operand) ? undefined : wholeNumber(operand);

const COMPARISON = 8;
const LOOK_UP = 16;

function lookup([value, argument, wanted]: readonly unknown[], spend: Spend): ListLookup {
  const list = elementsOf(value, spend);
  spendWeight(argument, spend);
  const path = shortEnough(toText(argument));
  const names = path === '' ? [] : path.split('.');
  spend(list.length * LOOK_UP * names.length);
  // `empty` and `blank` count the contents of a value.
  if (typeof wanted === 'symbol') spendWeight(list, spend);
  const found = typeof wanted === 'string' ? shortEnough(wanted) : (wanted ?? undefined);
  return { value, list, path, names, wanted: found };
}

/** `default`, whose option may come before its value. */
function defaultTo([value, other]: readonly unknown[], spend: Spend, { option }: FilterCall): unknown {
  if (typeof value === 'object') spend(sizeOf(value));
  const isThere = !isMissing(value) && value !== false && sizeOf(value) > 0;
  return isThere || (value === false && option) ? value : other;
}

function concat([list, other]: readonly unknown[], spend: Spend): unknown[] {
  spend(sizeOf(other));
  return [...elementsOf(list, spend), ...(isMissing(other) ? [] : [other].flat())];
}

function slice([value, place, length]: readonly unknown[], spend: Spend): unknown {
  spend(sizeOf(value));
  const [from, size] = [wholeNumber(place), optional(length) ?? 1];
  if (isMissing(value)) return [];
  return words.slice(Array.isArray(value) ? value : toText(value), from, size, spend);
}

function join([list, ...separator]: readonly unknown[], spend: Spend): string {
  spendWeight(list, spend);
  const found = elementsOf(list, () => undefined).map(toText);
  const [by = ' '] = textsOf(separator, spend);
  // Paid before it is made.
  spend(by.length * found.length);
  return found.join(by);
}

/**
 * `date`, except that `now` is when the event came in or the notification is rendered, so that a replay gives the same
 * text, and that a day without a time is that day in every zone.
 */
function date(operands: readonly unknown[], spend: Spend, { context }: FilterCall): unknown {
  const { locale, scope } = context;
  const now = scope.notification?.at ?? scope.event.received_at;
  const [value, written, given] = operands;
  paid(operands, spend, operands.length > 2 ? WITH_OTHER_FORMATTER : 500);
  const moment = parseMoment(value === 'now' || value === 'today' ? now : value, zoneOfClock(locale, given));
  const format = toText(written);
  if (!moment.ok || format === '') return value;
  const { ms, dayOnly } = moment.value;
  const own = dayOnly ? 'UTC' : locale.timezone;
  const zone = typeof given === 'number' ? given : toText(given === LOCAL ? '' : given).trim() || own;
  if (typeof zone === 'string' && !isZone(zone))
    throw new TemplateFailure(`date: ${glimpse(zone)} is no time zone: an IANA name is needed`);
  return formatTime(ms, format, zone, locale.locale, spend);
}

function phone(operands: readonly unknown[], spend: Spend, { context }: FilterCall): Result<unknown, string> {
  paid(operands, spend, 4_000);
  const [value, of] = operands;
  // What a payload has may be no code of a country.
  const country = typeof of === 'string' && /^[a-z]{2}$/i.test(of) ? of : context.locale.country;
  return readReceiver(value, { ...context.locale, country }, context.scope.payload);
}

/** The price of finding where one grapheme ends. */
const GRAPHEME = 25;

function truncateChars([value, length]: readonly unknown[], spend: Spend): Result<string, string> {
  paid([value, length], spend, 0);
  const text = toText(value);
  spend(Math.min(Number(numberOf(length)) || 0, text.length) * GRAPHEME);
  if (typeof length === 'number' && Number.isInteger(length) && length > 0)
    return ok(truncateGraphemes(text, length));
  return err(`the number of characters must be a whole number above 0, not ${glimpse(length)}`);
}

function json([value, lines]: readonly unknown[], spend: Spend): Result<string, string> {
  const indent = lines === undefined ? 0 : 2;
  spendWeight(value, spend, indent);
  return ok(JSON.stringify(value, null, indent));
}
