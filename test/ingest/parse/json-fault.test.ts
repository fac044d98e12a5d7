import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../src/ingest/parse/json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonFault', () => {
  it.each([
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
    ['{a:1}', 1, 'a key in double quotes or `}`'],
    ['{"a" 1}', 5, '`:`'],
    ['{"a":1,"b"', 10, '`:`'],
    ['"abc', 4, 'the closing quote of a string'],
    ['"\\x"', 1, 'an escape such as `\\n`'],
    ['"\\u12g4"', 1, 'an escape such as `\\n`'],
    ['"a\nb"', 2, 'an escape such as `\\n`'],
    ['\u00a01', 0, 'a value'],
    [']', 0, 'a value'],
  ])('%j: at %d, %s', (text, offset, wanted) => {
    expect(findJsonFault(text)).toEqual({ offset, wanted });
  });

  it('finds none in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), (value, indent) => {
        expect(findJsonFault(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  it('agrees with JSON.parse on what is JSON, also after one character was changed', () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '0', '-', '.', 'e', ' ', 'x', '\n'),
      )
      .map(
        ([text, at, character]) =>
          text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1),
      );
    fc.assert(
      fc.property(damaged, (text) => {
        const fault = findJsonFault(text);
        expect(fault === null).toBe(isJson(text));
        expect(fault === null || (fault.offset >= 0 && fault.offset <= text.length)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
