import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onCallAt, onCallBetween, rotationOf } from '../../src/config/compiled/rotation.ts';
import { rotationSchema } from '../../src/config/documents/alerting-schema.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { naiveRotation, QUARTER } from './naive-rotation.ts';

const WEEKLY = {
  order: ['anna', 'ben'],
  every: '1w',
  from: '2026-11-23T09:00', // fixed date: its own clock
  timezone: 'Europe/Berlin',
};

const rotation = (over: object = {}) => rotationOf(rotationSchema.parse({ ...WEEKLY, ...over }));
const at = (iso: string): number => Date.parse(iso);
const shown = ({ person, since, until }: ReturnType<typeof onCallAt>): string =>
  [person, ...[since, until].map((ms) => (ms === null ? '∞' : new Date(ms).toISOString().slice(0, 16)))].join(
    ' ',
  );
const onCall = (iso: string, over: object = {}): string => shown(onCallAt(rotation(over), at(iso)));

const NIGHTLY = { every: '1d', from: '2026-11-23T02:30' }; // fixed date: its own clock
const OVERRIDES = [{ person: 'ben', from: '2026-11-28T12:00', to: '2026-11-30T09:00' }]; // fixed date: its own clock
const NIGHTS = { from: '20:00', to: '08:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] };
const SHIFTS = [{ order: ['carl', 'dora'], ...NIGHTS }];
const DAILY = { every: '1d', from: '2026-11-23T00:00', shifts: SHIFTS }; // fixed date: its own clock

it('a rotation hands over at the same local time, also across clock changes, has overrides and shifts, and is listed for a range', () => {
  const rows = [
    ['2026-11-23T08:00Z', {}, 'anna 2026-11-23T08:00 2026-11-30T08:00'],
    ['2026-11-30T07:59Z', {}, 'anna 2026-11-23T08:00 2026-11-30T08:00'],
    ['2026-11-30T08:00Z', {}, 'ben 2026-11-30T08:00 2026-12-07T08:00'],
    ['2026-12-07T08:00Z', {}, 'anna 2026-12-07T08:00 2026-12-14T08:00'],
    // It goes on backwards before its first turn.
    ['2026-11-23T07:59Z', {}, 'ben 2026-11-16T08:00 2026-11-23T08:00'],
    ['2027-04-01T00:00Z', {}, 'anna 2027-03-29T07:00 2027-04-05T07:00'],
    ['2027-03-28T23:00Z', {}, 'ben 2027-03-22T08:00 2027-03-29T07:00'],
    ['2026-10-26T00:00Z', {}, 'ben 2026-10-19T07:00 2026-10-26T08:00'],
    // The clock jumps over the time, or shows it twice.
    ['2027-03-28T01:00Z', NIGHTLY, 'ben 2027-03-28T01:00 2027-03-29T00:30'],
    ['2027-10-31T01:30Z', NIGHTLY, 'anna 2027-10-31T00:30 2027-11-01T01:30'],
    ['2026-11-23T08:00Z', { order: ['anna'] }, 'anna ∞ ∞'],
    ['2026-11-23T08:00Z', { order: ['anna', 'anna'] }, 'anna ∞ ∞'],
    // Overrides join the turns of the same person.
    ['2026-11-27T00:00Z', { overrides: OVERRIDES }, 'anna 2026-11-23T08:00 2026-11-28T11:00'],
    ['2026-11-29T00:00Z', { overrides: OVERRIDES }, 'ben 2026-11-28T11:00 2026-12-07T08:00'],
    // Whoever has the turn when a shift begins has it until it ends; the night to Sunday has no shift.
    ['2026-11-23T12:00Z', DAILY, 'anna 2026-11-22T23:00 2026-11-23T19:00'],
    ['2026-11-23T23:30Z', DAILY, 'carl 2026-11-23T19:00 2026-11-24T07:00'],
    ['2026-11-24T19:00Z', DAILY, 'dora 2026-11-24T19:00 2026-11-25T07:00'],
    ['2026-11-28T22:00Z', DAILY, 'ben 2026-11-28T07:00 2026-11-28T23:00'],
  ] as const;
  expect(rows.map(([now, over]) => [now, over, onCall(now, over)])).toEqual(rows);
  const spans = onCallBetween(rotation(), at('2026-11-24T00:00Z'), at('2026-12-08T00:00Z'), 10);
  expect(spans.map(({ person }) => person)).toEqual(['anna', 'ben', 'anna']);
  expect(onCallBetween(rotation(), 0, DAY * 365, 3)).toHaveLength(3);
});

/** Zones with clock changes of an hour and of half of one, at the other end of the world, and without any. */
const ZONES = 'Europe/Berlin America/New_York Australia/Lord_Howe Pacific/Auckland Asia/Kolkata'.split(' ');
/** Days before a change of one of the zones. */
const DAYS = '03-06 03-27 04-03 09-25 10-02 10-23 10-30'.split(' ');
const STARTS = DAYS.map((day) => `2026-${day}`);

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
  .map(([hour, minute]) => `${twoDigits(hour)}:${twoDigits(minute)}`);
const order = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
const shift = fc
  .record({
    order,
    from: timeOfDay,
    to: timeOfDay,
    days: fc.uniqueArray(fc.constantFrom('sun', 'mon', 'fri', 'sat'), { minLength: 1 }),
  })
  .filter(({ from, to }) => from !== to);

const localText = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

const rotations = fc
  .record({
    start: fc.constantFrom(...STARTS),
    order,
    every: fc.constantFrom('1d', '2d', '1w'),
    time: timeOfDay,
    timezone: fc.constantFrom(...ZONES),
    shifts: fc.array(shift, { maxLength: 2 }),
    hours: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    first: timeOfDay,
    byHand: fc.array(fc.tuple(fc.constantFrom('a', 'e'), fc.nat(90), fc.integer({ min: 1, max: 40 }))),
  })
  .map(({ start, time, hours, first, byHand, ...rest }) => {
    let begin = Date.parse(`${start}T${first}Z`);
    const overrides = hours.flatMap((length, index) => {
      const from = begin;
      begin += length * HOUR;
      return index % 2 === 0 ? [{ person: 'd', from: localText(from), to: localText(begin) }] : [];
    });
    const document = { ...rest, from: `${start}T${time}`, overrides };
    const midnight = Date.parse(`${start}T00:00Z`);
    const made = byHand.map(([person, after, length]) => {
      const begins = midnight + after * HOUR;
      return { person, from: begins, to: begins + length * HOUR };
    });
    return { start: midnight, document: rotationSchema.parse(document), made };
  });

it('who is on call is who a walk through each quarter of an hour finds, in any zone, across clock changes and overrides, of which the last made counts', () => {
  fc.assert(
    fc.property(rotations, ({ start, document, made }) => {
      const compiled = rotationOf(document, made);
      const end = start + 4 * DAY;
      const walk = naiveRotation(document, start, end).map((person, index) => {
        const at = start + index * QUARTER;
        return made.findLast(({ from, to }) => from <= at && at < to)?.person ?? person;
      });
      const spans = onCallBetween(compiled, start, end, 1_000);
      const found: string[] = [];
      for (const { person, until } of spans)
        while (found.length < walk.length && start + found.length * QUARTER < (until ?? Infinity))
          found.push(person);
      expect(found).toEqual(walk);
      // A span begins where another person had the turn.
      for (const { since, person } of spans)
        if (since !== null) expect(onCallAt(compiled, since - 1).person).not.toBe(person);
    }),
    { numRuns: 100 },
  );
});
