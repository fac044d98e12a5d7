import { HOUR, MINUTE, offsetAt } from '../../lib/time.ts';
import type { Spend } from '../basics/budget.ts';
import { formatsOf } from '../basics/locale.ts';

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

const formats = formatsOf(Intl.DateTimeFormat);

const named = ({ clock, locale }: Shown, options: Intl.DateTimeFormatOptions): string =>
  formats(locale, { ...options, timeZone: 'UTC' }).format(clock);

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

function ordinalOf(day: number): string {
  if (day > 10 && day < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

const caseChanged = (text: string): string => (/[a-z]/.test(text) ? text.toUpperCase() : text.toLowerCase());
