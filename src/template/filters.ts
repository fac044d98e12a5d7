import { filters as liquidFilters, toValue } from 'liquidjs';
import type { FilterImplOptions } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import { bold, italic, mono, plain, strike } from './filters/chat.ts';
import { BoundedContext } from './context.ts';
import { formatDateTime, parseMoment } from './filters/dates.ts';
import { formatDuration } from './filters/durations.ts';
import { originOf } from './basics/failure.ts';
import { truncateGraphemes } from '../lib/graphemes.ts';
import { withoutLinks } from './filters/links.ts';
import * as lists from './filters/lists.ts';
import { FILTER_CALL, MAX_RANGE_END } from './basics/limits.ts';
import type { Locale } from './basics/locale.ts';
import { unescapeHtml, wikiText } from './filters/markup.ts';
import { formatMajor, formatMinor, formatNumber } from './filters/money.ts';
import type { Arity } from './syntax/names.ts';
import { parsePhone } from './filters/phone.ts';
import { glimpse, toText } from './basics/print.ts';
import { prepareDate } from './filters/strftime.ts';
import { sizeOf } from './basics/weight.ts';
import type { Spend } from './basics/weight.ts';
import * as reading from './reading.ts';
import type { Reading } from './reading.ts';
import { COMPARED, COUNT, LOOPED_OVER, RANGE_END } from './syntax/guard.ts';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';

type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterThis = ThisParameterType<FilterHandler>;

interface Filter {
  /** The number of its arguments; null if liquidjs decides. */
  readonly arity: Arity;
  /** Reads the operands, pays for them, and returns the result. */
  readonly call: (self: FilterThis, operands: readonly unknown[], spend: Spend) => unknown;
  /** True if it returns a part of its operands. */
  readonly makesNothing?: boolean;
}

/** Makes filters of liquidjs that read their operands in the same way. */
function standard(
  names: readonly string[],
  read: Reading<readonly unknown[]>,
): readonly (readonly [string, Filter])[] {
  return names.map((name) => {
    const handler = handlerOf(name);
    const call: Filter['call'] = (self, operands, spend) => {
      const [value, ...args] = read(operands, spend);
      return handler.call(self, value, ...args) as unknown;
    };
    return [name, { arity: null, call, makesNothing: read === reading.asIs }];
  });
}

function handlerOf(name: string): FilterHandler {
  const handler = liquidFilters[name];
  if (typeof handler !== 'function') throw new Error(`liquidjs has no filter ${name}`);
  return handler;
}

/** Makes a standard filter that looks up a path in each element of a list. */
const ofList = (
  min: number,
  max: number,
  make: (lookup: lists.ListLookup) => unknown,
  read = reading.lookup,
): Filter => ({ arity: { min, max }, call: (_, operands, spend) => make(read(operands, spend)) });

/** Makes a filter of hookbell. It is not called for a null value or an empty text; the result is then an empty text. */
function own<Read>(
  min: number,
  max: number,
  read: Reading<Read>,
  make: (read: Read, locale: Locale) => Result<unknown, string>,
): Filter {
  return {
    arity: { min, max },
    call(self, operands, spend) {
      const [value, ...args] = operands.map((each): unknown => toValue(each));
      if (value === undefined || value === null || value === '') return '';
      const made = make(read([value, ...args], spend), groundOf(self).locale);
      if (!made.ok) throw new TemplateFailure(`${self.token.name}: ${made.error}`);
      return made.value;
    },
  };
}

/** Makes a filter of hookbell from a text to a text. `more`: the price of a character beyond 1. */
const ofText = (make: (text: string) => string, more = 0): Filter =>
  own(0, 0, reading.texts(more), ([text]) => ok(make(toText(text))));

