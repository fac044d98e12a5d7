import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsNumber, numberEnd } from '../../src/lib/number-search.ts';

const end = (text: string): string => numberEnd(text) ?? '';

describe('the end of a number', () => {
  it('is the same in whatever spelling', () => {
    const spellings = [
      '+49 151 234 567 89',
      '0049 (151) 23456789',
      '0151/234-567-89',
      '4915123456789',
      '15123456789',
    ];
    expect(new Set(spellings.map(end))).toEqual(new Set(['123456789']));
  });

  it('is none of what is no number, or too short', () => {
    expect([numberEnd('Ada'), numberEnd('12345'), numberEnd(''), numberEnd('evt_123456789')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('a text', () => {
  it.each([
    '{"phone":"+49 151 234 567 89"}',
    '{"phone":4915123456789}',
    'call (0151) 234-56789 please',
    '0049.151.23456789',
  ])('holds the number: %s', (text) => {
    expect(holdsNumber(text, end('0151 23456789'))).toBe(true);
  });

  it.each(['{"a":151,"b":23456789}', '15123456780', '151 2345678', 'ids 123 and 456789', ''])(
    'does not hold it: %s',
    (text) => {
      expect(holdsNumber(text, end('0151 23456789'))).toBe(false);
    },
  );

  it('holds every number that was put into it, with any blanks and dashes', () => {
    const digits = fc.stringMatching(/^[1-9]\d{8,13}$/);
    fc.assert(
      fc.property(
        digits,
        fc.array(fc.constantFrom('', ' ', '-', '/', ' (', ') ')),
        fc.string(),
        (number, gaps, before) => {
          const spelled = Array.from(number, (digit, at) => digit + (gaps[at] ?? '')).join('');
          expect(holdsNumber(`${before}x${spelled}`, end(number))).toBe(true);
        },
      ),
    );
  });
});
