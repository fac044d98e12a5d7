import { toValue, toValueSync } from 'liquidjs';
import type { FilterImplOptions } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import type { Budget } from './basics/budget.ts';
import { bold, italic, mono, plain, strike } from './filters/chat.ts';
import { BoundedContext } from './context.ts';
import { formatDateTime, parseMoment } from './filters/dates.ts';
import { formatDuration } from './filters/durations.ts';
import { unescapeHtml } from './filters/entities.ts';
import { originOf } from './basics/failure.ts';
import { truncateGraphemes } from '../lib/graphemes.ts';
import { LOOPED_OVER, RANGE_END, READ_THROUGH } from './syntax/guard.ts';
import { MAX_RANGE_END } from './basics/limits.ts';
import { withoutLinks } from './filters/links.ts';
import { flatten, pluck, sum } from './filters/lists.ts';
import type { Locale } from './basics/locale.ts';
import { formatMajor, formatMinor } from './filters/money.ts';
import type { Arity } from './syntax/names.ts';
import { formatNumber } from './filters/numbers.ts';
import { parsePhone } from './filters/phone.ts';
import { wikiText } from './filters/wiki.ts';
import { payForReading, payForSorting, payForWork } from './prices.ts';
import { glimpse, toText } from './basics/print.ts';
import { prepareDate } from './filters/strftime.ts';
import { sizeOf, spendWeight } from './basics/weight.ts';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';

type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterThis = ThisParameterType<FilterHandler>;

/** A filter that is defined here. It is not called for a null value, which remains empty. */
interface OwnFilter {
  readonly arity: Arity;
  readonly apply: (value: unknown, args: readonly unknown[], locale: Locale) => Result<unknown, string>;
}

function own(min: number, max: number, apply: OwnFilter['apply']): OwnFilter {
  return { arity: { min, max }, apply };
}

/** The filters beyond standard Liquid, and stricter versions of standard ones. */
export const OWN_FILTERS: ReadonlyMap<string, OwnFilter> = new Map([
  ['phone', own(0, 1, (value, [of], { country }) => parsePhone(value, countryNamed(of) ?? country))],
  ['money', own(1, 1, (value, [code], { locale, exponents }) => formatMinor(value, code, locale, exponents))],
  ['money_major', own(1, 1, (value, [currency], { locale }) => formatMajor(value, currency, locale))],
  ['number', own(0, 1, (value, [digits], { locale }) => formatNumber(value, digits, locale))],
  ['datetime', own(0, 2, (value, [style, zone], locale) => formatDateTime(value, style, locale, zone))],
  ['duration', own(0, 0, (value, _, { locale }) => formatDuration(value, locale))],
  ['bold', own(0, 0, (value) => ok(bold(toText(value))))],
  ['italic', own(0, 0, (value) => ok(italic(toText(value))))],
  ['strike', own(0, 0, (value) => ok(strike(toText(value))))],
  ['mono', own(0, 0, (value) => ok(mono(toText(value))))],
  ['plain', own(0, 0, (value) => ok(plain(toText(value))))],
  ['without_links', own(0, 0, (value) => ok(withoutLinks(toText(value))))],
  ['wiki_text', own(0, 0, (value) => ok(wikiText(toText(value))))],
  ['unescape', own(0, 0, (value) => ok(unescapeHtml(toText(value))))],
  ['truncate_chars', own(1, 1, (value, [count]) => truncateChars(value, count))],
  ['json', own(0, 1, (value, [indent]) => ok(JSON.stringify(value, null, indent === undefined ? 0 : 2)))],
  ['sum', own(0, 1, (value, [path]) => sum(value, path))],
  ['pluck', own(1, 1, (value, [path]) => pluck(value, path))],
  ['flatten', own(1, 1, (value, [path]) => flatten(value, path))],
]);

/** A country code of a payload; undefined if it is none. */
const countryNamed = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[a-z]{2}$/i.test(code) ? code : undefined;

function truncateChars(value: unknown, count: unknown): Result<string, string> {
  if (typeof count === 'number' && Number.isInteger(count) && count > 0) {
    return ok(truncateGraphemes(toText(value), count));
  }
  return err(`the number of characters must be a whole number above 0, not ${glimpse(count)}`);
}

/** Adapts a filter for liquidjs. A refusal becomes an exception, the only way out of liquidjs. */
export function adaptOwn(name: string, { apply }: OwnFilter): FilterHandler {
  return function ownFilter(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
    const { budget, locale } = groundOf(this);
    const [input, ...rest] = [value, ...args].map((each): unknown => toValue(each));
    if (input === undefined || input === null || input === '') return '';
    return paid(name, [input, ...rest], budget, () => {
      payForWork(name, [input, ...rest], budget.work);
      const result = apply(input, rest, locale);
      if (!result.ok) throw new TemplateFailure(`${name}: ${result.error}`);
      return result.value;
    });
  };
}

