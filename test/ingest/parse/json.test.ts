import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonFault, parseJson } from '../../../src/ingest/parse/json.ts';
import { ok } from '../../../src/lib/result.ts';

const nested = (levels: number, open = '[', close = ']', inside = ''): string =>
  open.repeat(levels) + inside + close.repeat(levels);

/** The detail of a refusal. Fails the test if the text is taken. */
function refusal(text: string): string {
  const result = parseJson(text, 'The body');
  if (result.ok) throw new Error('taken');
  expect(result.error.status).toBe(400);
  return result.error.detail;
}

/** Reads an integer beyond 2^53 as a text. */
const exact = (_: string, value: unknown): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
    ? String(value)
    : value;

it('parseJson is what JSON.parse makes of it, but for integers beyond 2^53, which are texts of their digits', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text, 'The body')).toEqual(ok(JSON.parse(text, exact)));
    }),
  );
});

it('parseJson says what is wrong, where, and what should be there instead', () => {
  for (const [text, detail] of [
    ['{"a":}', 'at line 1, column 6, there is `}` where a value should be.'],
    ['{"a":1,}', 'at line 1, column 8, there is `}` where a key in double quotes should be.'],
    ['{\n "a": 1\n "b": 2}', 'at line 3, column 2, there is `"` where `,` or a closing bracket should be.'],
    ['[1,2', 'at line 1, column 5, it ends where `,` or a closing bracket should be.'],
    ['{"a":1} x', 'at line 1, column 9, there is `x` where the end should be.'],
    [
      '["é\u0001"]',
      'at line 1, column 4, there is the character U+0001 where an escape such as `\\n` should be.',
    ],
    [' \n', 'it is empty. Send a value, such as `{}`.'],
  ] as const)
    expect(refusal(text)).toBe(`The body is not valid JSON: ${detail}`);
});

it('parseJson shows no more of the body than a character', () => {
  expect(refusal('{"card": "4242424242424242" "cvc": "123"}')).not.toMatch(/card|4242|cvc|123/);
});

it('parseJson leaves out half a character, which no text has, and keeps whole ones', () => {
  const text = String.raw`{"\udc00a":"x\ud83d","b":["\ud83d\ude00","\ude00\ud83d\\ud83d","\n\u00e4"]}`;
  expect(parseJson(text, 'The body')).toEqual(ok({ a: 'x', b: ['😀', String.raw`\ud83d`, '\nä'] }));
  expect(refusal(String.raw`{\ud83d"a":1}`)).toContain('column 2, there is `\\`');
});

it('parseJson keeps names such as `__proto__` as plain own keys', () => {
  const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const result = parseJson(text, 'The body');
  const value = result.ok ? result.value : null;
  expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect({}).not.toHaveProperty('polluted');
});

it('parseJson takes 100 levels and refuses 101, or half a million without running out of stack, closed or not', () => {
  expect(parseJson(nested(100), 'The body').ok).toBe(true);
  expect(parseJson(nested(50, '[{"a":', '}]', '1'), 'The body').ok).toBe(true);
  expect(refusal(nested(101))).toBe(
    'The body is nested too deeply: line 1, column 101 is more than 100 levels deep. Send flatter data.',
  );
  const deep = [10_000, 500_000].flatMap((n) => [nested(n), '['.repeat(n), '{"a":'.repeat(n)]);
  for (const text of [nested(51, '[{"a":', '}]', '1'), ...deep])
    expect(refusal(text)).toContain('nested too deeply');
});

it('parseJson counts no brackets in strings, and does not lose its place after closed levels', () => {
  const value = [nested(1_000), `"${'['.repeat(200)}`, `\\${'{'.repeat(200)}`, '\\"['];
  const wide = Array.from({ length: 1_000 }, () => [[{}]]);
  for (const one of [value, wide]) expect(parseJson(JSON.stringify(one), 'The body')).toEqual(ok(one));
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('the first fault in JSON has a place and what is wanted there', () => {
  for (const [text, offset, wanted] of [
    ['', 0, 'a value'],
    ['nul', 0, 'a value'],
    ['01', 1, 'the end'],
    ['-', 0, 'a value'],
    ['1.', 1, 'the end'],
    ['[', 1, 'a value or `]`'],
    ['[1,]', 3, 'a value'],
    ['[1}', 2, '`,` or a closing bracket'],
    ['{', 1, 'a key in double quotes or `}`'],
    ["{'a':1}", 1, 'a key in double quotes or `}`'],
    ['{"a" 1}', 5, '`:`'],
    ['{"a":1,"b"', 10, '`:`'],
    ['"abc', 4, 'the closing quote of a string'],
    ['"\\x"', 1, 'an escape such as `\\n`'],
    ['"\\u12g4"', 1, 'an escape such as `\\n`'],
    ['"a\nb"', 2, 'an escape such as `\\n`'],
    ['\u00a01', 0, 'a value'],
  ] as const)
    expect([text, findJsonFault(text)]).toEqual([text, { offset, wanted }]);
});

it('the first fault in JSON is there just where JSON.parse finds none, also after one character was changed', () => {
  const characters = ['', '"', '\\', ',', ':', '{', ']', '0', '-', '.', 'e', ' ', 'x', '\n'];
  const damaged = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...characters))
    .map(([text, at, one]) => text.slice(0, at % text.length) + one + text.slice((at % text.length) + 1));
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json()), (text) => {
      const fault = findJsonFault(text);
      expect(fault === null).toBe(isJson(text));
      expect(fault === null || (fault.offset >= 0 && fault.offset <= text.length)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
