import * as fc from 'fast-check';
import page from '../../docs/guarantees.md?raw';
import { expect, it } from 'vitest';
import {
  classifyAnswer,
  type GatewayAnswer,
  type Verdict,
  parseRetryAfter,
} from '../../src/gateway/outcome.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z'); // fixed date: `now` is an argument
const DAY = 86_400_000;

const classify = (answer: Partial<Omit<GatewayAnswer, 'headers'>> & { headers?: HeadersInit }): Verdict =>
  classifyAnswer(
    { status: 200, text: '', complete: true, ...answer, headers: new Headers(answer.headers) },
    NOW,
  );

const data = { from: '49301', to: '49302', status_code: 200 };
const message = 'no device';

/** Bodies of a 2xx by what they mean. */
const BODIES: Readonly<Record<string, readonly unknown[]>> = {
  sent: [
    { success: true, message: 'sent', data },
    { success: true },
    { success: true, data: null },
    // PHP's empty object.
    { success: true, data: [] },
    { success: true, data: { to: '1' } },
    { success: true, data: { status_code: null } },
    { success: true, data: { status_code: '200' } },
  ],
  refused: [
    { success: false, message, data },
    { success: true, message, data: { status_code: 500 } },
    { success: true, message, data: { status_code: '404' } },
  ],
  uncertain: [
    { success: 'true' },
    { success: 1 },
    { message: 'ok' },
    { success: true, data: { status_code: 200.5 } },
    { success: true, data: { status_code: 'ok' } },
    { success: true, data: { status_code: true } },
    [{ success: true }],
    'success',
    null,
  ],
};

it('an answer of 2xx is sent, refused or uncertain by what its JSON says', () => {
  const rows = Object.entries(BODIES).flatMap(([outcome, bodies]) => bodies.map((body) => [body, outcome]));
  expect(rows.map(([body]) => [body, classify({ text: JSON.stringify(body) }).outcome])).toEqual(rows);
});

it('an answer of 2xx is sent whatever the status and content type, or refused with the gateway’s own words, if it has any', () => {
  const headers = { 'content-type': 'text/html' };
  expect(classify({ status: 201, text: '{"success":true}', headers }).outcome).toBe('sent');
  expect(classify({ text: JSON.stringify({ success: false, message }) })).toMatchObject({ message });
  expect(classify({ text: '{"success":false,"message":7}' })).toEqual({
    outcome: 'refused',
    code: 'refused',
    params: { field: 'success', value: 'false' },
    message: '',
  });
});

it('an answer of 2xx is uncertain when it is no JSON, or was cut off even if what came reads as sent', () => {
  for (const text of ['', ' \n', '<html>ok</html>', '<b>Warning</b>{"success":true}', '{"success":tr'])
    expect([text, classify({ text }).outcome]).toEqual([text, 'uncertain']);
  expect(classify({ text: '{"success":true}', complete: false }).outcome).toBe('uncertain');
});

const cells = [...page.matchAll(/^\| ([^|]+?) +\| `(\w+)` +\|/gm)];
const rows = cells.map(([, answer = '', outcome = '']) => [answer, outcome] as const);
const named = new Map(
  rows.flatMap(([answer, outcome]) =>
    [...answer.matchAll(/\b[3-5]\d\d\b/g)].map(([status]) => [Number(status), outcome] as const),
  ),
);
const CLASSES: Readonly<Record<number, string>> = { 3: '3xx', 4: 'another 4xx', 5: 'another 5xx' };
const listed = (status: number): string | undefined =>
  named.get(status) ?? rows.find(([answer]) => answer === CLASSES[Math.floor(status / 100)])?.[1];

it('an answer of another status is what the table of docs/guarantees.md says, whatever the body says', () => {
  const statuses = Array.from({ length: 300 }, (_, at) => 300 + at);
  const outcomes = statuses.map((status) => [status, listed(status)]);
  for (const body of [{ text: '{"success":true}' }, { text: '<html>', complete: false }])
    expect(statuses.map((status) => [status, classify({ status, ...body }).outcome])).toEqual(outcomes);
  expect(classify({ status: 101 }).outcome).toBe('uncertain');
});

it('an answer of another status is busy for as long as the gateway asks for', () => {
  const until = 'Sat, 21 Nov 2026 12:00:09 GMT'; // fixed date: `now` is an argument
  for (const status of [408, 425, 429, 503]) {
    const wait = { outcome: 'busy', retry_after_ms: 7_000 };
    expect(classify({ status, headers: { 'Retry-After': '7' } })).toMatchObject(wait);
    expect(classify({ status, headers: { 'Retry-After': until } })).toMatchObject({ retry_after_ms: 9_000 });
    expect(classify({ status })).not.toHaveProperty('retry_after_ms');
  }
});

it('Retry-After is seconds or a date, a day at most, and nothing where it is nonsense', () => {
  const headers = {
    '0': 0,
    '120': 120_000,
    ' 120 ': 120_000,
    '1.5': 1_500,
    '-5': 0,
    '86400': DAY,
    '86401': DAY,
    '999999999999': DAY,
    'Sat, 21 Nov 2026 12:01:30 GMT': 90_000, // fixed date: `now` is an argument
    'Sat, 21 Nov 2026 11:00:00 GMT': 0, // fixed date: `now` is an argument
    'Sat, 21 Nov 2099 12:00:00 GMT': DAY,
    'Saturday, 21-Nov-26 12:01:30 GMT': 90_000,
    'Sat Nov 21 12:01:30 2026': 90_000, // fixed date: `now` is an argument
  };
  const waits = Object.keys(headers).map((header) => [header, parseRetryAfter(header, NOW)]);
  expect(Object.fromEntries(waits)).toEqual(headers);
  const nonsense = ['', ' ', 'soon', '2m', '1e3', '0x10', 'Infinity', 'NaN', '2026-11-21', '21 Nov 2026']; // fixed date: `now` is an argument
  for (const header of [null, ...nonsense, '120, 240'])
    expect([header, parseRetryAfter(header, NOW)]).toEqual([header, null]);
});

it('Retry-After is null or whole milliseconds up to a day, whatever the header says', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String)), (header) => {
      const wait = parseRetryAfter(header, NOW);
      expect(wait === null || (Number.isInteger(wait) && wait >= 0 && wait <= DAY)).toBe(true);
    }),
  );
});
