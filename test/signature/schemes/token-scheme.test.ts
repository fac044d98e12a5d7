import { describe, expect, it } from 'vitest';
import { problemsOf } from '../support.ts';

const problems = (knobs: object) => problemsOf({ scheme: 'token', ...knobs });

describe('a token block', () => {
  it.each([
    [{ in: 'header', name: 'Authorization', prefix: 'Bearer ', prefix_optional: true }],
    [{ in: 'query', name: 'key' }],
    [{ in: 'path' }],
    [{ in: 'body', name: 'verification.token' }],
    [{ in: 'body', name: 'clientState', items: 'value' }],
  ])('may be %j', (knobs) => {
    expect(problems(knobs)).toEqual([]);
  });

  it.each([
    [
      { in: 'cookie' },
      'in: must say where the token stands: `in: header`, `in: query`, `in: path` or `in: body`',
    ],
    [{ in: 'header', name: 'X-T', prefix_optional: true }, 'prefix_optional: needs a `prefix`'],
    [{ in: 'body' }, 'name: is required'],
    [
      { in: 'body', name: 'a..b' },
      'name: must be a path of names with dots between them, such as `signature.timestamp`',
    ],
    [{ in: 'body', name: 'a', prefix: 'x' }, ': unknown key `prefix`; known keys: scheme, in, name, items'],
  ])('may not be %j', (knobs, problem) => {
    expect(problems(knobs)).toEqual([problem]);
  });
});
