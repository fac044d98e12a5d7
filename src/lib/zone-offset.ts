import { createCache } from './cache.ts';
import { HOUR, MINUTE } from './duration.ts';

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
