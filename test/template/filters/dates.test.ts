import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDateTime, parseMoment } from '../../../src/template/filters/dates.ts';
import { GERMAN, refusal, render } from '../helpers.ts';

const format = (value: unknown, style?: unknown, locale = GERMAN, zone?: unknown): string => {
  const result = formatDateTime(value, style, locale, zone);
  return result.ok ? result.value : `! ${result.error}`;
};

it('datetime reads ISO 8601, the time of an e-mail and of Unix', () => {
  const zones =
    '2023-11-14T22:13:20Z|2023-11-14T23:13:20+01:00|2023-11-14T23:13:20+0100|2023-11-14 22:13:20 UTC';
  const others =
    '2023-11-14 22:13:20|2023-11-14T22:13:20.123456789Z|2023-11-14T22:13Z|1700000000|1700000000000';
  const mails = 'Tue, 14 Nov 2023 22:13:20 GMT|14 Nov 2023 23:13:20 +0100|1700000000.5';
  const compact = '20231114T221320Z|20231114T231320+0100|20231114221320';
  const named =
    '2023-11-14 22:13:20 GMT|2023-11-14 22:13:20.5 +0000 UTC|2023-11-14T23:13:20+01:00[Europe/Berlin]|Tue, 14 Nov 2023 22:13:20 +0000 (UTC)';
  const texts = [zones, others, mails, compact, named].flatMap((some) => some.split('|'));
  for (const value of [...texts, 1700000000, 1700000000000, 20231114221320])
    expect(format(value), String(value)).toBe('14.11.2023, 23:13');
});

it('datetime prints a day without a time as that day in every zone', () => {
  for (const timezone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    expect(format('2026-11-20', 'long', { ...GERMAN, timezone })).toBe('20. November 2026');
  }
  for (const day of ['20261120', 20261120]) expect(format(day)).toBe('20.11.2026');
  expect(format('2026-11-20', 'time')).toBe('! the value is a day without a time');
});

it('datetime refuses what is no time', () => {
  const texts = ['yesterday', '2026-02-31', '2026-13-01', '2026-11-20T25:61:00Z', '20.11.2026', '11/20/2026'];
  for (const value of [...texts, '20260231', 20260231, 'foo 1', true, {}, [], Number.NaN, 1e300])
    expect(format(value), JSON.stringify(value)).toContain('is not a time');
});

it('datetime refuses an unknown style and suggests one', () => {
  const known = 'known ones: short, medium, long, full, date, time';
  expect(format(0, 'medum')).toBe(`! unknown style "medu…" (did you mean "medium"?); ${known}`);
  expect(format(0, 7)).toContain('unknown style "7"');
});

const at = (value: unknown, zone: unknown, style = 'short') => format(value, style, GERMAN, zone);
const inZone = (zone: string) => render(`{{ 0 | datetime: "time", ${zone} }}`, { zone: 'Asia/Tokyo' });

it('datetime in a zone of its own is that of the source for none, and for what is no zone, where it says so', () => {
  for (const zone of [undefined, null, '', '  ', ' europe/BERLIN '])
    expect(at('2026-11-20T23:30:00Z', zone)).toBe('21.11.26, 00:30');
  const names = ['W. Europe Standard Time', 'Mars/Base', 'Z'.repeat(100_000), '__proto__'];
  for (const zone of [...names, 7, true, {}, ['Europe/Berlin']]) {
    expect(at('2026-11-20T23:30:00Z', zone)).toBe('21.11.26, 00:30 MEZ');
    expect(at('2026-07-20T23:30:00Z', zone, 'full')).toBe('Dienstag, 21. Juli 2026 um 01:30 MESZ');
    expect(at('2026-07-20T23:30:00Z', zone, 'time')).toBe('01:30 MESZ');
    expect(at('2026-07-20T23:30:00Z', zone, 'date')).toBe('21.07.2026');
  }
});

it('datetime in a zone of its own is taken from a payload, and refused in a template if it is none', () => {
  const zones = ['payload.zone', '"Asia/Tokyo"', "''", 'payload.none'];
  expect(zones.map(inZone)).toEqual(['09:00', '09:00', '01:00', '01:00']);
  const needed = 'unknown time zone "Berlin": an IANA zone such as "Europe/Berlin" is needed, or "local"';
  expect(refusal("{{ 0 | datetime: 'time', 'Berlin' }}")).toBe(`column 8: ${needed}`);
  const assigned = '{% assign at = 0 | datetime: "time", "W. Europe Standard Time" %}';
  expect(refusal(assigned)).toContain('unknown time zone');
});

