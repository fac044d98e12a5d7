import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { createCache } from '../../lib/cache.ts';
import type { Locale } from '../basics/locale.ts';
import { glimpse, hint } from '../basics/print.ts';

/** A point in time, or a day of the calendar, which has no zone: then `ms` is its midnight in UTC. */
interface Moment {
  readonly ms: number;
  readonly dayOnly: boolean;
}

type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

const STYLES: ReadonlyMap<string, Style> = new Map<string, Style>([
  ['short', { dateStyle: 'short', timeStyle: 'short' }],
  ['medium', { dateStyle: 'medium', timeStyle: 'short' }],
  ['long', { dateStyle: 'long', timeStyle: 'short' }],
  ['full', { dateStyle: 'full', timeStyle: 'short' }],
  ['date', { dateStyle: 'medium' }],
  ['time', { timeStyle: 'short' }],
]);
const DEFAULT_STYLE = 'medium';

/** Epochs from here on are milliseconds: as seconds it is the year 5138, as milliseconds 1973. */
const FIRST_EPOCH_IN_MS = 1e11;

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?| ?UTC)?)?$/i;
const RFC_5322 = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/i;
const EPOCH = /^-?\d{1,16}(?:\.\d+)?$/;

/**
 * A time in the format and the zone of a locale. Takes ISO 8601 (UTC if it names no zone), RFC 5322 and epochs in
 * seconds or milliseconds. A day without a time prints as that day, whatever the zone.
 */
export function formatDateTime(value: unknown, style: unknown, locale: Locale): Result<string, string> {
  const name = typeof style === 'string' ? style : DEFAULT_STYLE;
  const options = STYLES.get(name);
  if (!options || (style !== undefined && name !== style)) {
    const known = [...STYLES.keys()];
    return err(`unknown style ${glimpse(style)}${hint(name, known)}; there are ${known.join(', ')}`);
  }
  const moment = parseMoment(value);
  if (!moment.ok) return moment;
  if (!moment.value.dayOnly)
    return ok(formatterOf(locale.locale, locale.timezone, name).format(moment.value.ms));
  if (!options.dateStyle) return err('the value is a day without a time');
  return ok(formatterOf(locale.locale, 'UTC', `${name} day`).format(moment.value.ms));
}

/** Reads what `formatDateTime` takes. */
export function parseMoment(value: unknown): Result<Moment, string> {
  const ms =
    typeof value === 'number'
      ? epochMs(value)
      : typeof value === 'string'
        ? parseText(value.trim())
        : Number.NaN;
  // The range of JavaScript's dates; beyond it there is no day to print.
  if (!(Math.abs(ms) <= 8.64e15))
    return err(`${glimpse(value)} is not a time: ISO 8601 or an epoch is needed`);
  return ok({ ms, dayOnly: typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value.trim()) });
}

function epochMs(epoch: number): number {
  return Math.abs(epoch) < FIRST_EPOCH_IN_MS ? epoch * 1000 : epoch;
}

function parseText(text: string): number {
  if (EPOCH.test(text)) return epochMs(Number(text));
  if (RFC_5322.test(text)) return Date.parse(text);
  const [, year = '', month = '', day = '', time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date reads 31 February as 3 March.
  if (year === '' || midnight.getUTCDate() !== Number(day) || midnight.getUTCMonth() !== Number(month) - 1)
    return Number.NaN;
  return Date.parse(`${year}-${month}-${day}T${time.replace(',', '.')}${normalizeZone(zone)}`);
}

function normalizeZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

const formatters = createCache<Intl.DateTimeFormat>(64);

function formatterOf(locale: string, timeZone: string, name: string): Intl.DateTimeFormat {
  return formatters(`${locale} ${timeZone} ${name}`, () => {
    const [style = DEFAULT_STYLE, dayOnly] = name.split(' ');
    const { dateStyle, timeStyle } = STYLES.get(style) ?? {};
    const time = timeStyle && !dayOnly ? { timeStyle } : {};
    return new Intl.DateTimeFormat(locale, { timeZone, ...(dateStyle ? { dateStyle } : {}), ...time });
  });
}
