import { expect, test } from 'vitest';
import { attemptText, gatewayWords, reasonText } from '../../../console/parts/message/gateway-words.ts';

test.each([
  ['{"success":false,"message":"This number is not registered"}', 'This number is not registered'],
  ['{"message":"a \\"quoted\\"\\n word","dat', 'a "quoted" word'],
  ['{"message":null}', ''],
  ['{"message":"cut o', ''],
  ['<html>no</html>', ''],
  [undefined, ''],
])('%j says %j', (response, words) => {
  expect(gatewayWords(response)).toBe(words);
});

const ENGLISH = { said: (text: string) => text, quote: (words: string) => `“${words}”` };
const GERMAN = {
  said: (text: string) => text.replace('the gateway refused', 'abgelehnt'),
  quote: (words: string) => `„${words}“`,
};

const failed = {
  n: 1,
  at: '2026-11-22T10:00:00.000Z',
  duration_ms: 4,
  outcome: 'rejected' as const,
  detail: 'the gateway answered 400: it rejects this call',
  response: '{"message":"No such number"}',
};

test('what the gateway said stands behind why an attempt failed, and behind the state that it led to', () => {
  const text = 'the gateway answered 400: it rejects this call (“No such number”)';
  expect(attemptText(failed, ENGLISH)).toBe(text);
  expect(reasonText({ reason: failed.detail, attempts: [failed], state: 'dead' }, ENGLISH)).toBe(text);
});

test('words that are there already are not said twice, and those of another reason not at all', () => {
  expect(attemptText({ ...failed, detail: 'refused: No such number' }, ENGLISH)).toBe(
    'refused: “No such number”',
  );
  expect(reasonText({ reason: 'cancelled by Ann', attempts: [failed], state: 'cancelled' }, ENGLISH)).toBe(
    'cancelled by Ann',
  );
  expect(reasonText({ attempts: [failed], state: 'sent' }, ENGLISH)).toBe('');
});

test('the words of the gateway are a quote in the language of the page', () => {
  const refused = { ...failed, detail: 'the gateway refused: No such number' };
  expect(attemptText(refused, GERMAN)).toBe('abgelehnt: „No such number“');
  expect(attemptText({ ...refused, response: undefined }, GERMAN)).toBe('abgelehnt: No such number');
});
