import { expect, it } from 'vitest';
import { render } from '../helpers.ts';

const MOMENT = '2026-01-05T08:03:07.045Z';

it.each([
  ['%A, %-d. %B %Y %z', 'Montag, 5. Januar 2026 +0100'],
  ['%a %b %h %e %:z', 'Mo Jan Jan  5 +01:00'],
  ['%j %U %W %u %w %p %P %I %l %k', '005 01 01 1 1 AM am 09  9  9'],
  ['%^B %10b %%B %#A %_m %05d %-H %010Y', 'JANUAR        Jan %B MONTAG  1 00005 9 0000002026'],
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
