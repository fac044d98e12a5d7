import { DAY, HOUR, MINUTE, offsetAt } from '../../lib/time.ts';
import type { Answered } from '../../schema/api-parts.ts';
import type { HoursDocument } from '../documents/alerting-schema.ts';

/** Hours of the week, in the time zone's own time. If `to` is at or before `from`, they end on the next day. */
export type Hours = Answered<ReturnType<typeof hoursOf>>;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The time zone of hours in lists and silences that name none. They belong to no source whose zone could count. */
const ZONE_OF_NONE = 'UTC';

export const WITHOUT_ZONE = `has no \`timezone\`, so its hours are in ${ZONE_OF_NONE}; name one, such as Europe/Berlin`;

export const hoursOf = (document: HoursDocument, timezone = ZONE_OF_NONE) => ({
  /** Minutes after midnight, 0 to 1439. */
  from: minutesOf(document.from),
  /** Minutes after midnight, 0 to 1440. */
  to: minutesOf(document.to),
  /** The days on which they begin: 0 is Sunday. */
  days: (document.days ?? DAYS).map((day) => DAYS.indexOf(day)),
  timezone: document.timezone ?? timezone,
});

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/**
 * Returns the end of the hours that `now` is in; null if it is in none. Hours begin and end when the zone's clock first
 * shows the time, or skips it. They do not begin again when an hour is repeated, and do not take place if they are
 * skipped as a whole. Hours that touch count as one. All times in ms.
 */
export function hoursEnd(hours: Hours, now: number): number | null {
  const today = localDay(hours, now);
  let end: number | null = null;
  // Yesterday's hours may last until now. Tomorrow's may have begun: the clock may have shown tomorrow and then gone
  // back.
  let last = today + 1;
  for (let day = today - 1; day <= last; day++) {
    const [begin = Infinity, until = Infinity] = spanOn(hours, day);
    const at = end ?? now;
    if (begin > at || at >= until) continue;
    end = until;
    // Hours that touch these begin on the next day, or on the day after a skipped one. The search stops after a week.
    last = Math.min(day + 2, today + 7);
  }
  return end;
}

/** Returns the time when the hours next begin after `now`, or after the hours that `now` is in (ms). */
export function hoursBegin(hours: Hours, now: number): number {
  const after = hoursEnd(hours, now) ?? now;
  // The zone may skip a whole day of the week, with its hours.
  for (let day = localDay(hours, after) - 1; ; day++) {
    const [begin = after, end = after] = spanOn(hours, day);
    if (begin > after && end > begin) return begin;
  }
}

/** The number of the day that the zone's clock shows. */
export const localDay = ({ timezone }: Pick<Hours, 'timezone'>, at: number): number =>
  Math.floor((at + offsetAt(timezone, at)) / DAY);

/** The hours that begin on this day, its number since 1970-01-01, a Thursday. Empty if none do. */
export function spanOn({ from, to, days, timezone }: Hours, day: number) {
  if (!days.includes((day + 4) % 7)) return [];
  const reach = (minutes: number): number => firstReached(timezone, day * DAY + minutes * MINUTE);
  return [reach(from), reach(to > from ? to : to + 24 * 60)];
}

/** When the zone's clock first shows `local` or later; both in ms, `local` as if the zone were UTC. */
export function firstReached(zone: string, local: number): number {
  // Offsets are from -12 to +14 hours.
  const early = local - 15 * HOUR;
  const late = local + 13 * HOUR;
  const before = offsetAt(zone, early);
  const after = offsetAt(zone, late);
  // The clock changes at most once in between.
  if (before === after || offsetAt(zone, local - before) === before) return local - before;
  if (offsetAt(zone, local - after) === after) return local - after;
  // The clock skips `local`. Find the moment when it does.
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
