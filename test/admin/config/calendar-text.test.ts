import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { calendarText } from '../../../src/admin/config/calendar-text.ts';
import { DAY, HOUR } from '../../../src/lib/duration.ts';

const NOW = Date.UTC(2026, 10, 26, 12, 30); // fixed date: its own clock
const RANGE = { from: NOW, to: NOW + 60 * DAY };

/** Reads a calendar as a calendar program does. */
const read = (text: string) =>
  ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const { uid, summary, startDate, endDate } = new ICAL.Event(component);
      const [start, end] = [startDate, endDate].map((time) => time.toJSDate().getTime());
      return { uid, summary, start, end };
    });

const span = (person: string, since: number | null, until: number | null) => ({ person, since, until });

describe('a calendar', () => {
  it('has an event for each turn, which a real parser reads', () => {
    const text = calendarText(
      'on-call',
      [span('anna', NOW, NOW + HOUR), span('ben', NOW + HOUR, null)],
      RANGE,
    );
    expect(read(text)).toEqual([
      { uid: '20261126T123000Z-on-call@hookbell', summary: 'anna (on-call)', start: NOW, end: NOW + HOUR },
      {
        uid: '20261126T133000Z-on-call@hookbell',
        summary: 'ben (on-call)',
        start: NOW + HOUR,
        end: RANGE.to,
      },
    ]);
  });

  it('of one who is always on call begins today', () => {
    const [event] = read(calendarText('on-call', [span('anna', null, null)], RANGE));
    expect(event).toMatchObject({ uid: 'always-on-call@hookbell', start: NOW - 12.5 * HOUR, end: RANGE.to });
  });

  it('has any name whole, in lines of at most 75 octets that end in CRLF', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
      .filter((text) => !/\p{C}/u.test(text));
    fc.assert(
      fc.property(name, (person) => {
        const text = calendarText('on-call', [span(person, NOW, NOW + HOUR)], RANGE);
        expect(read(text)[0]?.summary).toBe(`${person} (on-call)`);
        for (const line of text.split('\r\n')) {
          expect(new TextEncoder().encode(line).byteLength).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\r\n]/);
        }
        expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
      }),
    );
  });
});
