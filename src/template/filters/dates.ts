import { err, ok, type Result } from '../../lib/result.ts';
import { HOUR, MINUTE, offsetAt, parseIso, timeOfClock } from '../../lib/time.ts';
import type { Spend } from '../basics/budget.ts';
import { formatsOf, isZone, type Locale, LOCAL } from '../basics/locale.ts';
import { glimpse, hint } from '../basics/print.ts';

/** A point in time, or a day of the calendar, which has no zone: `ms` is then its midnight in UTC. */
interface Moment {
  readonly ms: number;
  readonly dayOnly: boolean;
}

const STYLES = new Map<string, Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>>([
  ['short', { dateStyle: 'short', timeStyle: 'short' }],
  ['medium', { dateStyle: 'medium', timeStyle: 'short' }],
  ['long', { dateStyle: 'long', timeStyle: 'short' }],
  ['full', { dateStyle: 'full', timeStyle: 'short' }],
  ['date', { dateStyle: 'medium' }],
  ['time', { timeStyle: 'short' }],
]);

/** Epochs below this number are in seconds, which is until the year 5138. In milliseconds, it is the year 1973. */
const END_OF_SECONDS = 1e11;
/** The same for milliseconds and microseconds. Longer ones are nanoseconds. */
const END_OF_MILLISECONDS = 1e14;
const END_OF_MICROSECONDS = 1e17;

/** ISO 8601 without its signs. As an epoch, these digits would be a time in 1970, or in the year 2600. */
const COMPACT = /^((?:19|20)\d\d)(0\d|1[0-2])([0-3]\d)(?:T?([0-2]\d)([0-5]\d)([0-5]\d)?(Z|[+-]\d{4})?)?$/i;
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?|UTC|GMT)?)?$/i;
const RFC_5322 = /^(?:[a-z]{3}, +)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/i;
/** The name of a zone behind its offset: `+0000 UTC` of Go, `+0000 (UTC)` of mail, `+01:00[Europe/Berlin]` of Java. */
const SAID_AGAIN = /(?<=Z|[+-]\d\d:?\d\d)(?: [a-z]{3,5}| \([a-z ]+\)|\[[\w/+-]+\])$/i;
const EPOCH = /^-?\d{1,20}(?:\.\d+)?$/;

/**
 * Returns a time in the format of a locale, and in its zone or another one (IANA; blank: none is given). An unknown
 * zone loses no message: the time is then in the locale's zone, with that zone beside it, so that nobody reads a wrong
 * hour. Takes what `parseMoment` takes. A day without a time prints as that day, whatever the zone is.
 */
export function formatDateTime(
  value: unknown,
  style: unknown,
  locale: Locale,
  zone?: unknown,
): Result<string, string> {
  const name = typeof style === 'string' ? style : 'medium';
  const options = STYLES.get(name);
  if (!options || (style !== undefined && name !== style)) {
    const known = [...STYLES.keys()];
    return err(`unknown style ${glimpse(style)}${hint(name, known)}; known ones: ${known.join(', ')}`);
  }
  const moment = parseMoment(value, zoneOfClock(locale, zone));
  if (!moment.ok) return moment;
  const { ms, dayOnly } = moment.value;
  const { locale: tag, timezone: timeZone } = locale;
  const { dateStyle } = options;
  if (dayOnly && !dateStyle) return err('the value is a day without a time');
  if (dayOnly) return ok(formats(tag, { timeZone: 'UTC', dateStyle }).format(ms));
  const given = zone === LOCAL ? '' : typeof zone === 'string' ? zone.trim() : (zone ?? '');
  if (typeof given === 'string' && isZone(given))
    return ok(formatsElsewhere(tag, { timeZone: given, ...options }).format(ms));
  const text = formats(tag, { timeZone, ...options }).format(ms);
  return ok(given === '' || !options.timeStyle ? text : `${text} ${zoneName(ms, locale)}`);
}

/** Returns the zone of times that name none. `given`: the zone to show, or {@link LOCAL}. */
export const zoneOfClock = ({ localTimes, timezone }: Locale, given: unknown): string =>
  given === LOCAL || localTimes === true ? timezone : 'UTC';

/** ISO 8601, RFC 5322, and epochs in s, ms, µs or ns. `clock`: the zone of a time that names none. */
export function parseMoment(value: unknown, clock = 'UTC'): Result<Moment, string> {
  const text = textOf(value);
  const ms = text === '' ? Number.NaN : EPOCH.test(text) ? epochMs(Number(text)) : parseText(text, clock);
  // The range of JavaScript's dates; beyond it there is no day to print.
  if (!(Math.abs(ms) <= 8.64e15))
    return err(`${glimpse(value)} is not a time: ISO 8601 or an epoch is needed`);
  return ok({ ms, dayOnly: /^\d{4}-\d\d-\d\d$/.test(text) });
}

