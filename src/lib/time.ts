import { createCache } from './cache.ts';
import { err, ok, type Result } from './result.ts';

/** A time (ms since the epoch) as ISO 8601, in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** A time in ISO 8601 as ms. NaN also for a day that is in no calendar: `Date` alone reads 30 February as 2 March. */
export function parseIso(text: string): number {
  const day = text.slice(0, 10);
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && iso(midnight).startsWith(day) ? Date.parse(text) : NaN;
}

/** The earliest of these times (ms). Null stands for never, in `times` and in the result. */
export const minTime = (times: readonly (number | null)[]): number | null =>
  times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The units with their milliseconds, the longest first. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1_000],
  ['ms', 1],
]);

const SHAPE = /^(\d{1,15}(?:\.\d{1,6})?)(ms|s|m|h|d)$/;
const MAX_SHOWN = 40;

/** Shows a text whole or not at all, since redaction does not recognise half a secret. */
const shown = (text: string): string => (text.length > MAX_SHOWN ? '…' : text);

/**
 * Parses a duration: one number and one unit (`250ms`, `15s`, `1.5h`, `3d`). Returns milliseconds. Decimals are allowed
 * if the result is a whole number of milliseconds. The error explains the mistake and its fix.
 */
export function parseDuration(text: string): Result<number, string> {
  const match = SHAPE.exec(text);
  if (match === null) return err(`\`${shown(text)}\` is not a duration: ${fix(text)}`);
  const exact = Number(match[1]) * (UNITS.get(match[2] ?? '') ?? NaN);
  const ms = Math.round(exact);
  // 1.1 * 1000 is 1100.0000000000002, which people still call a whole number of milliseconds.
  if (Math.abs(exact - ms) > 1e-6) return err(`\`${text}\` is finer than a millisecond, the smallest step`);
  if (!Number.isSafeInteger(ms)) return err(`\`${text}\` is too long for a duration`);
  return ok(ms);
}

function fix(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text)) return `it has no unit; write \`${shown(text)}s\` for seconds`;
  if (/^(\d+(ms|s|m|h|d)){2,}$/.test(text)) return 'write one number and one unit, such as `90m` for `1h30m`';
  return 'write a number with ms, s, m, h or d, such as `30s` or `3d`';
}

/** The shortest text that {@link parseDuration} reads as `ms` (whole, not negative): `90s`, `2h`, `0ms`. */
export function formatDuration(ms: number): string {
  for (const [unit, length] of UNITS) if (ms >= length && ms % length === 0) return `${ms / length}${unit}`;
  return `${ms}ms`;
}

/** `Date.parse` accepts much more than ISO 8601: `5` is a day in May 2001. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\S+)?$/;

/** A moment as ISO 8601, or as a duration before `now` (`2h`), in ms. NaN for anything else. */
export function parseSince(text: string, now: number): number {
  const ago = parseDuration(text);
  if (ago.ok) return now - ago.value;
  return ISO_DATE.test(text) ? parseIso(text) : NaN;
}

const formatIn = createCache<Intl.DateTimeFormat>(64);

/** Returns the difference between a time zone's clock and UTC at a time (ms). */
export function offsetAt(zone: string, at: number): number {
  const format = formatIn(
    zone,
    () => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }),
  );
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(at)) ?? [];
  const ms = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}

/**
 * Returns the time at which a zone's clock shows `local`; both in ms, `local` as if the zone were UTC. Of two times it
 * is the first one. If the clock skips `local`, it is as much later as the clock is put forward.
 */
export function timeOfClock(zone: string, local: number): number {
  // Offsets are from -12 to +14 hours. The clock changes at most once in between.
  const before = offsetAt(zone, local - 15 * HOUR);
  const after = offsetAt(zone, local + 13 * HOUR);
  return offsetAt(zone, local - before) !== before && offsetAt(zone, local - after) === after
    ? local - after
    : local - before;
}
