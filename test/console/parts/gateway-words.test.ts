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
  expect(attemptText(failed)).toBe(text);
  expect(reasonText({ reason: failed.detail, attempts: [failed], state: 'dead' })).toBe(text);
});

test('words that are there already are not said twice, and those of another reason not at all', () => {
  expect(attemptText({ ...failed, detail: 'refused: No such number' })).toBe('refused: No such number');
  expect(reasonText({ reason: 'cancelled by Ann', attempts: [failed], state: 'cancelled' })).toBe(
    'cancelled by Ann',
  );
  expect(reasonText({ attempts: [failed], state: 'sent' })).toBe('');
});
