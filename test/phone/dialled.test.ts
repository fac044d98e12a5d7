import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDocumentNumber } from '../../src/phone/dialled.ts';
import { parsePhone } from '../../src/phone/read.ts';

it('a number in a document is read as people write it', () => {
  const plain = ['4915112345678', '+4915112345678', '+49 151 / 123-45678', '+49 (0)151 12345678'];
  const marked = ['0049 (151) 12345678', 'tel:+49 151 12345678', '＋４９ 151 12345678'];
  for (const written of [...plain, ...marked, '\u202a+49 151 12345678\u202c'])
    expect(readDocumentNumber(written), written).toEqual({ ok: true, value: '4915112345678' });
});

it.each([
  ['0151 12345678', '"0151…" has no country code: begin with it, such as +49 151 12345678'],
  ['+49 151', '"+491…" is too short for a phone number with its country code'],
  ['+49 151 12345678 90123', '"+491…" is too long for a phone number with its country code'],
  ['+49 1511 ext 5', '"+49 …" has an extension, or is several numbers: write one, without an extension'],
  ['mum', '"mum" has no digits'],
  ['', 'the phone number is empty'],
])('a number in a document is refused with the reason: %j', (written, error) => {
  expect(readDocumentNumber(written)).toEqual({ ok: false, error });
});

it('a number in a document is the number that a payload with the same text has', () => {
  const gap = fc.constantFrom('', ' ', '-', '.', ' / ', ' (0)');
  const rest = fc.integer({ min: 1_000_000, max: 9_999_999 });
  fc.assert(
    fc.property(fc.constantFrom('+', '00'), gap, rest, (start, between, digits) => {
      const written = `${start}49${between}151 1${digits}`;
      expect(readDocumentNumber(written)).toEqual(parsePhone(written, { country: undefined }));
    }),
  );
});
