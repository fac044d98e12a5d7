import { describe, expect, it } from 'vitest';
import { problemsOf, schemeOf } from '../support.ts';

const problems = (knobs: object) => problemsOf({ scheme: 'jwt', header: 'X-Token', ...knobs }).join('\n');

describe('a jwt block', () => {
  it('needs a header and what covers the body: HS256, with five minutes of tolerance', () => {
    expect(schemeOf({ scheme: 'jwt', header: 'X-Token', body_hash_claim: 'sha256' })).toEqual({
      scheme: 'jwt',
      header: ['X-Token'],
      algorithm: 'HS256',
      body_hash_claim: 'sha256',
      tolerance: 300_000,
    });
  });

  it('may say that nothing covers the body', () => {
    expect(problems({ unsigned_body: true })).toBe('');
  });

  it.each([
    ['a body that nothing covers', {}, /^: does not cover the body.*`unsigned_body: true`/],
    [
      'a body that is denied to be covered',
      { unsigned_body: false },
      /^unsigned_body: must be true or absent/m,
    ],
    [
      'an optional prefix without one',
      { unsigned_body: true, prefix_optional: true },
      /^prefix_optional: needs a `prefix`$/,
    ],
    ['no header', { unsigned_body: true, header: undefined }, /^header: must be the name of a header/],
    ['no signature', { unsigned_body: true, algorithm: 'none' }, /^algorithm: must be one of HS256/],
    ['an unknown key', { unsigned_body: true, isuer: 'x' }, /unknown key `isuer`; did you mean `issuer`\?/],
    ['another audience', { unsigned_body: true, audience: 'me' }, /^audience: must be one of url/],
  ])('%s is refused', (_, knobs, problem) => {
    expect(problems(knobs)).toMatch(problem);
  });
});
