import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskNumber, maskNumbers } from '../../src/lib/mask-numbers.ts';

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);

describe('a masked number', () => {
  it.each([
    ['4915112345678', '+4915•••••78'],
    ['+4915112345678', '+4915•••••78'],
    ['004915112345678', '+4915•••••78'],
    ['+49 151 123-456.78', '+4915•••••78'],
    ['1234567', '+1234•••••67'],
    ['', '+•••••'],
    ['team', '+•••••'],
  ])('%j is %j', (number, masked) => {
    expect(maskNumber(number)).toBe(masked);
  });

  it('never has the digits between the first four and the last two', () => {
    fc.assert(
      fc.property(digits, (number) => {
        expect(maskNumber(number)).toBe(`+${number.slice(0, 4)}•••••${number.slice(-2)}`);
      }),
    );
  });

  it('looks the same in whatever form it stands in a text', () => {
    const separator = fc.constantFrom('', ' ', '-', '.', '/', ' (', ') ', '\u00a0');
    fc.assert(
      fc.property(digits, fc.array(separator, { minLength: 14, maxLength: 14 }), (number, gaps) => {
        const written = number
          .split('')
          .map((digit, at) => `${digit}${at + 1 < number.length ? gaps[at] : ''}`);
        const text = `to ${written.join('')}, again`;
        expect(maskNumbers(text)).toBe(`to ${maskNumber(number)}, again`);
      }),
    );
  });
});

describe('a text', () => {
  it.each([
    'at 2026-01-31T12:00:00.123Z',
    'msg_000000009hk7nd0g of evt_01m7ygnc6tevq7n99nkb7gx0s0',
    'sil_000000000001',
    'answered 500 after 123456 ms, 129,50 €',
    '1.2.3',
  ])('keeps what is no number: %s', (text) => {
    expect(maskNumbers(text)).toBe(text);
  });

  it.each([
    ['tel4915112345678x', 'tel+4915•••••78x'],
    ['https://wa.me/4915112345678?x', 'https://wa.me/+4915•••••78?x'],
    ['{"n":"4915112345678"}', '{"n":"+4915•••••78"}'],
    ['evt_4915112345678', 'evt_+4915•••••78'],
    ['2026-01-31T12:00:00+4915112345678', '2026-01-31T12:00:00+4915•••••78'],
    ['2026-01-31T4915112345678', '+2026•••••31T+4915•••••78'],
    ['2026-01-31T12:00:00.4915112345678', '2026-01-31T12:00:00.+4915•••••78'],
    ['a 4915112345678,4915187654321', 'a +4915•••••78,+4915•••••21'],
  ])('loses those that it has: %s', (text, masked) => {
    expect(maskNumbers(text)).toBe(masked);
  });

  it('that was masked stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 +-.T:Za•evt_'.split('')) }), (text) => {
        const masked = maskNumbers(text);
        expect(maskNumbers(masked)).toBe(masked);
      }),
    );
  });
});
