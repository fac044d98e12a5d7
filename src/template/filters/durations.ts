import { err, ok, type Result } from '../../lib/result.ts';
import { formatsOf } from '../basics/locale.ts';
import { isGerman } from '../../lib/text.ts';
import { glimpse, toText } from '../basics/print.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

const SECONDS = /^-?\d{1,12}(?:\.\d+)?$/;
/** The units of ISO 8601 that have a fixed length: no months, no years. */
const ISO =
  /^(-?)P(?=\d|T\d)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$/;
/** Those of Go, which prints `72h3m0.5s` and `1.5ms`, and of Prometheus, which has days and weeks. In seconds. */
const LENGTHS = { w: 604_800, d: 86_400, h: 3600, 'm(?!s)': 60, s: 1, ms: 1e-3, '[uµμ]s': 1e-6, ns: 1e-9 };
const COUNTS = Object.keys(LENGTHS).map((unit) => String.raw`(?:(\d{1,9}(?:\.\d+)?)${unit})?`);
const GO = new RegExp(String.raw`^(-?)(?=\d)${COUNTS.join('')}$`);

/**
 * Returns a duration in a locale's words, such as `1 hour, 5 minutes`, or `1 h 5 min` in German. Takes seconds, ISO
 * 8601 (`PT1H5M`) and Go's notation (`1h5m0s`). Rounded to seconds; one shorter than a second is in milliseconds.
 */
export function formatDuration(value: unknown, locale: string): Result<string, string> {
  const seconds = typeof value === 'number' ? value : parseSeconds(toText(value).trim());
  if (!Number.isFinite(seconds))
    return err(`${glimpse(value)} is not a duration: seconds, PT1H5M or 1h5m is needed`);
  const isShort = isGerman(locale);
  const parts = split(Math.abs(seconds)).map(([unit, count]) => {
    const signed = seconds < 0 ? -count : count;
    if (isShort && unit !== 'day') return `${signed} ${SYMBOLS[unit]}`;
    return units(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(signed);
  });
  return ok(isShort ? parts.join(' ') : lists(locale, { type: 'unit', style: 'short' }).format(parts));
}

function parseSeconds(text: string): number {
  if (SECONDS.test(text)) return Number(text);
  const match = ISO.exec(text) ?? GO.exec(text);
  if (!match) return Number.NaN;
  const [, sign, ...counts] = match;
  const parts = Object.values(LENGTHS).map((length, place) => Number(counts[place] ?? 0) * length);
  return parts.reduce((sum, part) => sum + part) * (sign === '-' ? -1 : 1);
}

type Unit = (typeof UNITS)[number][0] | 'millisecond';

/** Symbols for German, whose words for units would need a case: `nach 5 Minuten`, `vor 2 Tagen`. */
const SYMBOLS = { hour: 'h', minute: 'min', second: 's', millisecond: 'ms' } as const;

function split(seconds: number): [Unit, number][] {
  const ms = Math.round(seconds * 1000);
  if (seconds > 0 && ms < 1000) return [['millisecond', ms]];
  let left = Math.round(seconds);
  const parts: [Unit, number][] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push([unit, count]);
  }
  return parts.length > 0 ? parts : [['second', 0]];
}

const units = formatsOf(Intl.NumberFormat);
const lists = formatsOf(Intl.ListFormat);
