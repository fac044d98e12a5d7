import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExactJson } from '../../src/lib/json.ts';

/** JSON of a value, in which a text that begins with # is a number of these digits. */
const written = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/"#([^"]+)"/g, '$1');

it.each([
  // As they are.
  ['1042', 1042],
  ['1.5', 1.5],
  ['9007199254740991', 9_007_199_254_740_991],
  ['0.30000000000000004', 0.1 + 0.2],
  ['-999856014390237.2', Number('-999856014390237.2')],
  ['1e-400', 0],
  ['19.99000000000000000000', 19.99],
  ['"5402118833907716093"', '5402118833907716093'],
  // The text as it came.
  ['9007199254740992', '9007199254740992'],
  ['-5402118833907716093', '-5402118833907716093'],
  ['1e400', '1e400'],
  ['-2.5E+999', '-2.5E+999'],
  ['12345678901234567.89', '12345678901234567.89'],
  ['-9007199254740.993', '-9007199254740.993'],
  ['0.1234567890123456789', '0.1234567890123456789'],
  [' 5402118833907716093\n', '5402118833907716093'],
])('the number %j is read as %j', (text, value) => {
  expect(parseExactJson(text)).toBe(value);
});

it('an integer beyond 2^53 keeps its digits wherever it stands, and nothing else changes', () => {
  const large = fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n });
  const number = fc.tuple(fc.constantFrom('', '-'), large).map(([sign, digits]) => `#${sign}${digits}`);
  const text = fc.stringMatching(/^[ "\\:,[\]{}0-9e.+-]{0,40}$/);
  const float = fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((one) => one + 0);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, number, text, float, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (one, indent) => {
      const expected: unknown = JSON.parse(JSON.stringify(one), (_, part: unknown) =>
        typeof part === 'string' && part.startsWith('#') ? part.slice(1) : part,
      );
      expect(parseExactJson(written(one, indent))).toEqual(expected);
    }),
  );
});

it.each([
  '{5402118833907716093:1}',
  '{"a":1,5402118833907716093 :1}',
  '[05402118833907716093]',
  '[5402118833907716093.]',
  '[01e400]',
  '[+5402118833907716093]',
  '[5402118833907716093n]',
  '"5402118833907716093',
])('%s stays malformed', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});
