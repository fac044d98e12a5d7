import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  duration,
  listOf,
  oneOf,
  secretName,
  shownKey,
  someText,
  strictDocument,
  wholeNumber,
} from '../../src/schema/parts.ts';

/** The messages about an input; empty when it is taken. */
function messages(schema: z.core.$ZodType, input: unknown): readonly string[] {
  const result = z.safeParse(schema, input);
  return result.success ? [] : result.error.issues.map(({ message }) => message);
}

describe('a document', () => {
  it.each([null, [], 'x', 5])('%j is none', (input) => {
    expect(messages(strictDocument({}), input)).toEqual(['must be an object of keys and values']);
  });

  it('that is not there is required', () => {
    expect(messages(strictDocument({}), undefined)).toEqual(['is required']);
  });
});

describe('text', () => {
  it.each([
    [undefined, 'is required'],
    [5, 'must be text: put it in quotes'],
    [true, 'must be text: put it in quotes'],
    [null, 'must be text'],
    [[], 'must be text'],
    ['', 'must not be empty'],
    ['abcd', 'must have at most 3 characters'],
  ])('%j: %s', (input, message) => {
    expect(messages(someText(3), input)).toEqual([message]);
  });
});

describe('a duration', () => {
  const schema = duration(1_000, 60_000);

  it.each([
    ['1s', 1_000],
    ['1m', 60_000],
    ['1500ms', 1_500],
  ])('%s is %i ms', (input, ms) => {
    expect(schema.parse(input)).toBe(ms);
  });

  it.each([
    [undefined, 'is required: a duration such as `30s`, `5m`, `3h` or `2d`'],
    [15, 'must be a duration such as `30s`, `5m`, `3h` or `2d`'],
    ['15', '`15` is not a duration: it has no unit; write `15s` for seconds'],
    ['999ms', 'must be between 1s and 1m, not 999ms'],
    ['2m', 'must be between 1s and 1m, not 2m'],
  ])('%j: %s', (input, message) => {
    expect(messages(schema, input)).toEqual([message]);
  });
});

describe('a whole number', () => {
  it.each([0, 11, 1.5, '5', null, Number.NaN])('from 1 to 10 is not %j', (input) => {
    expect(messages(wholeNumber(1, 10), input)).toEqual(['must be a whole number from 1 to 10']);
  });

  it('is required when it is not there', () => {
    expect(messages(wholeNumber(1, 10), undefined)).toEqual(['is required: a whole number from 1 to 10']);
  });
});

describe('a list', () => {
  it('says that it is too long, and not that it is no list', () => {
    expect(messages(listOf(someText(9), 'names', { max: 2 }), ['a', 'b', 'c'])).toEqual([
      'must have at most 2 names',
    ]);
  });

  it.each([
    [1, 'must not be empty'],
    [2, 'must have at least 2 names'],
  ])('of at least %i says what is missing', (min, message) => {
    expect(messages(listOf(someText(9), 'names', { min, max: 9 }), [])).toEqual([message]);
  });

  it.each(['a', {}, null])('is not %j', (input) => {
    expect(messages(listOf(someText(9), 'names', { max: 2 }), input)).toEqual(['must be a list of names']);
  });
});

describe('one of a few words', () => {
  it('is suggested when it is nearly written', () => {
    expect(messages(oneOf(['retry', 'hold']), 'hodl')).toEqual([
      'must be one of retry, hold; did you mean `hold`?',
    ]);
    expect(messages(oneOf(['retry', 'hold']), 5)).toEqual(['must be one of retry, hold']);
  });
});

describe('the name of a secret', () => {
  it.each(['STRIPE_SECRET', 'A', 'X9_'])('may be %s', (name) => {
    expect(messages(secretName, name)).toEqual([]);
  });

  it.each(['whsec_a8Zk3lm', 'lower', '9A', 'A-B', '', '__proto__'])(
    'is not %j, and what was written there is not repeated: it may be the value',
    (value) => {
      const [message = ''] = messages(secretName, value);
      expect(message).toContain('never its value');
      if (value.length > 6) expect(message).not.toContain(value);
    },
  );

  it.each([
    'ADMIN_TOKEN',
    'ADMIN_TOKEN_NEXT',
    'ACCESS_TEAM_DOMAIN',
    'ACCESS_AUD',
    'GATEWAY_API_KEY',
    'GATEWAY_SALES_EMAIL',
    'GATEWAY_BASE_URL',
  ])('is not %s: guesses at it could be checked by sending webhooks', (name) => {
    expect(messages(secretName, name)).toEqual([
      'is a credential of hookbell itself and cannot sign webhooks',
    ]);
  });
});

describe('a key in an error', () => {
  it('stands on one line, and whole or not at all', () => {
    expect(shownKey('a\nb\tc')).toBe('a b c');
    expect(shownKey('k'.repeat(64))).toHaveLength(64);
    expect(shownKey('k'.repeat(65))).toBe('…');
  });
});
