import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhone } from '../../../src/template/filters/phone.ts';
import { render } from '../helpers.ts';

function digitsOf(raw: unknown, country: string | undefined = 'DE'): string {
  const result = parsePhone(raw, country);
  return result.ok ? result.value : `! ${result.error}`;
}

describe('a phone number', () => {
  it('becomes the digits of the gateway, however it is written', () => {
    const international =
      '+4915112345678|+49 151 12345678|+49 (0)151 12345678|+49-151-1234.5678|0049 151 12345678';
    const national =
      '00 49 151 12345678|0151 12345678|0151/12345678|(0151) 12345678|٠١٥١١٢٣٤٥٦٧٨| 0151 12345678 ';
    const links = 'tel:+49-151-12345678|whatsapp:+4915112345678|4915112345678';
    const signs = [
      '\u202a+49 151 12345678\u202c',
      '\uff0b\uff14\uff19 151 12345678',
      '+49\u00a0151\u201112345678',
    ];
    const texts = [international, national, links].flatMap((some) => some.split('|'));
    for (const raw of [...texts, ...signs, 4915112345678, 15112345678])
      expect(digitsOf(raw), String(raw)).toBe('4915112345678');
  });

  it.each([
    ['+1 (415) 555-2671', 'DE', '14155552671'],
    ['(415) 555-2671', 'US', '14155552671'],
    ['14155552671', 'US', '14155552671'],
    ['020 7946 0958', 'gb', '442079460958'],
    ['+39 06 1234 5678', 'DE', '390612345678'],
    ['14155552671', 'DE', '14155552671'],
    // In a country that nobody knows it is international.
    ['+4915112345678', 'ZZ', '4915112345678'],
  ])('%s in %s is %s', (raw, country, expected) => {
    expect(digitsOf(raw, country)).toBe(expected);
  });

  it('of a source without a country is international or nothing', () => {
    expect(parsePhone('4915112345678', undefined)).toEqual({ ok: true, value: '4915112345678' });
    const refused = parsePhone('0151 12345678', undefined);
    expect(refused.ok ? '' : refused.error).toContain('the source has no `country`');
  });

  it.each([
    ['0151 1234567', '"0151…" is not a valid phone number in DE, nor an international one'],
    ['+49 151 1', '"+491…" is not a valid international phone number'],
    ['0151 12345678 ext 5', 'has an extension, or is several numbers'],
    ['0151 12345678, 0151 87654321', 'has an extension, or is several numbers'],
    ['030 1234567 / 030 7654321', 'seems to be several numbers'],
    ['0151 12345678\n0151 87654321', 'has letters or symbols in it that no phone number has'],
    ['0800 FLOWERS', 'has letters or symbols in it'],
    ['unknown', '"unkn…" has no digits'],
    ['', 'the phone number is empty'],
    [null, 'the phone number is empty'],
    [0.5, 'is not an exact whole number'],
    [['0151 12345678'], 'not a list or an object'],
    ['1'.repeat(100), 'is too long for a phone number'],
  ])('%j is refused', (raw, reason) => {
    expect(digitsOf(raw)).toContain(reason);
  });

  it("dialled with another country's prefix, or in a country that nobody knows, is refused", () => {
    expect(digitsOf('0114915112345678', 'US')).toContain('is not a valid phone number in US');
    expect(digitsOf('0151 12345678', 'ZZ')).toContain('is not a valid phone number in ZZ');
  });

  it('never has digits that were not given, and never shows more than four characters in an error', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+0]?[0-9 ()/-]{1,20}$/), (raw) => {
        const result = parsePhone(raw, 'DE');
        const given = raw.replace(/\D/g, '');
        if (result.ok) expect(`49${given}|00${given}|${given}`).toContain(result.value.replace(/^49/, ''));
        else expect(result.error.replace(/".{0,5}"/, '')).not.toMatch(/\d{2}/);
      }),
    );
  });

  it('that fails makes the render fail with the reason', () => {
    const failed = '! line 1, {{ payload.phone | phone }}: phone: "none" has no digits';
    expect(render('{{ payload.phone | phone }}', { phone: 'none' })).toBe(failed);
  });

  it('that was read before is read by the country that is asked for, or refused for the same reason', () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect(digitsOf('0151 12345678', 'DE')).toBe('4915112345678');
      expect(digitsOf('0151 12345678', 'US')).toMatch(/^! /);
      expect(parsePhone('0151 12345678', undefined).ok).toBe(false);
      expect(digitsOf('(415) 555-2671', 'US')).toBe('14155552671');
    }
    const first = digitsOf('0151 12345678 ext. 9');
    expect(first).toMatch(/^! /);
    expect(digitsOf('0151 12345678 ext. 9')).toBe(first);
  });

  it('that was read before is the same after more numbers than are remembered', () => {
    for (let at = 0; at < 1_200; at += 1) digitsOf(`+49151${12_000_000 + at}`);
    expect(digitsOf('+4915112000000')).toBe('4915112000000');
  });
});
