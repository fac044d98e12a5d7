import { filters as liquidFilters, toValue } from 'liquidjs';
import { calculate } from './filters/arithmetic.ts';
import { parseMoment, zoneOfClock } from './filters/dates.ts';
import { groundOf, madeBy, ofClock } from './filter.ts';
import type { Filter, FilterHandler, FilterThis } from './filter.ts';
import * as lists from './filters/lists.ts';
import { toText } from './basics/print.ts';
import { prepareDate } from './filters/strftime.ts';
import { countCharacters, sizeOf } from './basics/weight.ts';
import type { Spend } from './basics/weight.ts';
import { split, truncateWords } from './filters/words.ts';
import { err, ok } from '../lib/result.ts';
import { LOCAL } from './basics/zones.ts';
import * as reading from './reading.ts';
import type { Reading } from './reading.ts';

/** Makes filters of liquidjs that read their operands in the same way. */
function standard(
  names: readonly string[],
  min: number,
  max: number,
  read: Reading<readonly unknown[]>,
): readonly (readonly [string, Filter])[] {
  return names.map((name) => {
    const handler = handlerOf(name);
    const call: Filter['call'] = (self, operands, spend) => {
      const [value, ...args] = read(operands, spend);
      return handler.call(self, value, ...args) as unknown;
    };
    return [name, { arity: { min, max }, call, makesNothing: read === reading.asIs }];
  });
}

function handlerOf(name: string): FilterHandler {
  const handler = liquidFilters[name];
  if (typeof handler !== 'function') throw new Error(`liquidjs has no filter ${name}`);
  return handler;
}

/** Makes filters of standard Liquid that calculate. */
const arithmetic = (
  names: readonly string[],
  min: number,
  max: number,
): readonly (readonly [string, Filter])[] =>
  names.map((name) => {
    const handler = handlerOf(name);
    const call: Filter['call'] = (self, operands) =>
      madeBy(
        name,
        calculate(name, operands, (a, ...more): unknown => handler.call(self, a, ...more)),
      );
    return [name, { arity: { min, max }, call }];
  });

/** Makes a filter of standard Liquid that liquidjs has not, or has otherwise. */
const of = <Read>(min: number, max: number, read: Reading<Read>, make: (read: Read) => unknown): Filter => ({
  arity: { min, max },
  call: (_, operands, spend) => make(read(operands, spend)),
});

/** The filters of standard Liquid. */
export const STANDARD: readonly (readonly [string, Filter])[] = [
  ['default', { arity: { min: 0, max: 1, option: 'allow_false' }, call: defaultTo, makesNothing: true }],
  ['size', { arity: { min: 0, max: 0 }, call: count }],
  ...standard(['first', 'last'], 0, 0, reading.asIs),
  ...arithmetic(['abs', 'ceil', 'floor'], 0, 0),
  ...arithmetic(['at_least', 'at_most', 'minus', 'modulo', 'plus', 'times'], 1, 1),
  ...arithmetic(['round'], 0, 1),
  ...arithmetic(['divided_by'], 1, 2),
  ...standard(['reverse'], 0, 0, reading.elements),
  ...standard(['concat'], 1, 1, reading.elements),
  ...standard(['slice'], 1, 2, reading.slice),
  ...standard(['join'], 0, 1, reading.listOfTexts),
  ...standard(['base64_encode', 'capitalize', 'downcase'], 0, 0, reading.texts()),
  ['base64_decode', { arity: { min: 0, max: 0 }, call: decodeBase64 }],
  ...standard(['newline_to_br', 'squish', 'strip_newlines', 'upcase'], 0, 0, reading.texts()),
  ...standard(['escape', 'escape_once', 'lstrip', 'rstrip', 'strip', 'strip_html'], 0, 0, reading.texts(1)),
  ...standard(['url_decode'], 0, 0, reading.texts(1)),
  // That of liquidjs leaves a few signs as they are.
  ['url_encode', { arity: { min: 0, max: 0 }, call: encode }],
  ...standard(['append', 'prepend'], 1, 1, reading.texts()),
  ...standard(['remove', 'remove_first', 'remove_last'], 1, 1, reading.search),
  ...standard(['replace', 'replace_first'], 1, 2, reading.search),
  ...standard(['replace_last'], 2, 2, reading.search),
  ...standard(['truncate'], 0, 2, reading.cut),
  ['truncatewords', of(0, 2, reading.cut, truncateWords)],
  ['split', of(1, 1, reading.search, split)],
  ['date', ofClock({ arity: { min: 1, max: 2 }, call: date })],
  ['map', of(1, 1, reading.lookup, lists.map)],
  ['compact', of(0, 1, reading.lookup, lists.compact)],
  ['uniq', of(0, 1, reading.equals, lists.uniq)],
  ['where', of(1, 2, reading.selection, lists.where)],
  ['reject', of(1, 2, reading.selection, lists.reject)],
  ['has', of(1, 2, reading.selection, lists.has)],
  ['find', of(1, 2, reading.selection, lists.find)],
  ['find_index', of(1, 2, reading.selection, lists.findIndex)],
  ['sort', of(0, 1, reading.sort, lists.sort)],
  ['sort_natural', of(0, 1, reading.sort, lists.sortNatural)],
];

