import { describe, expect, it } from 'vitest';
import { splitNumbers, shortReason } from '../../../console/api/numbers.ts';
import { likelyCountry } from '../../../console/lib/countries.ts';

describe('countries', () => {
  it('are likely by the browser’s languages', () => {
    expect([likelyCountry(['de', 'de-AT', 'en-US']), likelyCountry(['en']), likelyCountry([])]).toEqual([
      'AT',
      '',
      '',
    ]);
  });
});

describe('numbers that are typed', () => {
  it('are between commas, semicolons or lines', () => {
    expect(splitNumbers(' 0151 1, +43 2;\n,49 3')).toEqual(['0151 1', '+43 2', '49 3']);
  });
  it('are refused in the relay’s words, without where it was asked', () => {
    const reason =
      'route `numbers`, parameter `to` ({{ payload.numbers[0] | phone }}): line 1, {{ payload.numbers[0] | phone }}: phone: "0151…" is not a valid phone number in DE, nor an international one';
    expect(shortReason(reason)).toBe('"0151…" is not a valid phone number in DE, nor an international one');
  });
});