/** Every filter that a template may name: those of standard Liquid, and those of hookbell. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...standard(['default', 'first', 'last', 'size'], reading.asIs),
  ...standard(['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor'], reading.numbers),
  ...standard(['minus', 'modulo', 'plus', 'round', 'times'], reading.numbers),
  ...standard(['compact', 'concat', 'reverse', 'uniq'], reading.elements),
  ...standard(['slice'], reading.slice),
  ...standard(['join'], reading.listOfTexts),
  ...standard(['append', 'base64_decode', 'base64_encode', 'capitalize', 'downcase'], reading.texts()),
  ...standard(['newline_to_br', 'prepend', 'squish', 'strip_newlines', 'truncate'], reading.texts()),
  ...standard(['truncatewords', 'upcase'], reading.texts()),
  ...standard(['escape', 'escape_once', 'lstrip', 'rstrip', 'strip', 'strip_html'], reading.texts(1)),
  ...standard(['url_decode', 'url_encode'], reading.texts(1)),
  ...standard(['remove', 'remove_first', 'remove_last', 'split'], reading.search),
  ...standard(['replace', 'replace_first', 'replace_last'], reading.search),
  ['date', { arity: null, call: date }],
  ['map', ofList(1, 1, lists.map)],
  ['where', ofList(1, 2, lists.where)],
  ['reject', ofList(1, 2, lists.reject)],
  ['has', ofList(1, 2, lists.has)],
  ['find', ofList(1, 2, lists.find)],
  ['find_index', ofList(1, 2, lists.findIndex)],
  ['sort', ofList(0, 1, lists.sort, reading.sort)],
  ['sort_natural', ofList(0, 1, lists.sortNatural, reading.sort)],
  ['sum', own(0, 1, reading.lookup, lists.sum)],
  ['pluck', own(1, 1, reading.lookup, lists.pluck)],
  ['flatten', own(1, 1, reading.lookup, lists.flatten)],
  [
    'phone',
    own(0, 1, reading.call(4_000), ([value, of], at) => parsePhone(value, countryOf(of) ?? at.country)),
  ],
  [
    'money',
    own(1, 1, reading.call(500), ([value, of], at) => formatMinor(value, of, at.locale, at.exponents)),
  ],
  ['money_major', own(1, 1, reading.call(500), ([value, of], at) => formatMajor(value, of, at.locale))],
  ['number', own(0, 1, reading.call(500), ([value, digits], at) => formatNumber(value, digits, at.locale))],
  ['datetime', own(0, 2, reading.time, ([value, style, zone], at) => formatDateTime(value, style, at, zone))],
  ['duration', own(0, 0, reading.call(1_000), ([value], at) => formatDuration(value, at.locale))],
  ['bold', ofText(bold, 2)],
  ['italic', ofText(italic, 2)],
  ['strike', ofText(strike, 2)],
  ['mono', ofText(mono)],
  ['plain', ofText(plain, 3)],
  ['without_links', ofText(withoutLinks, 1)],
  ['wiki_text', ofText(wikiText, 5)],
  ['unescape', ofText(unescapeHtml, 1)],
  ['truncate_chars', own(1, 1, reading.graphemes, ([text, count]) => truncateChars(text, count))],
  ['json', own(0, 1, reading.json, ([value, indent]) => ok(JSON.stringify(value, null, indent)))],
]);

/** Returns a country code of a payload; undefined if it is not one. */
const countryOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[a-z]{2}$/i.test(code) ? code : undefined;

function truncateChars(text: unknown, count: unknown): Result<string, string> {
  if (typeof count === 'number' && Number.isInteger(count) && count > 0) {
    return ok(truncateGraphemes(toText(text), count));
  }
  return err(`the number of characters must be a whole number above 0, not ${glimpse(count)}`);
}

/**
 * The standard `date`, except that `now` is the time when the event came in, and a day without a time is that day in
 * every zone.
 */
const liquidDate = handlerOf('date');

function date(self: FilterThis, operands: readonly unknown[], spend: Spend): unknown {
  const { locale, now } = groundOf(self);
  const [value, format, zone] = reading
    .call(0)(operands, spend)
    .map((each): unknown => toValue(each));
  const moment = parseMoment(value === 'now' || value === 'today' ? now : value);
  if (!moment.ok) return value;
  const { ms, dayOnly } = moment.value;
  const prepared = prepareDate(
    ms,
    format ?? self.context.opts.dateFormat,
    zone ?? (dayOnly ? 'UTC' : locale.timezone),
    locale.locale,
  );
  spend(prepared.price);
  return liquidDate.call(self, new Date(ms), prepared.format, prepared.zone) as unknown;
}

/** Adapts a filter for liquidjs, and charges it for output beyond what it has read. */
export function adapt(name: string, { call, makesNothing }: Filter): FilterHandler {
  return function filter(this: FilterThis, ...operands: unknown[]): unknown {
    const { work } = groundOf(this).budget;
    let paid = 0;
    function spend(count: number): void {
      paid += count;
      work(count);
    }
    spend(FILTER_CALL);
    try {
      const made = call(this, operands, spend);
      // An object is never new.
      if (!makesNothing && (typeof made === 'string' || Array.isArray(made))) work(sizeOf(made) - paid);
      return made;
    } catch (error) {
      const origin = originOf(error);
      if (origin instanceof TemplateFailure) throw origin;
      // The text is left out: it could quote the payload.
      throw new TemplateFailure(`${name}: cannot be applied to this value`);
    }
  };
}

function groundOf({ context }: FilterThis): BoundedContext['ground'] {
  if (context instanceof BoundedContext) return context.ground;
  throw new Error('a filter was called without bounds');
}

/** The guards in the places where liquidjs itself has no bound; see guard.ts. */
export const guardFilters: ReadonlyMap<string, FilterHandler> = new Map<string, FilterHandler>([
  [RANGE_END, rangeEnd],
  [COUNT, reading.numberOf],
  [LOOPED_OVER, loopedOver],
  [COMPARED, reading.comparable],
]);

function rangeEnd(value: unknown): number {
  const end = Math.trunc(Number(reading.numberOf(value) ?? Number.NaN));
  if (Math.abs(end) > MAX_RANGE_END) throw new TemplateFailure(`a range reaches beyond ${MAX_RANGE_END}`);
  return end;
}

function loopedOver(this: FilterThis, value: unknown): unknown {
  groundOf(this).budget.work(sizeOf(value));
  return value;
}
