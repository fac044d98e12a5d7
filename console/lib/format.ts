import { readDocumentNumber } from '../../src/phone/dialled.ts';
import { locale } from '../texts/texts.ts';

/** The viewer's zone and the console's language. */
const stampFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const minuteFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const yearFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const agoFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const numberFormat = new Intl.NumberFormat(locale);

export const number = (value: number): string => numberFormat.format(value);

/** The whole stamp, with the zone: shown on hover. */
export const stamp = (at: string | number): string => stampFormat.format(new Date(at));

/** In one piece: a line ends between a day and its time, and not within them. */
const whole = (text: string): string => text.replaceAll(' ', '\u00a0');

const DAY_MS = 86_400_000;
/** A time later than this is a plan, which is made in minutes. */
const SOON_MS = 600_000;

/** `of`: the precision of a time today. */
export function clock(at: string | number, now: number, of: 'second' | 'minute' = 'second'): string {
  const date = new Date(at);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString())
    return whole(
      (of === 'minute' || date.getTime() % 60_000 === 0 || date.getTime() - now > SOON_MS
        ? minuteFormat
        : timeFormat
      ).format(date),
    );
  return Math.abs(now - date.getTime()) < 300 * DAY_MS
    ? `${whole(dayFormat.format(date))}, ${whole(minuteFormat.format(date))}`
    : whole(yearFormat.format(date));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `5 min. ago`, `in 2 hr.` */
export function ago(at: string | number, now: number): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1_000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[3];
  return whole(agoFormat.format(Math.trunc(seconds / size), unit));
}

const unit = (value: number, unit: string, digits = 0): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);

/** `350 ms`, `1.2 s`, `4 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond');
  if (ms < 60_000) return unit(ms / 1_000, 'second', 1);
  if (ms < 3_600_000) return unit(Math.round(ms / 60_000), 'minute');
  return unit(ms / 3_600_000, 'hour', 1);
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** `70 kB`, `10 GB`. */
export function bytes(value: number): string {
  const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(value, 1)) / 3));
  return unit(value / 1_000 ** step, SIZES[step] ?? 'byte', 1);
}

/** The gateway's digits of a number with its country code. Other texts stay as they are: a viewer's mask, an address. */
export function digitsOf(written: string): string {
  const read = readDocumentNumber(written);
  return read.ok ? read.value : written;
}

/** A number as it is dialled: `+4915123456789`. Masks stay as they are. */
export const phoneText = (phone: string): string => (/^\d+$/.test(phone) ? `+${phone}` : phone);