it('datetime in a zone of its own is the zone’s own time, whatever zones came before', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const start = Date.UTC(2026, 0);
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.nat(366 * 24 * 60), (timeZone, minutes) => {
      const ms = start + minutes * 60_000;
      const expected = new Intl.DateTimeFormat('de-DE', { timeZone, timeStyle: 'short' }).format(ms);
      expect(at(ms, timeZone, 'time')).toBe(expected);
    }),
    { numRuns: 150 },
  );
});

it.each([
  [99_999_999_999, 99_999_999_999_000],
  [100_000_000_000, 100_000_000_000],
  [1_779_955_200, 1_779_955_200_000],
  [1_779_955_200_123, 1_779_955_200_123],
  [1_779_955_200_123_456, 1_779_955_200_123.456],
  ['1779955200123456', 1_779_955_200_123.456],
  ['1779955200123456789', 1_779_955_200_123.456_8],
  [-1_779_955_200_123_456, -1_779_955_200_123.456],
])('the epoch %s is in seconds, milliseconds, microseconds or nanoseconds by its size', (value, ms) => {
  const moment = parseMoment(value);
  expect(moment.ok && moment.value.ms).toBeCloseTo(ms, 3);
});

it.each([
  ['2026-11-26T09:40:12', '26.11.2026, 09:40'],
  ['2026-06-03 08:30:00', '03.06.2026, 08:30'],
  ['2026-11-26T08:40:12Z', '26.11.2026, 09:40'],
  ['2026-11-26T08:40:12+00:00', '26.11.2026, 09:40'],
  ['2026-11-26', '26.11.2026'],
  // Does not exist.
  ['2026-03-29T02:30', '29.03.2026, 03:30'],
  // Exists twice.
  ['2026-10-25T02:30', '25.10.2026, 02:30'],
])('a time without a zone %s is that of the source with `local`: %s', (value, expected) => {
  expect(at(value, 'local', 'medium')).toBe(expected);
});

it('a time without a zone is local in every style and in `date`, and by itself if the provider says so', () => {
  const payload = { at: '2026-11-26T09:40:12', day: '2026-11-26' };
  const styles = ['short', 'medium', 'long', 'full', 'time'];
  for (const style of styles)
    expect(render(`{{ payload.at | datetime: "${style}", "local" }}`, payload)).toContain('09:40');
  expect(render('{{ payload.at | date: "%d %H:%M", "local" }}', payload)).toBe('26 09:40');
  expect(render('{{ payload.day | date: "%d %H:%M", "local" }}', payload)).toBe('26 00:00');
  expect(render('{{ payload.at | datetime: "time" }}', payload)).toBe('10:40');
  const form = { ...GERMAN, localTimes: true };
  expect(render('{{ payload.at | datetime: "time" }}', payload, form)).toBe('09:40');
  expect(render('{{ payload.at | datetime: "time", "UTC" }}', payload, form)).toBe('08:40');
});

it('a time without a zone is the same wall clock in every zone, but for the hours that a clock skips', () => {
  const time = fc.date({ min: new Date('1970-01-02'), max: new Date('2037-01-01'), noInvalidDate: true });
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ];
  fc.assert(
    fc.property(time, fc.constantFrom(...zones), (when, timezone) => {
      const locale = { ...GERMAN, locale: 'sv-SE', timezone };
      const clock = format(when.toISOString(), 'short', locale);
      expect(format(clock.replace(' ', 'T'), 'short', locale, 'local')).toBe(clock);
    }),
    { numRuns: 200 },
  );
});

it('the standard filter date is in the zone and locale of the source, and keeps a day a day', () => {
  const t = '2026-11-20T23:30:00Z';
  expect(render('{{ payload.t | date: "%d. %B %H:%M" }}', { t })).toBe('21. November 00:30');
  expect(render('{{ payload.t | date: "%B" }}', { t: '2026-12-20T12:00:00Z' })).toBe('Dezember');
  const locale = { ...GERMAN, timezone: 'America/Los_Angeles' };
  expect(render('{{ "2026-11-20" | date: "%d" }}', {}, locale)).toBe('20');
  // For when the event came in, so that a replay renders the same.
  expect(render('{{ "now" | date: "%Y-%m-%d %H:%M" }}')).toBe('2026-11-21 07:00');
  // What is no date stays, as in all Liquids.
  expect(render('{{ "soon" | date: "%d" }}')).toBe('soon');
});