/** The standard `default`, whose option may come before its value. */
function defaultTo({ token }: FilterThis, [operand, ...args]: readonly unknown[], spend: Spend): unknown {
  const value: unknown = toValue(operand);
  if (typeof value === 'object') spend(sizeOf(value));
  const isThere = value !== undefined && value !== null && value !== false && sizeOf(value) > 0;
  // liquidjs passes an option as a pair, which a list of the payload may look like.
  const isOption = args.map((_, place) => Array.isArray(token.args[place]));
  const keepsFalse = args.some((arg, place) => isOption[place] && Array.isArray(arg) && toValue(arg[1]));
  if (isThere || (value === false && keepsFalse)) return value;
  return args.find((_, place) => !isOption[place]);
}

const liquidEncode = handlerOf('cgi_escape');

function encode(self: FilterThis, operands: readonly unknown[], spend: Spend): unknown {
  return liquidEncode.call(self, reading.texts(1)(operands, spend)[0]) as unknown;
}

const liquidDecode = handlerOf('base64_decode');

/** The standard `base64_decode`, which would put replacement characters where the bytes are no text. */
function decodeBase64(self: FilterThis, operands: readonly unknown[], spend: Spend): unknown {
  const text = toText(liquidDecode.call(self, reading.texts()(operands, spend)[0]));
  return madeBy('base64_decode', text.includes('\ufffd') ? err('the bytes are no text in UTF-8') : ok(text));
}

/** The standard `size`, which counts characters, elements or keys. */
function count(_: FilterThis, [operand]: readonly unknown[], spend: Spend): number {
  const value: unknown = toValue(operand);
  if (typeof value === 'string') return countCharacters(value, spend);
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  spend(sizeOf(value));
  return Object.keys(value).length;
}

/**
 * The standard `date`, except that `now` is the time when the event came in, and a day without a time is that day in
 * every zone.
 */
const liquidDate = handlerOf('date');

function date(self: FilterThis, operands: readonly unknown[], spend: Spend): unknown {
  const { locale, now } = groundOf(self);
  const [value, written, zone] = reading
    .call(0)(operands, spend)
    .map((each): unknown => toValue(each));
  const moment = parseMoment(value === 'now' || value === 'today' ? now : value, zoneOfClock(locale, zone));
  const format = toText(written);
  if (!moment.ok || format === '') return value;
  const { ms, dayOnly } = moment.value;
  const prepared = prepareDate(
    ms,
    format,
    (zone === LOCAL ? null : zone) ?? (dayOnly ? 'UTC' : locale.timezone),
    locale.locale,
  );
  spend(prepared.price);
  return liquidDate.call(self, new Date(ms), prepared.format, prepared.zone) as unknown;
}
