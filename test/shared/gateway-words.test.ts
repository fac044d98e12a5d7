import { describe, expect, it, test } from 'vitest';
import { attemptText, gatewayWords, reasonText } from '../../shared/gateway-words.ts';

describe('the words of a gateway in its response', () => {
  it.each([
    ['{"success":false,"message":"This number is not registered"}', 'This number is not registered'],
    ['{"success":false,"message":"no such\\n number"}', 'no such number'],
    ['{"message":"a \\"quoted\\"\\n word","dat', 'a "quoted" word'],
    ['{"error":{"message":"too many"}}', 'too many'],
    ['{"success":false}', ''],
    ['{"message":null}', ''],
    ['{"message":7}', ''],
    ['["x"]', ''],
    ['{"success":false,"message":"it is cut o', 'it is cut o'],
    ['{"message":"it is cut in an escape \\u00', 'it is cut in an escape \\u00'],
    ['<html><head><style>p{}</style></head><h1>502</h1>\n<p>Bad Gateway</p></html>', '502 Bad Gateway'],
    ['upstream  timed out', 'upstream timed out'],
    ['', ''],
    [undefined, ''],
  ])('of %j are %j', (response, words) => expect(gatewayWords(response)).toBe(words));

  it('are cut when they are long', () => {
    expect(gatewayWords('x'.repeat(1_000))).toBe(`${'x'.repeat(200)}…`);
  });
});

const ENGLISH = { said: (text: string) => text, quote: (words: string) => `“${words}”` };
const GERMAN = {
  said: (text: string) => text.replace('the gateway refused', 'abgelehnt'),
  quote: (words: string) => `„${words}“`,
};
const HIDDEN = { ...ENGLISH, said: () => '' };

const failed = {
  detail: 'the gateway answered 400: it rejects this call',
  response: '{"message":"No such number"}',
};

test('the gateway’s words stand behind why an attempt failed, and behind the state that it led to', () => {
  const text = 'the gateway answered 400: it rejects this call (“No such number”)';
  expect(attemptText(failed, ENGLISH)).toBe(text);
  expect(attemptText({ detail: failed.detail }, ENGLISH)).toBe(failed.detail);
  expect(reasonText({ reason: failed.detail, attempts: [failed], state: 'dead' }, ENGLISH)).toBe(text);
  const gaveUp = { reason: `${failed.detail}; gave up`, attempts: [failed], state: 'dead' };
  expect(reasonText(gaveUp, ENGLISH)).toBe(`${failed.detail}; gave up (“No such number”)`);
});

test('words that are there already are not said twice, and those of another reason not at all', () => {
  expect(attemptText({ ...failed, detail: 'refused: No such number' }, ENGLISH)).toBe(
    'refused: “No such number”',
  );
  expect(reasonText({ reason: 'cancelled by Ann', attempts: [failed], state: 'cancelled' }, ENGLISH)).toBe(
    'cancelled by Ann',
  );
  expect(reasonText({ reason: 'its template failed', attempts: [], state: 'sent' }, ENGLISH)).toBe(
    'its template failed',
  );
});

test('nothing is said where there is no reason', () => {
  expect(attemptText({ response: '{"success":true,"message":"queued"}' }, ENGLISH)).toBe('');
  expect(reasonText({ attempts: [failed], state: 'sent' }, ENGLISH)).toBe('');
});

test('the gateway’s words are not shown to a reader who must not see the relay’s', () => {
  expect(attemptText(failed, HIDDEN)).toBe('');
  expect(reasonText({ reason: failed.detail, attempts: [failed], state: 'dead' }, HIDDEN)).toBe('');
});

test('the words of the gateway are a quote in the language of the reader', () => {
  const refused = { ...failed, detail: 'the gateway refused: No such number' };
  expect(attemptText(refused, GERMAN)).toBe('abgelehnt: „No such number“');
  expect(attemptText({ ...refused, response: undefined }, GERMAN)).toBe('abgelehnt: No such number');
});
