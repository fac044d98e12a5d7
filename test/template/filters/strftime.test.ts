import { expect, it } from 'vitest';
import { GERMAN, render } from '../helpers.ts';

const MOMENT = '2026-01-05T08:03:07.045Z';

it.each([
  ['%A, %-d. %B %Y %z', 'Montag, 5. Januar 2026 +0100'],
  ['%a %b %h %e %:z', 'Mo Jan Jan  5 +01:00'],
  ['%j %U %W %u %w %p %P %I %l %k', '005 01 01 1 1 AM am 09  9  9'],
  ['%^B %10b %%B %#A %_m %05d %-H %010Y', 'JANUAR        Jan %B MONTAG  1 00005 9 0000002026'],
  ['%V %G', '02 2026'],
  ['%s %N %3N %12N %L', '1767600187 045000000 045 045000000000 045'],
  ['%c|%x|%X', '1/5/2026, 9:03:07 AM|1/5/2026|9:03:07 AM'],
  ['%D %F %R %r %T', '01/05/26 2026-01-05 09:03 09:03:07 AM 09:03:07'],
  ['%C %y %d%q %Z %t%n%Q %', '20 26 05th Europe/Berlin \t\n%Q %'],
])('a date is written as its format says: %s', (format, written) => {
  expect(render(`{{ payload.at | date: payload.format }}`, { at: MOMENT, format })).toBe(written);
});

it.each([
  ['Asia/Kathmandu', '1933-06-24T14:06:42Z', '1933-06-24 19:36:42 +0530'],
  ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30 21:30:00 -0230'],
  ['Pacific/Kiritimati', '2026-12-31T12:00:00Z', '2027-01-01 02:00:00 +1400'],
  ['Australia/Lord_Howe', '3000-01-01T00:00:00Z', '3000-01-01 11:00:00 +1100'],
])('a date is that of the clock in %s', (zone, at, written) => {
  expect(render('{{ payload.at | date: "%F %T %z", payload.zone }}', { at, zone })).toBe(written);
});

it.each([
  ['2025-12-29', '2026-01'],
  ['2027-01-03', '2026-53'],
  ['2027-01-04', '2027-01'],
  ['2024-12-31', '2025-01'],
])('the week of %s is that of ISO 8601: %s', (at, week) => {
  expect(render('{{ payload.at | date: "%G-%V" }}', { at })).toBe(week);
});

const inZone = (zone: unknown): string =>
  render('{{ payload.at | date: "%H:%M", payload.zone }}', { at: MOMENT, zone });

it('a date in a zone of the payload is in that of the source if it is blank, and fails with the reason if it is none', () => {
  for (const none of ['', '  ', null]) expect(inZone(none)).toBe('09:03');
  expect(inZone(' asia/tokyo ')).toBe('17:03');
  for (const zone of ['W. Europe Standard Time', 'Z'.repeat(100), {}, true])
    expect(inZone(zone)).toContain('is no time zone: an IANA name is needed');
});

it('the names of a date are those of its calendar, also where people count by another one', () => {
  const persian = { ...GERMAN, locale: 'fa-IR' };
  expect(render('{{ payload.at | date: "%d %B %b %Y" }}', { at: MOMENT }, persian)).toBe(
    '05 ژانویه ژانویه 2026',
  );
});
