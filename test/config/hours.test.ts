import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hoursBegin, hoursEnd, hoursOf, type Hours } from '../../src/config/compiled/hours.ts';
import { DAY, MINUTE } from '../../src/lib/time.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const NIGHT = hoursOf({ from: '22:00', to: '07:00' }, 'Europe/Berlin');
const IN_GAP = hoursOf({ from: '02:15', to: '02:45' }, 'Europe/Berlin');

const FRIDAYS = { ...NIGHT, days: [5] };
const WEEKEND = hoursOf({ from: '00:00', to: '24:00', days: ['sat', 'sun'] }, 'Europe/Berlin');
const INTO_GAP = hoursOf({ from: '01:00', to: '02:30' }, 'Europe/Berlin');
const OUT_OF_GAP = hoursOf({ from: '02:30', to: '04:00' }, 'Europe/Berlin');
const LORD_HOWE = { ...NIGHT, timezone: 'Australia/Lord_Howe' };
const SAMOA = hoursOf({ from: '00:00', to: '24:00', days: ['thu', 'fri', 'sat'] }, 'Pacific/Apia');

type Row = readonly [find: typeof hoursEnd | typeof hoursBegin, Hours, now: string, found: string | null];

const expectTimes = (rows: readonly Row[]) =>
  expect(rows.map(([find, hours, now]) => [hours, now, iso(find(hours, at(now)))])).toEqual(
    rows.map(([, hours, now, found]) => [hours, now, found === null ? null : iso(at(found))]),
  );

it('hours last until the next day where they end before they begin, belong to the day of their begin, and are one where they touch', () => {
  expectTimes([
    [hoursEnd, NIGHT, '2026-07-01T19:59:59.999Z', null],
    [hoursEnd, NIGHT, '2026-07-01T20:00:00Z', '2026-07-02T05:00:00Z'],
    [hoursEnd, NIGHT, '2026-07-02T04:59:59.999Z', '2026-07-02T05:00:00Z'],
    [hoursEnd, NIGHT, '2026-07-02T05:00:00Z', null],
    // 2026-07-03 is a Friday.
    [hoursEnd, FRIDAYS, '2026-07-03T01:00:00Z', null],
    [hoursEnd, FRIDAYS, '2026-07-04T01:00:00Z', '2026-07-04T05:00:00Z'],
    [hoursBegin, FRIDAYS, '2026-07-04T01:00:00Z', '2026-07-10T20:00:00Z'],
    [hoursEnd, WEEKEND, '2026-07-04T01:00:00Z', '2026-07-05T22:00:00Z'],
    [hoursBegin, WEEKEND, '2026-07-04T01:00:00Z', '2026-07-10T22:00:00Z'],
  ]);
});

it('hours in the night in which clocks change are shorter or longer, begin or end at the jump, are skipped as a whole, or come once', () => {
  expectTimes([
    [hoursBegin, NIGHT, '2026-03-28T12:00:00Z', '2026-03-28T21:00:00Z'],
    [hoursEnd, NIGHT, '2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z'],
    [hoursBegin, NIGHT, '2026-10-24T12:00:00Z', '2026-10-24T20:00:00Z'],
    [hoursEnd, NIGHT, '2026-10-25T03:00:00Z', '2026-10-25T06:00:00Z'],
    [hoursEnd, IN_GAP, '2026-03-29T01:00:00Z', null],
    [hoursBegin, IN_GAP, '2026-03-28T12:00:00Z', '2026-03-30T00:15:00Z'],
    [hoursEnd, INTO_GAP, '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    [hoursBegin, OUT_OF_GAP, '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    [hoursBegin, IN_GAP, '2026-10-24T12:00:00Z', '2026-10-25T00:15:00Z'],
    [hoursEnd, IN_GAP, '2026-10-25T00:15:00Z', '2026-10-25T00:45:00Z'],
    [hoursEnd, IN_GAP, '2026-10-25T01:30:00Z', null],
    [hoursEnd, LORD_HOWE, '2026-04-04T12:00:00Z', '2026-04-04T20:30:00Z'],
    [hoursEnd, LORD_HOWE, '2026-10-03T12:00:00Z', '2026-10-03T20:00:00Z'],
    // Samoa had no 30 December 2011.
    [hoursEnd, SAMOA, '2011-12-29T12:00:00Z', '2011-12-31T10:00:00Z'],
    [hoursBegin, { ...SAMOA, days: [5] }, '2011-12-27T12:00:00Z', '2012-01-05T10:00:00Z'],
  ]);
});

/** The days around changes of clocks, and others. */
const PLACES = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Nuuk', '2026-03-28'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kiritimati', '2026-07-01'],
  ['Etc/GMT+12', '2026-07-01'],
  ['Asia/Kathmandu', '2026-07-01'],
  ['UTC', '2026-02-28'],
] as const;

/** The time on a wall clock at each minute of twelve days, as if its zone were UTC (ms). */
function* walk(timeZone: string, from: number): Generator<readonly [at: number, shown: number]> {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  for (let now = from; now < from + 12 * DAY; now += MINUTE) {
    const [, month, day, year, hour, minute] =
      /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/.exec(format.format(now)) ?? [];
    yield [now, Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))];
  }
}

/** True if a clock that never goes back shows one of the hours. */
function isIn({ from, to, days }: Hours, shown: number): boolean {
  const day = Math.floor(shown / DAY);
  const minutes = (shown - day * DAY) / MINUTE;
  const begins = (one: number): boolean => days.includes(new Date(one * DAY).getUTCDay());
  if (to > from) return begins(day) && from <= minutes && minutes < to;
  return (begins(day) && minutes >= from) || (begins(day - 1) && minutes < to);
}

const walks = PLACES.map(([timezone, date]) => {
  let furthest = 0;
  const minutes = [...walk(timezone, at(date) - 6 * DAY)].map(([now, shown]) => {
    furthest = Math.max(furthest, shown);
    return { now, shown: furthest };
  });
  return { timezone, minutes };
});

const anyHours = fc
  .record({
    // Half of them where clocks change.
    from: fc.oneof(fc.integer({ min: 0, max: 180 }), fc.integer({ min: 0, max: 1_439 })),
    to: fc.oneof(fc.integer({ min: 0, max: 180 }), fc.integer({ min: 0, max: 1_440 })),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
  })
  .filter(({ from, to, days }) => from !== to && (to - from < 1_440 || days.length < 7));

it('hours of any kind, around any change of clocks, are what a walk over each minute says, on a clock that stands still instead of going back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...walks), anyHours, fc.nat(), ({ timezone, minutes }, some, start) => {
      const hours = { ...some, timezone };
      const first = minutes[2 * 1_440 + (start % (3 * 1_440))];
      if (first === undefined) throw new Error('the walk is too short');
      const later = minutes.filter(({ now }) => now >= first.now);
      const change = (isInside: boolean, after: number): number | undefined =>
        later.find(({ now, shown }) => now >= after && isIn(hours, shown) === isInside)?.now;
      const isInside = isIn(hours, first.shown);
      const end = isInside ? change(false, first.now) : null;
      // Times beyond the walk are not compared.
      if (end !== undefined) {
        expect(hoursEnd(hours, first.now)).toBe(end);
        const begin = change(true, end ?? first.now);
        if (begin !== undefined) expect(hoursBegin(hours, first.now)).toBe(begin);
      }
    }),
    { numRuns: 300 },
  );
});
