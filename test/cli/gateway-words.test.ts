import { describe, expect, it } from 'vitest';
import { attemptText, gatewayWords, reasonText } from '../../cli/gateway-words.ts';
import { attempt, messageOf } from './messages.ts';

describe('what the gateway says in an answer', () => {
  it.each([
    ['{"success":false,"message":"no such\\n number"}', 'no such number'],
    ['{"success":false}', ''],
    ['{"message":7}', ''],
    ['["x"]', ''],
    ['{"success":false,"message":"it is cut o', 'it is cut o'],
    ['<html><head><style>p{}</style></head><h1>502</h1>\n<p>Bad Gateway</p></html>', '502 Bad Gateway'],
    ['upstream  timed out', 'upstream timed out'],
    ['', ''],
    [undefined, ''],
  ])('%j is %j', (response, words) => expect(gatewayWords(response)).toBe(words));

  it('is cut when it is long', () => {
    expect(gatewayWords('x'.repeat(1_000))).toBe(`${'x'.repeat(200)}…`);
  });
});

const DETAIL = 'the gateway answered 400: it rejects this call';
const RESPONSE = '{"success":false,"message":"phone is not registered"}';

describe('why an attempt failed', () => {
  it('is what is known, with what the gateway said', () => {
    expect(attemptText(attempt({ detail: DETAIL, response: RESPONSE }))).toBe(
      `${DETAIL} (“phone is not registered”)`,
    );
    expect(attemptText(attempt({ detail: DETAIL }))).toBe(DETAIL);
  });

  it('says it once', () => {
    const detail = 'the gateway refused (`success` is false): phone is not registered';
    expect(attemptText(attempt({ detail, response: RESPONSE }))).toBe(detail);
  });

  it('is nothing for one that sent the message', () => {
    expect(attemptText(attempt({ outcome: 'sent', response: '{"success":true}' }))).toBeUndefined();
  });
});

describe('why a message is in its state', () => {
  const attempts = [attempt({ detail: DETAIL, response: RESPONSE })];

  it('is its reason, with what the gateway said to the last attempt', () => {
    expect(reasonText(messageOf({ state: 'dead', reason: `${DETAIL}; gave up`, attempts }))).toBe(
      `${DETAIL}; gave up (“phone is not registered”)`,
    );
  });

  it('is its reason alone when that is not about the last attempt', () => {
    expect(reasonText(messageOf({ state: 'cancelled', reason: 'cancelled by ada', attempts }))).toBe(
      'cancelled by ada',
    );
    expect(reasonText(messageOf({ state: 'sent', reason: 'its template failed' }))).toBe(
      'its template failed',
    );
    expect(reasonText(messageOf())).toBeUndefined();
  });
});
