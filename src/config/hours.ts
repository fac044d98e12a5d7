import { createCache } from '../lib/cache.ts';
import { DAY, HOUR, MINUTE } from '../lib/duration.ts';
import type { Hours } from './alerting.ts';
import type { HoursDocument } from './alerting-schema.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The time zone of hours in lists and silences that name none, since those belong to no source. */
const ZONE_OF_NONE = 'UTC';

/** The warning about it. */
export const WITHOUT_ZONE = `has no \`timezone\`, so its hours are in ${ZONE_OF_NONE}; name one, such as Europe/Berlin`;

/** Hours as a document writes them. `timezone`: where they are if the document does not say. */
export const hoursOf = (document: HoursDocument, timezone = ZONE_OF_NONE): Hours => ({
  from: minutesOf(document.from),
  to: minutesOf(document.to),
  days: (document.days ?? DAYS).map((day) => DAYS.indexOf(day)),
  timezone: document.timezone ?? timezone,
});

/** Minutes after midnight of `HH:MM`. */
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/**
 * Returns the end of the hours that `now` is in; null if it is in none. Hours begin and end when the zone's clock
 * first shows the time, or skips it: they do not begin again when an hour is repeated, and do not take place if they
 * are skipped as a whole. Hours that touch are one. All times in ms.
 */
export function hoursEnd(hours: Hours, now: number): number | null {
  const today = localDay(hours, now);
  let end: number | null = null;
  // Yesterday's may last until now; the clock may have shown tomorrow already and have gone back since.
  let last = today + 1;
  for (let day = today - 1; day <= last; day++) {
    if (!isChosen(hours, day)) continue;
    const [begin, until] = bounds(hours, day);
    const at = end ?? now;
    if (begin > at || at >= until) continue;
    end = until;
    // Hours that touch these are on the next day, or on the one after a skipped day. A week is the most.
    last = Math.min(day + 2, today + 7);
  }
  return end;
}

/** Returns the next beginning of the hours after `now`, or after the hours that `now` is in (ms). */
export function hoursBegin(hours: Hours, now: number): number {
  const after = hoursEnd(hours, now) ?? now;
  // A day of the week may be skipped, with the hours in it.
  for (let day = localDay(hours, after) - 1; ; day++) {
    if (!isChosen(hours, day)) continue;
    const [begin, end] = bounds(hours, day);
    if (begin > after && end > begin) return begin;
  }
}

/** True if hours begin on this day: its number since 1970-01-01, a Thursday. */
export const isChosen = ({ days }: Hours, day: number): boolean => days.includes((day + 4) % 7);

/** The day that the zone's clock shows, by its number. */
export const localDay = ({ timezone }: Pick<Hours, 'timezone'>, at: number): number =>
  Math.floor((at + offsetAt(timezone, at)) / DAY);

/** When the hours of a day begin and end (ms). */
export function bounds({ from, to, timezone }: Hours, day: number): readonly [begin: number, end: number] {
  const reach = (minutes: number): number => firstReached(timezone, day * DAY + minutes * MINUTE);
  return [reach(from), reach(to > from ? to : to + 24 * 60)];
}

/**
 * Returns the time when the zone's clock first shows `local` or later; both in ms, `local` as if the zone were UTC.
 */
export function firstReached(zone: string, local: number): number {
  // Offsets are from -12 to +14 hours.
  const early = local - 15 * HOUR;
  const late = local + 13 * HOUR;
  const before = offsetAt(zone, early);
  const after = offsetAt(zone, late);
  // The clock changes in between, at most once.
  if (before === after || offsetAt(zone, local - before) === before) return local - before;
  if (offsetAt(zone, local - after) === after) return local - after;
  // It jumps over it. When?
  let [low, high] = [early, late];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The date and time that the zone's clock shows, to the minute: `2026-01-31T09:00`. */
export const localTextAt = (zone: string, at: number): string =>
  new Date(at + offsetAt(zone, at)).toISOString().slice(0, 16);

const formatIn = createCache<Intl.DateTimeFormat>(64);

/** Returns how far the zone's clock is ahead of UTC (ms). */
function offsetAt(zone: string, at: number): number {
  const format = formatIn(
    zone,
    () => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }),
  );
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(at)) ?? [];
  const ms = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}
