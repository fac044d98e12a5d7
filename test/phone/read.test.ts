import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePhone } from '../../src/phone/read.ts';

function digitsOf(raw: unknown, country: string | null = 'DE', countries?: readonly string[]): string {
  const result = parsePhone(raw, { country: country ?? undefined, countries });
  return result.ok ? result.value : `! ${result.error}`;
}

it('a phone number becomes the digits of the gateway, however it is written', () => {
  const international =
    '+4915112345678|+49 151 12345678|+49 (0)151 12345678|+49-151-1234.5678|0049 151 12345678|(+49) 151 12345678';
  const national =
    '00 49 151 12345678|0151 12345678|0151/12345678|(0151) 12345678|٠١٥١١٢٣٤٥٦٧٨| 0151 12345678 |(0)151 12345678';
  const links =
    'tel:+49-151-12345678|whatsapp:+4915112345678|4915112345678|( +49 ) 151-12345678|(0049) 151 12345678';
  const signs = [
    '\u202a+49 151 12345678\u202c',
    '\uff0b\uff14\uff19 151 12345678',
    '+49\u00a0151\u201112345678',
  ];
  const texts = [international, national, links].flatMap((some) => some.split('|'));
  const scripts = [
    '\uff08０１５１\uff09１２３４\uff0d５６７８',
    '०१५१ १२३४५६७८',
    '০১৫১ ১২৩৪৫৬৭৮',
    '０１５１ー１２３４５６７８',
    '0151\u00ad12345678',
  ];
  const slashes = ['+49/151/12345678', '0049 / 151 / 12345678'];
  for (const raw of [...texts, ...signs, ...scripts, ...slashes, 4915112345678, 15112345678])
    expect(digitsOf(raw), String(raw)).toBe('4915112345678');
});

it('a phone number is of its country as people there write it, and of another one with + or its prefix for calls abroad', () => {
  const rows: readonly (readonly [raw: string, country: string, digits: string])[] = [
    ['+1 (415) 555-2671', 'DE', '14155552671'],
    ['(415) 555-2671', 'US', '14155552671'],
    ['14155552671', 'US', '14155552671'],
    // Also a mobile in Belize.
    ['5016227781', 'US', '15016227781'],
    ['011 49 1573 1880426', 'US', '4915731880426'],
    ['8 10 49 1573 1880426', 'RU', '4915731880426'],
    ['0011 49 1573 1880426', 'AU', '4915731880426'],
    ['010 49 1573 1880426', 'JP', '4915731880426'],
    ['0034 612 345 678', 'SG', '34612345678'],
    ['020 7946 0958', 'gb', '442079460958'],
    ['+39 06 1234 5678', 'DE', '390612345678'],
    ['+39 (0)6 1234 5678', 'DE', '390612345678'],
    ['06 1234 5678', 'IT', '390612345678'],
    ['3906123456', 'IT', '393906123456'],
    ['030 1234567', 'DE', '49301234567'],
    ['15731880426', 'DE', '4915731880426'],
    ['912 34 56 78', 'ES', '34912345678'],
    ['(51) 99876-5432', 'BR', '5551998765432'],
    ['011 15 6883-0217', 'AR', '5491168830217'],
    ['+5491168830217', 'AR', '5491168830217'],
    ['5491168830217', 'AR', '5491168830217'],
    // In a country that nobody knows it is international.
    ['+4915112345678', 'ZZ', '4915112345678'],
  ];
  expect(rows.map(([raw, country]) => digitsOf(raw, country))).toEqual(rows.map(([, , digits]) => digits));
});

it('a phone number of another country without + is read only if the source lists that country', () => {
  const [german, french] = ['0151 12345678', '33612345678'];
  expect(digitsOf(french, 'DE', ['DE', 'FR'])).toBe(french);
  expect(digitsOf(german, 'DE', ['DE', 'FR'])).toBe('4915112345678');
  expect(digitsOf(french)).toBe(
    '! "3361…" is not written as a number in DE. +33 61…? Write +33…, or list countries: [DE, FR]',
  );
  expect(digitsOf(french, 'DE', ['DE'])).toBe(
    `! "3361…" belongs to FR, and the source's \`countries\` are DE`,
  );
  for (const [raw, country] of [
    ['5511973340284', 'DE'],
    ['447400911328', 'DE'],
    ['41765519073', 'DE'],
    ['33699102847', 'AT'],
    ['48699745921', 'US'],
    ['352-7719', 'US'],
    ['12025550143', 'DE'],
    // Without the zero, Russians write one of theirs so.
    ['84 (0)912345678', 'RU'],
  ] as const)
    expect(digitsOf(raw, country), raw).toMatch(/^! ".*" is not written as a number in .*\? Write \+/);
});