export function namesNoZone(value: unknown): boolean {
  const [, , , , time, zone] = ISO.exec(textOf(value)) ?? [];
  return time !== undefined && zone === undefined;
}

/** Returns a time as text, with the signs of ISO 8601; empty if it is neither text nor a number. */
function textOf(value: unknown): string {
  const given = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const text = given.replace(SAID_AGAIN, '');
  const [compact, year, month, day, hours, minutes, seconds = '00', zone = ''] = COMPACT.exec(text) ?? [];
  if (compact === undefined) return text;
  return `${year}-${month}-${day}${hours === undefined ? '' : `T${hours}:${minutes}:${seconds}${zone}`}`;
}

function epochMs(epoch: number): number {
  const size = Math.abs(epoch);
  if (size < END_OF_SECONDS) return epoch * 1_000;
  if (size < END_OF_MILLISECONDS) return epoch;
  return epoch / (size < END_OF_MICROSECONDS ? 1_000 : 1_000_000);
}

function parseText(text: string, clock: string): number {
  if (RFC_5322.test(text)) return Date.parse(text);
  const [, year = '', month = '', day = '', time = '', zone = ''] = ISO.exec(text) ?? [];
  const ms = parseIso(`${year}-${month}-${day}T${time.replace(',', '.') || '00:00'}${normalizeZone(zone)}`);
  return time === '' || zone !== '' || Number.isNaN(ms) ? ms : timeOfClock(clock, ms);
}

function normalizeZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

const formats = formatsOf(Intl.DateTimeFormat);
/** Zones that strangers name do not share the other cache. */
const formatsElsewhere = formatsOf(Intl.DateTimeFormat);

