import { expect, it } from 'vitest';
import { fieldError, problemResponse } from '../../src/lib/problem.ts';

const PROBLEM = { status: 405, type: 'method-not-allowed', title: 'Method not allowed', detail: 'Use POST.' };

it('problemResponse is an RFC 9457 problem with the status of its answer', async () => {
  const response = problemResponse(PROBLEM);
  expect(response.status).toBe(405);
  expect(await response.json()).toEqual({
    ...PROBLEM,
    code: PROBLEM.type,
    type: 'urn:hookbell:problem:method-not-allowed',
  });
});

it('problemResponse names fifty errors by path at most, and says how many more there are', async () => {
  const errors = Array.from({ length: 1_000 }, (_, n) => fieldError(`key${n}`, 'unknown-key', 'unknown key'));
  const { errors: shown } = await problemResponse({ ...PROBLEM, errors }).json<{ errors: unknown[] }>();
  const more = fieldError('', 'more', 'and 951 more errors', { left: '951' });
  expect(shown).toEqual([...errors.slice(0, 49), more]);
});

it('problemResponse has 64 KiB at most, whatever it has to repeat', async () => {
  for (const character of ['x', '\u0000', '€', '😀', '\\', '\ud83d']) {
    const long = character.repeat(100_000);
    const errors = Array.from({ length: 100 }, () => fieldError(long, 'malformed', long, { name: long }));
    const text = await problemResponse({ ...PROBLEM, detail: long, errors }).text();
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/and \d+ more errors/);
  }
});

it('problemResponse carries headers, which cannot change what it is', () => {
  const headers = { allow: 'POST, PUT', 'content-type': 'text/html', 'cache-control': 'public' };
  const response = problemResponse({ ...PROBLEM, headers });
  expect(Object.fromEntries(response.headers)).toEqual({
    allow: 'POST, PUT',
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});
