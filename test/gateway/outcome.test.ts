import { describe, expect, it } from 'vitest';
import page from '../../docs/guarantees.md?raw';
import { classifyAnswer, type GatewayAnswer, type Verdict } from '../../src/gateway/outcome.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const classify = (answer: Partial<Omit<GatewayAnswer, 'headers'>> & { headers?: HeadersInit }): Verdict =>
  classifyAnswer(
    { status: 200, text: '', complete: true, ...answer, headers: new Headers(answer.headers) },
    NOW,
  );
const classOf = (body: unknown): string => classify({ text: JSON.stringify(body) }).outcome;

describe('classifyAnswer: 2xx', () => {
  const data = { from: '49301', to: '49302', status_code: 200 };

  it.each([
    ['the documented answer', { success: true, message: 'sent', data }],
    ['no data', { success: true }],
    ['null data', { success: true, data: null }],
    ["PHP's empty object", { success: true, data: [] }],
    ['no status code', { success: true, data: { to: '1' } }],
    ['a null status code', { success: true, data: { status_code: null } }],
    ['a status code in quotes', { success: true, data: { status_code: '200' } }],
  ])('%s is sent', (_, body) => {
    expect(classOf(body)).toBe('sent');
  });

  it('is sent by any 2xx and whatever the content type', () => {
    expect(
      classify({ status: 201, text: '{"success":true}', headers: { 'content-type': 'text/html' } }).outcome,
    ).toBe('sent');
  });

  it.each([
    ['success is false', { success: false, message: 'no device', data }],
    ['another status code', { success: true, message: 'no device', data: { status_code: 500 } }],
    ['another status code in quotes', { success: true, message: 'no device', data: { status_code: '404' } }],
  ])('%s: refused, with the gateway’s own words', (_, body) => {
    expect(classify({ text: JSON.stringify(body) })).toMatchObject({
      outcome: 'refused',
      message: 'no device',
    });
  });

  it('is refused also when the gateway gives no words', () => {
    expect(classify({ text: '{"success":false,"message":7}' })).toEqual({
      outcome: 'refused',
      detail: 'the gateway refused (`success` is false): it gives no reason',
      message: '',
    });
  });

  it.each([
    ['success in quotes', { success: 'true' }],
    ['success as a number', { success: 1 }],
    ['no success', { message: 'ok' }],
    ['a status code that is no whole number', { success: true, data: { status_code: 200.5 } }],
    ['a status code that is a word', { success: true, data: { status_code: 'ok' } }],
    ['a status code that is true', { success: true, data: { status_code: true } }],
    ['a list', [{ success: true }]],
    ['a text', 'success'],
    ['null', null],
  ])('%s is uncertain', (_, body) => {
    expect(classOf(body)).toBe('uncertain');
  });

  it.each([
    ['nothing', ''],
    ['only space', ' \n'],
    ['a page', '<html>ok</html>'],
    ['a warning before the JSON', '<b>Warning</b>{"success":true}'],
    ['half of the JSON', '{"success":tr'],
  ])('%s is uncertain', (_, text) => {
    expect(classify({ text }).outcome).toBe('uncertain');
  });

  it('is uncertain when the answer was cut off, even if what came reads as sent', () => {
    expect(classify({ text: '{"success":true}', complete: false }).outcome).toBe('uncertain');
  });
});

describe('classifyAnswer: other statuses', () => {
  it.each([
    [101, 'uncertain'],
    [300, 'redirected'],
    [301, 'redirected'],
    [302, 'redirected'],
    [304, 'redirected'],
    [307, 'redirected'],
    [308, 'redirected'],
    [400, 'rejected'],
    [401, 'unauthorized'],
    [402, 'rejected'],
    [403, 'forbidden'],
    [404, 'rejected'],
    [408, 'busy'],
    [413, 'rejected'],
    [422, 'rejected'],
    [425, 'busy'],
    [429, 'busy'],
    [499, 'rejected'],
    [500, 'server_error'],
    [502, 'server_error'],
    [503, 'busy'],
    [504, 'server_error'],
    [520, 'uncertain'],
    [521, 'unreachable'],
    [522, 'uncertain'],
    [523, 'unreachable'],
    [524, 'uncertain'],
    [525, 'unreachable'],
    [526, 'unreachable'],
    [530, 'unreachable'],
    [599, 'server_error'],
  ])('%d is %s, whatever the body says', (status, expected) => {
    expect(classify({ status, text: '{"success":true}' }).outcome).toBe(expected);
    expect(classify({ status, text: '<html>', complete: false }).outcome).toBe(expected);
  });

  it.each([408, 425, 429, 503])('%d takes the wait that the gateway asks for', (status) => {
    expect(classify({ status, headers: { 'Retry-After': '7' } })).toMatchObject({
      outcome: 'busy',
      retry_after_ms: 7_000,
    });
    expect(classify({ status, headers: { 'Retry-After': 'Sat, 21 Nov 2026 12:00:09 GMT' } })).toMatchObject({
      retry_after_ms: 9_000,
    });
    expect(classify({ status })).not.toHaveProperty('retry_after_ms');
  });
});

describe('the table of docs/guarantees.md', () => {
  const rows = page
    .split('\n')
    .flatMap((line) => /^\| ([^|]+?) +\| `(\w+)` +\|/.exec(line)?.slice(1, 3) ?? [])
    .reduce<[string, string][]>((pairs, cell, at, cells) => {
      if (at % 2 === 0) pairs.push([cell, cells[at + 1] ?? '']);
      return pairs;
    }, []);
  const named = new Map(
    rows.flatMap(([answer, outcome]) =>
      [...answer.matchAll(/\b[3-5]\d\d\b/g)].map(([status]) => [Number(status), outcome] as const),
    ),
  );
  const CLASSES: Readonly<Record<number, string>> = { 3: '3xx', 4: 'another 4xx', 5: 'another 5xx' };
  const listed = (status: number): string | undefined =>
    named.get(status) ?? rows.find(([answer]) => answer === CLASSES[Math.floor(status / 100)])?.[1];

  it('has each status from 300 to 599 with its outcome', () => {
    const statuses = Array.from({ length: 300 }, (_, at) => 300 + at);
    const wrong = statuses.filter((status) => classify({ status }).outcome !== listed(status));
    expect(wrong).toEqual([]);
  });
});
