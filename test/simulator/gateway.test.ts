import { request } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { LOGIN, NOW, PHONE, TEXT, failureBody, startBench, type Bench } from './harness.ts';

type Params = Readonly<Record<string, string>>;
const MESSAGES: readonly (readonly [endpoint: string, kind: string, params: Params])[] = [
  ['/send-message.php', 'text', { phone: PHONE, message: 'Grüße & 😀 + 100 %\nzwei' }],
  ['/send-image.php', 'image', { phone: PHONE, image_url: 'https://a.example/a.png', caption: 'Look' }],
  ['/send-voice.php', 'voice', { phone: PHONE, audio_url: 'https://a.example/a.mp3' }],
  ['/send-link-preview.php', 'link-preview', { phone: PHONE, url: 'https://a.example/', text: 'X' }],
  ['/send-poll.php', 'poll', { phone: PHONE, question: 'Which?', options: 'One,Two' }],
  ['/status/send-text.php', 'status', { text: 'Open' }],
];

/** The documented success, and nothing else. */
const successBody = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.strictObject({
    from: z.stringFormat('digits', /^\d+$/),
    to: z.string().optional(),
    status_code: z.literal(200),
  }),
});

test('a call of each endpoint is answered as documented and kept as it was sent', async () => {
  const bench = await startBench();
  for (const [endpoint, kind, params] of MESSAGES) {
    const answer = await bench.call(endpoint, { ...LOGIN, app_key: 'app-77', ...params });
    const to = params['phone'];
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(successBody.parse(await answer.json()).data.to).toBe(to);
    const { items } = await bench.calls('?limit=1');
    const kept = { at: new Date(NOW).toISOString(), kind, endpoint, to: to ?? null, params };
    expect(items).toEqual([
      { id: expect.any(Number) as unknown, ...kept, outcome: 'accepted', status: 200, delivered: true },
    ]);
  }
  expect(await bench.calls()).toMatchObject({ total: 6, accepted: 6, delivered: 6 });
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (fields: Readonly<Record<string, string>>, headers = {}) =>
  ({ method: 'POST', body: new URLSearchParams(fields), headers }) as const;

test('a refused call is answered and recorded with its reason, without a secret, and consumes no step', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'status', status: 503 });
  const path = '/send-message.php';
  const refusals: readonly (readonly [number, string, string, RequestInit])[] = [
    [405, 'wrong_method', path, { method: 'GET' }],
    [404, 'unknown_endpoint', '/send-fax.php', form(TEXT)],
    [415, 'wrong_content_type', path, form(TEXT, { 'content-type': 'application/json' })],
    [400, 'parameter_in_query', `${path}?api_key=very-secret`, form(TEXT)],
    [400, 'credentials_in_header', path, form(TEXT, { authorization: 'Bearer very-secret' })],
    [400, 'malformed_form', path, { ...form(TEXT), body: 'phone=%', headers: FORM }],
    [400, 'unknown_parameter', path, form({ ...TEXT, apikey: 'very-secret' })],
    [413, 'body_too_large', path, form({ ...TEXT, message: 'x'.repeat(1024 * 1024) })],
  ];
  for (const [status, reason, at, init] of refusals) {
    const answer = await fetch(`${bench.simulator.url}/api${at}`, init);
    expect(answer.status, reason).toBe(status);
    const { message, data } = failureBody.parse(await answer.json());
    expect(data.status_code).toBe(status);
    const { items, accepted } = await bench.calls('?limit=1');
    const refused = { outcome: `refused:${reason}`, status, delivered: false, detail: message };
    expect(items).toMatchObject([refused]);
    expect(accepted).toBe(0);
    expect(JSON.stringify(items)).not.toContain('very-secret');
  }
  expect((await bench.call(path, TEXT)).status).toBe(503);
});

test('a body of exactly 1 MiB is taken', async () => {
  const bench = await startBench();
  const rest = new URLSearchParams({ ...TEXT, message: '' }).toString().length;
  const message = 'x'.repeat(1024 * 1024 - rest);
  expect((await bench.call('/send-message.php', { ...TEXT, message })).status).toBe(200);
});

test('a caller that leaves in the middle of its body is no call', async () => {
  const bench = await startBench();
  const half = request(`${bench.simulator.url}/api/send-message.php`, {
    method: 'POST',
    headers: { ...FORM, 'content-length': 100 },
  });
  const gone = new Promise((resolve) => half.on('close', resolve));
  half.on('error', () => undefined);
  half.write('phone=', () => half.destroy());
  await gone;
  expect((await bench.call('/send-message.php', TEXT)).status).toBe(200);
  expect((await bench.calls()).total).toBe(1);
});

test('a login that is wrong is answered 401, and no credential is kept, whatever the outcome', async () => {
  const bench = await startBench({
    credentials: { email: LOGIN.email, apiKey: LOGIN.api_key, appKey: 'app-77' },
  });
  const full = { ...TEXT, app_key: 'app-77' };
  for (const change of [{ email: 'wrong@example.com' }, { api_key: 'wrong-key' }, { app_key: 'wrong-app' }]) {
    const answer = await bench.call('/send-message.php', { ...full, ...change });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('wrong-');
  }
  await bench.script({ failure: 'echo_secret' }, { failure: 'ok' });
  await bench.call('/send-message.php', full);
  expect((await bench.call('/send-message.php', full)).status).toBe(200);
  const { items } = await bench.calls();
  expect(items).toHaveLength(5);
  expect(items[0]).toMatchObject({ outcome: 'refused:wrong_credentials', params: { message: 'Hello' } });
  for (const secret of [LOGIN.email, LOGIN.api_key, 'app-77', 'wrong-', 'wrong@'])
    expect(JSON.stringify(items)).not.toContain(secret);
});

const probe = async (bench: Bench): Promise<number> => (await bench.call('/send-poll.php', LOGIN)).status;

test('a call without content fails as the next message would, leaves the step for it, and does not fail by one for a phone or one that is slow', async () => {
  const bench = await startBench();
  await bench.script({ failure: 'status', status: 500, times: 1 });
  expect([await probe(bench), await probe(bench)]).toEqual([500, 500]);
  expect((await bench.call('/send-message.php', TEXT)).status).toBe(500);
  expect(await probe(bench)).toBe(400);
  expect((await bench.calls()).delivered).toBe(0);
  await bench.script({ failure: 'status', status: 500, match: { phone: PHONE } });
  expect(await probe(bench)).toBe(400);
  await bench.script({ failure: 'slow', ms: 5 });
  expect(await probe(bench)).toBe(400);
});
