import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskNumber, maskNumbers, maskReceiver } from '../../src/lib/numbers.ts';

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);

it.each([
  ['4915112345678', '+4915•••••78'],
  ['+4915112345678', '+4915•••••78'],
  ['004915112345678', '+4915•••••78'],
  ['+49 151 123-456.78', '+4915•••••78'],
  ['12345678901', '+1234•••••01'],
  ['1234567', '+•••••67'],
  ['123456789', '+12•••••89'],
  ['123456', '+•••••'],
  ['', '+•••••'],
  ['team', '+•••••'],
])('a masked number %j is %j', (number, masked) => {
  expect(maskNumber(number)).toBe(masked);
});

it('a masked number hides five digits at least, and shows four at its start and two at its end at most', () => {
  fc.assert(
    fc.property(digits, (number) => {
      const [first = '', last = ''] = maskNumber(number).slice(1).split('•••••');
      expect([number.startsWith(first), number.endsWith(last)]).toEqual([true, true]);
      expect(first.length + last.length).toBe(Math.min(6, number.length - 5));
      expect(first.length).toBeLessThanOrEqual(4);
    }),
  );
});

it('a masked number looks the same in the digits of every script', () => {
  for (const system of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    const written = Array.from('4915112345678', (digit) => format.format(Number(digit))).join('');
    if (/^\p{Nd}{13}$/u.test(written)) expect(maskNumbers(`to ${written}`)).toBe('to +4915•••••78');
  }
  expect(maskNumber('٠٠٤٩١٥١١٢٣٤٥٦٧٨')).toBe('+4915•••••78');
});

it('a masked number looks the same in whatever form it stands in a text', () => {
  const signs = ' |-|.|/| (|) |\u00a0| - | – |) / |  ·  |_|\u2212|－|\n|\r\n  |'.split('|');
  // A soft hyphen, a zero-width space, a mark of direction, a keycap.
  const separator = fc.constantFrom(...signs, '\u00ad', '\u200b', '\u200e', '\ufe0f\u20e3');
  fc.assert(
    fc.property(digits, fc.array(separator, { minLength: 14, maxLength: 14 }), (number, gaps) => {
      const written = Array.from(number, (digit, at) => (at === 0 ? digit : `${gaps[at - 1]}${digit}`));
      expect(maskNumbers(`to ${written.join('')}, again`)).toBe(`to ${maskNumber(number)}, again`);
    }),
  );
});

it('a text keeps what is no number', () => {
  const ids = ['msg_000000009hk7nd0g of evt_01m7ygnc6tevq7n99nkb7gx0s0', 'sil_000000000001', '1.2.3'];
  const fingerprints = ['alerts/critical: 6e0967427930d6c5, 1d20f2d08a44eaee'];
  const times = ['at 2026-01-31T12:00:00.123Z', '12:30:15 and 12:31:16'];
  for (const text of [...ids, ...fingerprints, ...times, 'answered 500 after 123456 ms, 129,50 €'])
    expect(maskNumbers(text)).toBe(text);
});

it.each([
  ['tel4915112345678x', 'tel+4915•••••78x'],
  ['https://wa.me/4915112345678?x', 'https://wa.me/+4915•••••78?x'],
  ['{"n":"4915112345678"}', '{"n":"+4915•••••78"}'],
  ['evt_4915112345678', 'evt_+4915•••••78'],
  ['abc4915112345678', 'abc+4915•••••78'],
  ['2026-01-31T12:00:00+4915112345678', '2026-01-31T12:00:00+4915•••••78'],
  ['2026-01-31T4915112345678', '+2•••••31T+4915•••••78'],
  ['2026-01-31T12:00:00.4915112345678', '2026-01-31T12:00:00.+4915•••••78'],
  ['call 0151 - 1234 - 5678 now', 'call +0151•••••78 now'],
  ['call ٠١٥١ ١٢٣٤ ٥٦٧٨ now', 'call +0151•••••78 now'],
  ['call ０１５１－１２３４－５６７８', 'call +0151•••••78'],
  ['a 4915112345678,4915187654321', 'a +4915•••••78,+4915•••••21'],
])('a text loses those that it has: %s', (text, masked) => {
  expect(maskNumbers(text)).toBe(masked);
});

it('a text that was masked stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 +-.T:Za•evt_٣７'.split('')) }), (text) => {
      const masked = maskNumbers(text);
      expect(maskNumbers(masked)).toBe(masked);
    }),
  );
});

it('a masked receiver shows two characters that distinguish the addresses of a team, or a masked number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][-_A-Za-z0-9]{7,40}$/), (address) => {
      expect(maskReceiver(address)).toMatch(/^•••••[0-9a-z]{2}$/);
      expect(maskReceiver(address)).toBe(maskReceiver(address));
    }),
  );
  const team = Array.from({ length: 12 }, (_, at) => `hookbell-person-${at}`);
  expect(new Set(team.map(maskReceiver)).size).toBe(12);
  expect(['4915112345678', '-1001234567890'].map(maskReceiver)).toEqual(['+4915•••••78', '+1001•••••90']);
});
