import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsNumber, numberEnd } from '../../src/lib/numbers.ts';

const end = (text: string): string => numberEnd(text) ?? '';

it('the end of a number is the same in whatever spelling, and none of what is no number, or too short', () => {
  const spellings = ['+49 151 234 567 89', '0049 (151) 23456789', '0151/234-567-89', '15123456789'];
  expect(new Set(spellings.map(end))).toEqual(new Set(['123456789']));
  for (const text of ['Ada', '12345', '', 'evt_123456789']) expect(numberEnd(text)).toBeNull();
});

const holds = (text: string) => holdsNumber(text, end('0151 23456789'));

it('a text holds a number in whatever spelling, and not what only begins or ends like it', () => {
  const json = ['{"phone":"+49 151 234 567 89"}', '{"phone":4915123456789}'];
  for (const text of [...json, 'call (0151) 234-56789 please', '0049.151.23456789'])
    expect(holds(text), text).toBe(true);
  for (const text of ['{"a":151,"b":23456789}', '15123456780', '151 2345678', 'ids 123 and 456789', ''])
    expect(holds(text), text).toBe(false);
});

it('a text holds every number that was put into it, with any blanks and dashes', () => {
  const digits = fc.stringMatching(/^[1-9]\d{8,13}$/);
  const blanks = fc.array(fc.constantFrom('', ' ', '-', '/', ' (', ') '));
  fc.assert(
    fc.property(digits, blanks, fc.string(), (number, gaps, before) => {
      const spelled = Array.from(number, (digit, at) => digit + (gaps[at] ?? '')).join('');
      expect(holdsNumber(`${before}x${spelled}`, end(number))).toBe(true);
    }),
  );
});
