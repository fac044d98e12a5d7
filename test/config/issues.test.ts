import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { issueErrors } from '../../src/config/issues.ts';
import { strictDocument } from '../../src/schema/parts.ts';

function errorsOf(schema: z.core.$ZodType, input: unknown, path = 'sources.shop') {
  const result = z.safeParse(schema, input);
  return result.success ? [] : result.error.issues.flatMap((issue) => issueErrors(path, issue));
}

const text = z.string({ error: 'must be text' });

describe('the path of an error', () => {
  const schema = strictDocument({ routes: z.array(strictDocument({ to: z.array(text) })) });

  it('is written as a person would', () => {
    const [first] = errorsOf(schema, { routes: [{ to: [] }, { to: ['a', 5] }] });
    expect(first).toEqual({ path: 'sources.shop.routes[1].to[1]', message: 'must be text' });
  });

  it('does not begin with a dot where nothing stands before it', () => {
    expect(errorsOf(schema, { routes: [{ to: [5] }] }, '')[0]?.path).toBe('routes[0].to[0]');
    expect(errorsOf(schema, { root: [], routes: [] }, '')[0]?.path).toBe('root');
  });
});

describe('unknown keys', () => {
  const schema = strictDocument({ template: z.optional(text), send: z.optional(text) });

  it('are errors of their own, each with its suggestion', () => {
    expect(errorsOf(schema, { tempalte: 'x', zzz: 1 })).toEqual([
      { path: 'sources.shop.tempalte', message: 'unknown key `tempalte`; did you mean `template`?' },
      { path: 'sources.shop.zzz', message: 'unknown key `zzz`; known keys: template, send' },
    ]);
  });

  it('have one message each, whatever characters they are made of', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('a. b', 'a\nb', '`', '__proto__', 'constructor', ''));
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 4 }), (keys) => {
        const unknown = keys.filter((name) => name !== 'template' && name !== 'send');
        const errors = errorsOf(
          schema,
          JSON.parse(`{${unknown.map((k) => `${JSON.stringify(k)}:1`).join()}}`),
        );
        expect(errors).toHaveLength(unknown.length);
        for (const { message } of errors)
          expect(message).toMatch(/^unknown key `.*`; (known keys: |did you mean )/);
      }),
    );
  });

  it('are not repeated at any length', () => {
    const [error] = errorsOf(schema, { ['x'.repeat(10_000)]: 1 });
    expect(error?.path.length).toBeLessThan(100);
    expect(error?.message.length).toBeLessThan(200);
  });
});

describe('of a union', () => {
  const rate = z.union(
    [z.literal(false), strictDocument({ per_minute: z.int({ error: 'must be a number' }) })],
    {
      error: 'must be `{ per_minute }`, or false',
    },
  );

  it('the member that came furthest is reported', () => {
    expect(errorsOf(rate, { per_minute: 'x' })).toEqual([
      { path: 'sources.shop.per_minute', message: 'must be a number' },
    ]);
  });

  it('all of it is named when no member fits better', () => {
    expect(errorsOf(rate, 30)).toEqual([
      { path: 'sources.shop', message: 'must be `{ per_minute }`, or false' },
    ]);
  });
});