/** A standard filter, charged for what it reads and makes. */
export function adaptStandard(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  function standardFilter(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
    const { budget } = groundOf(this);
    return paid(name, [value, ...args], budget, () => {
      if (name === 'date') return dateFilter(handler, this, [value, ...args]);
      const textual = TEXT_FILTERS.has(name);
      const input = textual ? asText(value) : LISTING_FILTERS.has(name) ? listOfTexts(value) : value;
      const rest = textual ? args.map(asText) : args;
      payForWork(name, [input, ...rest], budget.work);
      if (SORTING_FILTERS.has(name)) payForSorting(name, sortedBy(this, input, args[0]), budget.work);
      // Some return a generator, which would work after it was charged.
      return toValueSync(handler.call(this, input, ...rest) as unknown);
    });
  }
  return typeof filter === 'function' ? standardFilter : { ...filter, handler: standardFilter };
}

/** Characters of the longest number that prints. */
const MAX_NUMBER_LENGTH = 24;

/** Calls a filter and charges it for what it reads, and then for what it makes beyond that. */
function paid(name: string, operands: readonly unknown[], { work }: Budget, call: () => unknown): unknown {
  const read = payForReading(name, operands, work);
  const made = guardCall(name, call);
  work((typeof made === 'number' ? MAX_NUMBER_LENGTH : sizeOf(made)) - read);
  return made;
}

const TEXT_FILTERS = new Set(
  `append prepend upcase downcase capitalize strip lstrip rstrip strip_newlines strip_html newline_to_br squish
  normalize_whitespace number_of_words remove remove_first remove_last replace replace_first replace_last split
  truncate truncatewords escape xml_escape escape_once unescape url_encode url_decode cgi_escape uri_escape slugify
  base64_encode base64_decode`.split(/\s+/),
);
const LISTING_FILTERS = new Set(['join', 'array_to_sentence_string']);
const SORTING_FILTERS = new Set(['sort', 'sort_natural']);

/** The key by which a list is sorted. */
function sortedBy({ context }: FilterThis, list: unknown, property: unknown): unknown {
  if (!Array.isArray(list) || !property) return list;
  const path = toText(property).split('.');
  const read = (holder: unknown, key: string): unknown =>
    typeof holder === 'object' && holder !== null
      ? (context.readProperty(holder, key) as unknown)
      : undefined;
  return list.map((element: unknown) => path.reduce(read, element));
}

/** liquidjs' text filters would turn an object into `[object Object]`. */
function asText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? toText(value) : value;
}

function listOfTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map(asText) : asText(value);
}

/** The standard `date`: `now` is when the event came in, a day without a time is that day in every zone. */
function dateFilter(handler: FilterHandler, self: FilterThis, parts: readonly unknown[]): unknown {
  const { budget, locale, now } = groundOf(self);
  const [value, format, zone] = parts.map((part): unknown => toValue(part));
  const moment = parseMoment(value === 'now' || value === 'today' ? now : value);
  if (!moment.ok) return value;
  const { ms, dayOnly } = moment.value;
  const call = prepareDate(
    ms,
    format ?? self.context.opts.dateFormat,
    zone ?? (dayOnly ? 'UTC' : locale.timezone),
    locale.locale,
  );
  budget.work(call.price);
  return handler.call(self, new Date(ms), call.format, call.zone) as unknown;
}

function groundOf({ context }: FilterThis): BoundedContext['ground'] {
  if (context instanceof BoundedContext) return context.ground;
  throw new Error('a filter was called without bounds');
}

/** Names the filter in an exception, and leaves out the text, which could quote the payload. */
function guardCall<T>(name: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const origin = originOf(error);
    if (origin instanceof TemplateFailure) throw origin;
    throw new TemplateFailure(`${name}: cannot be applied to this value`);
  }
}

/** The guards in the places where liquidjs itself has no bound; see guard.ts. */
export const guardFilters: ReadonlyMap<string, FilterHandler> = new Map<string, FilterHandler>([
  [RANGE_END, rangeEnd],
  [LOOPED_OVER, lookedAt],
  [READ_THROUGH, readThrough],
]);

function rangeEnd(this: FilterThis, value: unknown): number {
  const end = Math.trunc(Number(readThrough.call(this, toValue(value)) ?? Number.NaN));
  if (Math.abs(end) > MAX_RANGE_END) throw new TemplateFailure(`a range reaches beyond ${MAX_RANGE_END}`);
  return end;
}

function lookedAt(this: FilterThis, value: unknown): unknown {
  groundOf(this).budget.work(sizeOf(value));
  return value;
}

/** Charges a value that is converted to a text or a number, or compared `times` with others. */
function readThrough(this: FilterThis, value: unknown, times?: unknown): unknown {
  const { work } = groundOf(this).budget;
  const factor = typeof times === 'number' ? times : 1;
  spendWeight(value, (count) => work(count * factor));
  return value;
}
