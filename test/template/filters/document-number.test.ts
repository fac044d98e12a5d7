import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocumentNumber } from '../../../src/template/filters/document-number.ts';
import { parsePhone } from '../../../src/template/filters/phone.ts';

describe('a number in a document', () => {
  it.each([
    '4915112345678',
    '+4915112345678',
    '+49 151 / 123-45678',
    '+49 (0)151 12345678',
    '0049 (151) 12345678',
    'tel:+49 151 12345678',
    '＋４９ 151 12345678',
    '\u202a+49 151 12345678\u202c',
  ])('is read as people write it: %s', (written) => {
    expect(readDocumentNumber(written)).toEqual({ ok: true, value: '4915112345678' });
  });

  it.each([
    ['0151 12345678', '"0151…" has no country code: begin with it, such as +49 151 12345678'],
    ['+49 151', '"+491…" is too short for a phone number with its country code'],
    ['+49 151 12345678 90123', '"+491…" is too long for a phone number with its country code'],
    [
      '+49 151 12345678 ext 5',
      '"+49 …" has an extension, or is several numbers: write one, without an extension',
    ],
    ['mum', '"mum" has no digits'],
    ['', 'the phone number is empty'],
  ])('is refused with the reason: %j', (written, error) => {
    expect(readDocumentNumber(written)).toEqual({ ok: false, error });
  });

  it('is the number that a payload with the same text has', () => {
    const separator = fc.constantFrom('', ' ', '-', '.', ' / ', ' (0)');
    fc.assert(
      fc.property(
        fc.constantFrom('+', '00'),
        separator,
        fc.integer({ min: 1_000_000, max: 9_999_999 }),
        (start, gap, rest) => {
          const written = `${start}49${gap}151 1${rest}`;
          expect(readDocumentNumber(written)).toEqual(parsePhone(written, undefined));
        },
      ),
    );
  });
});
