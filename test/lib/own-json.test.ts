import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';

it('is what was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON writes -0 as 0.
      expect(parseOwnJson<unknown>(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('`__proto__` is a key like any other', () => {
  const read = parseOwnJson<Record<string, unknown>>('{"__proto__":{"polluted":true}}');
  expect(Object.keys(read)).toEqual(['__proto__']);
  expect(read['polluted']).toBeUndefined();
});

it('a row that holds no JSON is a bug and throws', () => {
  expect(() => parseOwnJson('{')).toThrow(SyntaxError);
});