/** Returns the zone's name as people write it at that time, such as CET. */
function zoneName(ms: number, { locale, timezone: timeZone }: Locale): string {
  const parts = formats(locale, { timeZone, timeZoneName: 'short' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** A time as a zone's clock shows it: the parts of `clock` in UTC. */
interface Shown {
  readonly ms: number;
  readonly clock: Date;
  /** An IANA zone, or minutes west of UTC. */
  readonly zone: string | number;
  /** Minutes east of UTC. */
  readonly offset: number;
  /** BCP 47. */
  readonly locale: string;
  readonly hasColon: boolean;
  readonly width: number;
}

/** Flags, a width, a modifier that changes nothing, and a letter. */
const CONVERSION = /%([-_0^#:]*)(\d*)[EO]?(.)/g;

/** The cost of a conversion, and of one by a formatter of the platform. */
const CONVERTED = 20;
const FORMATTED = 2_000;

/** Conversions that stand for several. */
const COMPOSED: Readonly<Record<string, string>> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
};

const NAMED = 'aAbBhcxX';
const BLANK_BEFORE = 'aAbBceklpP';

/** What each letter stands for, and its least width. */
const CONVERSIONS: Readonly<Record<string, readonly [(shown: Shown) => string | number, number?]>> = {
  a: [(shown) => named(shown, { weekday: 'short' })],
  A: [(shown) => named(shown, { weekday: 'long' })],
  b: [(shown) => named(shown, { month: 'short' })],
  B: [(shown) => named(shown, { month: 'long' })],
  h: [(shown) => named(shown, { month: 'short' })],
  c: [(shown) => named({ ...shown, locale: 'en-US' }, { ...DAY, ...TIME })],
  x: [(shown) => named({ ...shown, locale: 'en-US' }, DAY)],
  X: [(shown) => named({ ...shown, locale: 'en-US' }, TIME)],
  C: [({ clock }) => Math.floor(clock.getUTCFullYear() / 100), 2],
  y: [({ clock }) => ((clock.getUTCFullYear() % 100) + 100) % 100, 2],
  Y: [({ clock }) => clock.getUTCFullYear(), 4],
  m: [({ clock }) => clock.getUTCMonth() + 1, 2],
  d: [({ clock }) => clock.getUTCDate(), 2],
  e: [({ clock }) => clock.getUTCDate(), 2],
  q: [({ clock }) => ordinalOf(clock.getUTCDate())],
  j: [({ clock }) => dayOfYear(clock), 3],
  U: [({ clock }) => weekOfYear(clock, 0), 2],
  W: [({ clock }) => weekOfYear(clock, 1), 2],
  V: [({ clock }) => Math.ceil(dayOfYear(thursdayOf(clock)) / 7), 2],
  G: [({ clock }) => thursdayOf(clock).getUTCFullYear(), 4],
  u: [({ clock }) => clock.getUTCDay() || 7],
  w: [({ clock }) => clock.getUTCDay()],
  H: [({ clock }) => clock.getUTCHours(), 2],
  k: [({ clock }) => clock.getUTCHours(), 2],
  I: [({ clock }) => clock.getUTCHours() % 12 || 12, 2],
  l: [({ clock }) => clock.getUTCHours() % 12 || 12, 2],
  M: [({ clock }) => clock.getUTCMinutes(), 2],
  S: [({ clock }) => clock.getUTCSeconds(), 2],
  L: [({ clock }) => clock.getUTCMilliseconds(), 3],
  N: [({ clock, width }) => fractionOf(clock, width || 9)],
  p: [({ clock }) => (clock.getUTCHours() < 12 ? 'AM' : 'PM')],
  P: [({ clock }) => (clock.getUTCHours() < 12 ? 'am' : 'pm')],
  s: [({ ms }) => Math.floor(ms / 1_000)],
  z: [offsetOf],
  Z: [(shown) => (typeof shown.zone === 'string' ? shown.zone : offsetOf(shown))],
  t: [() => '\t'],
  n: [() => '\n'],
  '%': [() => '%'],
};

const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: 'numeric', second: 'numeric' };

/** Formats a time (ms) as standard Liquid does, and pays for it. `locale`: of the names (BCP 47). */
export function formatTime(
  ms: number,
  format: string,
  zone: string | number,
  locale: string,
  spend: Spend,
): string {
  const offset = typeof zone === 'number' ? -zone : offsetAt(zone, ms) / MINUTE;
  const shown = { ms, clock: new Date(ms + offset * MINUTE), zone, offset, locale };
  const simple = format.replaceAll(
    CONVERSION,
    (whole, ...[, , letter]: string[]) => COMPOSED[letter ?? ''] ?? whole,
  );
  return simple.replaceAll(CONVERSION, (whole, ...[flags = '', digits = '', letter = '']: string[]) => {
    const [convert, least = 0] = Object.hasOwn(CONVERSIONS, letter) ? (CONVERSIONS[letter] ?? []) : [];
    if (convert === undefined) return whole;
    const width = Number(digits);
    spend(NAMED.includes(letter) ? FORMATTED : CONVERTED);
    spend(width);
    const text = String(convert({ ...shown, hasColon: flags.includes(':'), width }));
    const cased = flags.includes('^') ? text.toUpperCase() : flags.includes('#') ? caseChanged(text) : text;
    if (flags.includes('-')) return cased;
    const fill = flags.includes('_') || (BLANK_BEFORE.includes(letter) && !flags.includes('0')) ? ' ' : '0';
    const sign = fill === '0' && cased.startsWith('-') ? '-' : '';
    return sign + cased.slice(sign.length).padStart((width || least) - sign.length, fill);
  });
}

const named = ({ clock, locale }: Shown, options: Intl.DateTimeFormatOptions): string =>
  formats(locale, { ...options, calendar: 'gregory', timeZone: 'UTC' }).format(clock);

function offsetOf({ offset, hasColon }: Shown): string {
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.trunc(Math.abs(offset) % 60)];
  const digits = [hours, minutes].map((part) => String(part).padStart(2, '0'));
  return (offset < 0 ? '-' : '+') + digits.join(hasColon ? ':' : '');
}

const fractionOf = (clock: Date, width: number): string =>
  String(clock.getUTCMilliseconds()).padStart(3, '0').slice(0, width).padEnd(width, '0');

const dayOfYear = (clock: Date): number =>
  Math.floor((clock.getTime() - new Date(clock).setUTCMonth(0, 0)) / (24 * HOUR));

/** Days before the first `start` of the year (0: Sunday) belong to week 0. */
const weekOfYear = (clock: Date, start: number): number =>
  Math.floor((dayOfYear(clock) + 6 - ((clock.getUTCDay() - start + 7) % 7)) / 7);

/** The Thursday of a week from Monday on. It is in the year that the week counts to (ISO 8601). */
const thursdayOf = (clock: Date): Date =>
  new Date(clock.getTime() + (4 - (clock.getUTCDay() || 7)) * 24 * HOUR);

function ordinalOf(day: number): string {
  if (day > 10 && day < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

const caseChanged = (text: string): string => (/[a-z]/.test(text) ? text.toUpperCase() : text.toLowerCase());
