import { toValue } from 'liquidjs';
import { TemplateFailure } from './basics/budget.ts';
import { bold, italic, mono, plain, strike } from './filters/chat.ts';
import { formatDateTime } from './filters/dates.ts';
import { formatDuration } from './filters/durations.ts';
import { originOf } from './basics/failure.ts';
import { groundOf, madeBy, ofClock } from './filter.ts';
import type { Filter, FilterHandler, FilterThis } from './filter.ts';
import { truncateGraphemes } from '../lib/graphemes.ts';
import { withoutLinks } from './filters/links.ts';
import * as lists from './filters/lists.ts';
import { isNoFiniteNumber } from './basics/integer.ts';
import { FILTER_CALL, MAX_RANGE_END } from './basics/limits.ts';
import { LOCALE, localeIn, type Locale } from './basics/locale.ts';
import { isZone } from './basics/zones.ts';
import { unescapeHtml, wikiText } from './filters/markup.ts';
import { formatMajor, formatMinor, formatNumber } from './filters/money.ts';
import { readReceiver } from './filters/phone.ts';
import { glimpse, toText } from './basics/print.ts';
import { sizeOf } from './basics/weight.ts';
import { STANDARD } from './standard-filters.ts';
import * as reading from './reading.ts';
import type { Reading } from './reading.ts';
import { COMPARED, CONTINUED, COUNT, LOOPED_OVER, RANGE_END } from './syntax/guard.ts';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';

/** Makes a filter of hookbell. It is not called for a null value or an empty text; the result is then an empty text. */
function own<Read>(
  min: number,
  max: number,
  read: Reading<Read>,
  make: (read: Read, locale: Locale, payload: unknown) => Result<unknown, string>,
): Filter {
  return {
    arity: { min, max },
    call(self, operands, spend) {
      const [value, ...args] = operands.map((each): unknown => toValue(each));
      if (value === undefined || value === null || value === '') return '';
      const { locale, payload } = groundOf(self);
      return madeBy(self.token.name, make(read([value, ...args], spend), locale, payload));
    },
  };
}

/**
 * The same for a filter that formats a number in a locale, which may be its last argument; one that is not known counts
 * as none. `+Inf` and the like, which monitors send, are printed as they came.
 */
const ofNumber = (
  min: number,
  max: number,
  read: Reading<readonly unknown[]>,
  make: (read: readonly unknown[], locale: Locale) => Result<unknown, string>,
): Filter => {
  const made = own(min, max, read, (all, at) => {
    const [value] = all;
    if (isNoFiniteNumber(value)) return ok(value);
    if (all.length === min + 1) return make(all, at);
    const named = all.find((one) => Array.isArray(one) && one[0] === LOCALE);
    const operands = all.filter((one) => one !== named);
    const last = Array.isArray(named) ? (named[1] as unknown) : operands.at(-1);
    const locale = localeIn(last);
    const isOwn = named === undefined && (locale === null || isZone(String(last)));
    if (named === undefined && (!isOwn || operands.length > max + 1)) operands.pop();
    return make(operands, locale === null || isOwn ? at : { ...at, locale });
  });
  return { ...made, arity: { min, max, option: LOCALE } };
};

/** Makes a filter of hookbell from a text to a text. `more`: the price of a character beyond 1. */
const ofText = (make: (text: string) => string, more = 0): Filter =>
  own(0, 0, reading.texts(more), ([text]) => ok(make(toText(text))));

/** Every filter that a template may name: those of standard Liquid, and those of hookbell. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...STANDARD,
  ['sum', own(0, 1, reading.lookup, lists.sum)],
  ['pluck', own(1, 1, reading.lookup, lists.pluck)],
  ['flatten', own(1, 1, reading.lookup, lists.flatten)],
  [
    'phone',
    own(0, 1, reading.call(4_000), ([value, of], at, payload) =>
      readReceiver(value, { ...at, country: countryOf(of) ?? at.country }, payload),
    ),
  ],
  [
    'money',
    ofNumber(1, 1, reading.formatted(500, 2), ([value, of], at) =>
      formatMinor(value, of, at.locale, at.exponents),
    ),
  ],
  [
    'money_major',
    ofNumber(1, 1, reading.formatted(500, 2), ([value, of], at) => formatMajor(value, of, at.locale)),
  ],
  [
    'number',
    ofNumber(0, 1, reading.formatted(500, 2), ([value, digits], at) =>
      formatNumber(value, digits, at.locale),
    ),
  ],
  [
    'datetime',
    ofClock(
      ofNumber(0, 2, reading.formatted(500, 2), ([value, style, zone], at) =>
        formatDateTime(value, style, at, zone),
      ),
    ),
  ],
  [
    'duration',
    ofNumber(0, 0, reading.formatted(1_000, 1), ([value], at) => formatDuration(value, at.locale)),
  ],
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

/** The guards in the places where liquidjs itself has no bound; see guard.ts. */
export const guardFilters: ReadonlyMap<string, FilterHandler> = new Map<string, FilterHandler>([
  [RANGE_END, rangeEnd],
  [COUNT, reading.optional],
  [CONTINUED, reading.numberOf],
  [LOOPED_OVER, loopedOver],
  [COMPARED, reading.comparable],
]);

function rangeEnd(value: unknown): number {
  const end = Math.trunc(Number(reading.numberOf(value))) || 0;
  if (Math.abs(end) > MAX_RANGE_END) throw new TemplateFailure(`a range reaches beyond ${MAX_RANGE_END}`);
  return end;
}

function loopedOver(this: FilterThis, value: unknown): unknown {
  groundOf(this).budget.work(sizeOf(value));
  return value;
}