it('a phone number that can be read in two ways is refused, with both of them', () => {
  // A mobile without the 0 that Germans write, or one in Texas: only a list of countries decides.
  const twice = '"1512…" can be read as +49 15…, +1 51…: write it with + and its country code';
  expect(digitsOf('15123456789')).toBe(`! ${twice}, or list countries: [DE]`);
  expect(digitsOf('15123456789', 'DE', ['DE', 'US'])).toBe(`! ${twice}`);
  expect(digitsOf('15123456789', 'DE', ['DE', 'AT'])).toBe('4915123456789');
  expect(digitsOf('5016227781', 'US', ['US', 'BZ'])).toContain('can be read as +1 50…, +501 62…');
  expect(digitsOf('+39 (0)331 234567')).toContain('can be read as +39 03…, +39 33…');
});

it('a phone number of a source without a country has + or 00, or is a mobile’s eleven digits or more with the country code', () => {
  for (const raw of ['4915112345678', '12392278672', '+2392278672'])
    expect(digitsOf(raw, null)).toBe(raw.replace('+', ''));
  for (const raw of ['0151 12345678', '2392278672', '4322894470', '49301234567', '78932518560'])
    expect(digitsOf(raw, null), raw).toContain(
      'the source has no `country`: write it with +, or set `country`',
    );
});

it.each([
  ['0151 1234567', '"0151…" is not a valid phone number in DE, nor an international one'],
  ['301234567', '"3012…" is not written as a number in DE. +49 30…? Write +49…'],
  ['+49 151 1', '"+491…" is not a valid international phone number'],
  ['0151 12345678 ext 5', 'has an extension, or is several numbers'],
  ['0151 12345678, 0151 87654321', 'has an extension, or is several numbers'],
  ['030 1234567 / 030 7654321', 'seems to be several numbers'],
  ['+49/30/1234567/68', 'seems to be several numbers'],
  ['0151 12345678\n0151 87654321', 'has letters or symbols in it that no phone number has'],
  ['0800 FLOWERS', 'has letters or symbols in it'],
  ['unknown', '"unkn…" has no digits'],
  ['', 'the phone number is empty'],
  [null, 'the phone number is empty'],
  [0.5, 'is not an exact whole number'],
  [['0151 12345678'], 'not a list or an object'],
  ['1'.repeat(100), 'is too long for a phone number'],
])('a phone number %j is refused', (raw, reason) => {
  expect(digitsOf(raw)).toContain(reason);
});

it("a phone number dialled with another country's prefix, or in a country that nobody knows, is refused", () => {
  expect(digitsOf('0114915112345678', 'DE')).toContain('is not a valid phone number in DE');
  expect(digitsOf('0151 12345678', 'ZZ')).toContain('is not a valid phone number in ZZ');
});

it('a phone number never has digits that were not given, and never shows more than four characters in an error', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[+0]?[0-9 ()/-]{1,20}$/), (raw) => {
      const result = parsePhone(raw, { country: 'DE' });
      const given = raw.replace(/\D/g, '');
      if (result.ok) expect(`49${given}|00${given}|${given}`).toContain(result.value.replace(/^49/, ''));
      else expect(result.error.replaceAll(/".{0,5}"|\+\d+ \d\d…|\+\d+…/g, '')).not.toMatch(/\d/);
    }),
  );
});

it('a phone number that was read before is read by the country that is asked for, or refused for the same reason', () => {
  for (let turn = 0; turn < 2; turn += 1) {
    expect(digitsOf('0151 12345678', 'DE')).toBe('4915112345678');
    expect(digitsOf('0151 12345678', 'US')).toMatch(/^! /);
    expect(digitsOf('0151 12345678', null)).toMatch(/^! /);
    expect(digitsOf('(415) 555-2671', 'US')).toBe('14155552671');
  }
  const first = digitsOf('0151 12345678 ext. 9');
  expect(first).toMatch(/^! /);
  expect(digitsOf('0151 12345678 ext. 9')).toBe(first);
});
