import * as z from 'zod/mini';
import * as parts from '../../src/schema/parts.ts';
import { expect, it } from 'vitest';
import { gatewayDigits } from '../../src/lib/numbers.ts';

const { duration, listOf, oneOf, secretName, shownKey, someText, strictDocument, wholeNumber } = parts;

const names = (bounds: { min?: number; max: number }) => listOf(someText(9), 'names', bounds);
const aDuration = duration(1_000, 60_000);
const A_DURATION = 'a duration such as `30s`, `5m`, `3h` or `2d`';
const NO_UNIT = '`15` is not a duration: it has no unit; write `15s` for seconds';

/** The message about an input; empty when it is taken. */
function message(schema: z.core.$ZodType, input: unknown): string {
  const result = z.safeParse(schema, input);
  return result.success ? '' : result.error.issues.map((issue) => issue.message).join('\n');
}

it.each<[string, z.core.$ZodType, unknown, string]>([
  ['a document', strictDocument({}), undefined, 'is required'],
  ['a document', strictDocument({}), null, 'must be an object of keys and values'],
  ['a document', strictDocument({}), [], 'must be an object of keys and values'],
  ['a document', strictDocument({}), 'x', 'must be an object of keys and values'],
  ['text', someText(3), undefined, 'is required'],
  ['text', someText(3), 5, 'must be text: put it in quotes'],
  ['text', someText(3), true, 'must be text: put it in quotes'],
  ['text', someText(3), null, 'must be text'],
  ['text', someText(3), [], 'must be text'],
  ['text', someText(3), '', 'must not be empty'],
  ['text', someText(3), 'abcd', 'must have at most 3 characters'],
  ['a duration', aDuration, undefined, `is required: ${A_DURATION}`],
  ['a duration', aDuration, 15, `must be ${A_DURATION}`],
  ['a duration', aDuration, '15', NO_UNIT],
  ['a duration', aDuration, '999ms', 'must be between 1s and 1m, not 999ms'],
  ['a duration', aDuration, '2m', 'must be between 1s and 1m, not 2m'],
  ['a whole number', wholeNumber(1, 10), undefined, 'is required: a whole number from 1 to 10'],
  ['a whole number', wholeNumber(1, 10), 0, 'must be a whole number from 1 to 10'],
  ['a whole number', wholeNumber(1, 10), 11, 'must be a whole number from 1 to 10'],
  ['a whole number', wholeNumber(1, 10), 1.5, 'must be a whole number from 1 to 10'],
  ['a whole number', wholeNumber(1, 10), '5', 'must be a whole number from 1 to 10'],
  ['a whole number', wholeNumber(1, 10), Number.NaN, 'must be a whole number from 1 to 10'],
  // It says that it is too long, and not that it is no list.
  ['a list', names({ max: 2 }), ['a', 'b', 'c'], 'must have at most 2 names'],
  ['a list', names({ min: 1, max: 9 }), [], 'must not be empty'],
  ['a list', names({ min: 2, max: 9 }), [], 'must have at least 2 names'],
  ['a list', names({ max: 2 }), 'a', 'must be a list of names'],
  ['a list', names({ max: 2 }), {}, 'must be a list of names'],
  ['a word', oneOf(['retry', 'hold']), 'hodl', 'must be one of retry, hold; did you mean `hold`?'],
  ['a word', oneOf(['retry', 'hold']), 5, 'must be one of retry, hold'],
])('%s that is none is refused, and it is said why (%#)', (_, schema, input, expected) => {
  expect(message(schema, input)).toBe(expected);
});

it('a duration is read as ms', () => {
  expect(['1s', '1m', '1500ms'].map((text) => aDuration.parse(text))).toEqual([1_000, 60_000, 1_500]);
});

it('a secret is named, and what was written in place of its name is not repeated: it may be the value', () => {
  for (const name of ['STRIPE_SECRET', 'A', 'X9_']) expect(message(secretName, name)).toBe('');
  for (const value of ['whsec_a8Zk3lm', 'lower', '9A', 'A-B', '', '__proto__']) {
    expect(message(secretName, value)).toContain('never its value');
    if (value.length > 6) expect(message(secretName, value)).not.toContain(value);
  }
});

it('a secret is no credential of hookbell: guesses at it could be checked by sending webhooks', () => {
  const access = ['ADMIN_TOKEN', 'ADMIN_TOKEN_NEXT', 'ACCESS_TEAM_DOMAIN', 'ACCESS_AUD'];
  for (const name of [...access, 'GATEWAY_API_KEY', 'GATEWAY_SALES_EMAIL', 'GATEWAY_BASE_URL'])
    expect(message(secretName, name)).toBe('is a credential of hookbell itself and cannot sign webhooks');
});

it('a key in an error stands on one line, and whole or not at all', () => {
  expect(shownKey('a\nb\tc')).toBe('a b c');
  expect(shownKey('k'.repeat(64))).toHaveLength(64);
  expect(shownKey('k'.repeat(65))).toBe('…');
});

it('the gateway’s digits are 7 to 15 of ASCII, and begin with no zero', () => {
  for (const digits of ['4915112345678', '1234567', '123456789012345']) expect(digits).toMatch(gatewayDigits);
  const lengths = ['', '123456', '1234567890123456'];
  for (const text of [...lengths, '+4915112345678', '04915112345678', '4915 1123', '٤٩١٥١١٢٣٤٥'])
    expect(text).not.toMatch(gatewayDigits);
});
