import { describe, expect, it } from 'vitest';
import { formatDateTime, parseMoment } from '../../../src/template/filters/dates.ts';
import { GERMAN, render } from '../helpers.ts';

const format = (value: unknown, style?: unknown, locale = GERMAN): string => {
  const result = formatDateTime(value, style, locale);
  return result.ok ? result.value : `! ${result.error}`;
};

describe('datetime', () => {
  it.each([
    [undefined, '21.11.2026, 00:30'],
    ['short', '21.11.26, 00:30'],
    ['medium', '21.11.2026, 00:30'],
    ['long', '21. November 2026 um 00:30'],
    ['full', 'Samstag, 21. November 2026 um 00:30'],
    ['date', '21.11.2026'],
    ['time', '00:30'],
  ])('in style %s is in the zone and locale of the source', (style, expected) => {
    expect(format('2026-11-20T23:30:00Z', style)).toBe(expected);
  });

  it.each([
    '2023-11-14T22:13:20Z',
    '2023-11-14T23:13:20+01:00',
    '2023-11-14T23:13:20+0100',
    '2023-11-14 22:13:20',
    '2023-11-14 22:13:20 UTC',
    '2023-11-14T22:13:20.123456789Z',
    '2023-11-14T22:13Z',
    'Tue, 14 Nov 2023 22:13:20 GMT',
    '14 Nov 2023 23:13:20 +0100',
    1700000000,
    1700000000000,
    '1700000000',
    '1700000000000',
    '1700000000.5',
  ])('reads %s', (value) => {
    expect(format(value)).toBe('14.11.2023, 23:13');
  });

  it('prints a day without a time as that day in every zone', () => {
    for (const timezone of ['America/Los_Angeles', 'Pacific/Auckland']) {
      expect(format('2026-11-20', 'long', { ...GERMAN, timezone })).toBe('20. November 2026');
    }
    expect(format('2026-11-20', 'time')).toBe('! the value is a day without a time');
  });

  it.each([
    'yesterday',
    '2026-02-31',
    '2026-13-01',
    '2026-11-20T25:61:00Z',
    '20.11.2026',
    '11/20/2026',
    'foo 1',
    true,
    {},
    [],
    Number.NaN,
    1e300,
  ])('refuses %j', (value) => {
    expect(format(value)).toContain('is not a time');
  });

  it('refuses an unknown style and suggests one', () => {
    expect(format(0, 'medum')).toBe(
      '! unknown style "medu…" (did you mean "medium"?); there are short, medium, long, full, date, time',
    );
    expect(format(0, 7)).toContain('unknown style "7"');
  });

  it('of nothing is empty', () => {
    expect(render('[{{ payload.a | datetime }}{{ payload.a | date: "%Y" }}]')).toBe('[]');
  });
});

describe('parseMoment', () => {
  it('takes small epochs for seconds and large ones for milliseconds', () => {
    expect(parseMoment(99_999_999_999)).toMatchObject({ value: { ms: 99_999_999_999_000 } });
    expect(parseMoment(100_000_000_000)).toMatchObject({ value: { ms: 100_000_000_000 } });
  });
});

describe('the standard filter date', () => {
  it('is in the zone and locale of the source', () => {
    expect(render('{{ payload.t | date: "%d. %B %H:%M" }}', { t: '2026-11-20T23:30:00Z' })).toBe(
      '21. November 00:30',
    );
    expect(render('{{ payload.t | date: "%B" }}', { t: '2026-12-20T12:00:00Z' })).toBe('Dezember');
  });

  it('takes `now` for when the event came in, so that a replay renders the same', () => {
    expect(render('{{ "now" | date: "%Y-%m-%d %H:%M" }}')).toBe('2026-11-21 07:00');
  });

  it('keeps a day a day', () => {
    const locale = { ...GERMAN, timezone: 'America/Los_Angeles' };
    expect(render('{{ "2026-11-20" | date: "%d" }}', {}, locale)).toBe('20');
  });

  it('leaves as it is what is no date, as all Liquids do', () => {
    expect(render('{{ "soon" | date: "%d" }}')).toBe('soon');
  });
});
