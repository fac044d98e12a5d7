import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/ingest/parse/json.ts';
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

describe('parseJson', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text, 'The body')).toEqual(ok(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['{"a":}', 'The body is not valid JSON: at line 1, column 6, there is `}` where a value should be.'],
    [
      '{"a":1,}',
      'The body is not valid JSON: at line 1, column 8, there is `}` where a key in double quotes should be.',
    ],
    [
      '{\n "a": 1\n "b": 2}',
      'The body is not valid JSON: at line 3, column 2, there is `"` where `,` or a closing bracket should be.',
    ],
    [
      '[1,2',
      'The body is not valid JSON: at line 1, column 5, it ends where `,` or a closing bracket should be.',
    ],
    ['{"a":1} x', 'The body is not valid JSON: at line 1, column 9, there is `x` where the end should be.'],
    [
      '["é\u0001"]',
      'The body is not valid JSON: at line 1, column 4, there is the character U+0001 where an escape such as `\\n` should be.',
    ],
    ['', 'The body is not valid JSON: it is empty. Send a value, such as `{}`.'],
    [' \n', 'The body is not valid JSON: it is empty. Send a value, such as `{}`.'],
  ])('%j: what, where and what instead', (text, detail) => {
    expect(refusal(text)).toBe(detail);
  });

  it('shows no more of the body than a character', () => {
    expect(refusal('{"card": "4242424242424242" "cvc": "123"}')).not.toMatch(/card|4242|cvc|123/);
  });

  it('keeps names such as `__proto__` as plain own keys', () => {
    const result = parseJson(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      'The body',
    );
    const value = result.ok ? result.value : null;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('takes 100 levels and refuses 101', () => {
    expect(parseJson(nested(100), 'The body').ok).toBe(true);
    expect(parseJson(nested(50, '[{"a":', '}]', '1'), 'The body').ok).toBe(true);
    expect(refusal(nested(101))).toBe(
      'The body is nested too deeply: line 1, column 101 is more than 100 levels deep. Send flatter data.',
    );
    expect(refusal(nested(51, '[{"a":', '}]', '1'))).toContain('nested too deeply');
  });

  it.each([10_000, 100_000, 500_000])(
    'refuses %d levels without running out of stack, closed or not',
    (levels) => {
      for (const text of [nested(levels), '['.repeat(levels), '{"a":'.repeat(levels)]) {
        expect(refusal(text)).toContain('nested too deeply');
      }
    },
  );

  it('does not count brackets in strings', () => {
    const value = [nested(1_000), `"${'['.repeat(200)}`, `\\${'{'.repeat(200)}`, '\\"['];
    expect(parseJson(JSON.stringify(value), 'The body')).toEqual(ok(value));
  });

  it('does not lose its place after closed levels', () => {
    const wide = Array.from({ length: 1_000 }, () => [[{}]]);
    expect(parseJson(JSON.stringify(wide), 'The body')).toEqual(ok(wide));
  });
});
