import { expect, it } from 'vitest';
import { err, ok, type Result } from '../../src/lib/result.ts';

const half = (n: number): Result<number, string> => (n % 2 === 0 ? ok(n / 2) : err(`${n} is odd`));

it('a success carries its value, and a refusal its error', () => {
  expect(half(4)).toEqual({ ok: true, value: 2 });
  expect(half(3)).toEqual({ ok: false, error: '3 is odd' });
});

it('`ok` distinguishes the two for the compiler as well', () => {
  const described = [half(4), half(3)].map((result) => (result.ok ? result.value.toFixed(1) : result.error));
  expect(described).toEqual(['2.0', '3 is odd']);
});
