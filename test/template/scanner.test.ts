import { describe, expect, it } from 'vitest';
import { Scanner, describeProblem } from '../../src/template/scanner.ts';

describe('Scanner', () => {
  it('takes what matches at its place and nothing further on', () => {
    const scanner = new Scanner('ab  cd');
    expect([scanner.take(/b/y), scanner.take(/ab/y), scanner.take(/c/y), scanner.next(/c/y)]).toEqual([
      undefined,
      'ab',
      undefined,
      'c',
    ]);
  });

  it('does not see beyond its end', () => {
    const scanner = new Scanner('abcd', 1, 3);
    expect([scanner.take(/bcd/y), scanner.take(/bc/y)]).toEqual([undefined, 'bc']);
  });

  it('keeps the first problem and stands at the end from then on', () => {
    const scanner = new Scanner('abc');
    scanner.fail('first');
    scanner.fail('second');
    expect(scanner.problem).toEqual({ message: 'first', at: 0 });
    expect(scanner.take(/a/y)).toBeUndefined();
  });
});

describe('describeProblem', () => {
  it('names the column, and the line where there are several', () => {
    expect(describeProblem('abc', { message: 'm', at: 2 })).toBe('column 3: m');
    expect(describeProblem('abc\n', { message: 'm', at: 2 })).toBe('column 3: m');
    expect(describeProblem('a\nbc', { message: 'm', at: 3 })).toBe('line 2, column 2: m');
  });
});
