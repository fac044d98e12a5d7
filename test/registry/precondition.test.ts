import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds, parseIfMatch } from '../../src/registry/precondition.ts';

describe('an If-Match', () => {
  it.each([
    ['"7"', [7]],
    ['"0"', [0]],
    [' "7" , "8"', [7, 8]],
    ['W/"7"', [7]],
    ['W/"7",W/"8", "9"', [7, 8, 9]],
    ['*', '*'],
    [' * ', '*'],
  ])('%j is understood', (header, value) => {
    expect(parseIfMatch(header)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    '7',
    "'7'",
    '"7',
    '7"',
    '"seven"',
    '"-7"',
    '"7.5"',
    '"7" "8"',
    '"7",',
    ',"7"',
    '"7", *',
    '**',
    'w/"7"',
    '"1234567890123456"',
    Array(21).fill('"1"').join(','),
  ])('%j is not', (header) => {
    expect(parseIfMatch(header)).toMatchObject({ ok: false });
  });

  it('names what has to be in force', () => {
    expect(holds([7], 7)).toBe(true);
    expect(holds([7], 8)).toBe(false);
    expect(holds([7, 8], 8)).toBe(true);
    expect(holds('*', 8)).toBe(true);
    expect(holds(undefined, 8)).toBe(true);
  });

  it('of any text is parsed in no time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '1', ',', ' ', 'W/', '*', '\t'), maxLength: 200 }),
        (text) => {
          const parsed = parseIfMatch(text);
          if (parsed.ok && parsed.value !== '*') expect(parsed.value.every(Number.isSafeInteger)).toBe(true);
        },
      ),
    );
    const before = performance.now();
    parseIfMatch(`"1"${' '.repeat(500_000)}x`);
    parseIfMatch(`"1",${'"1",'.repeat(200_000)}`);
    // Milliseconds. If each character led to a look at all the others, it would be minutes on any machine.
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
