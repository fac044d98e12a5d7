import { expect, it } from 'vitest';
import { probeGateway, outageCheck } from '../../../src/admin/doctor/accounts.ts';
import type { Check } from '../../../src/admin/doctor/check.ts';
import type { OutboxStatus } from '../../../src/answers/api-status.ts';
import { containing } from '../../config/support.ts';
import { quietStatus } from '../../outbox/read/quiet-status.ts';

const ACCOUNT = {
  baseUrl: 'https://gateway.example/api',
  email: 'ops@shop.example',
  apiKey: 'key-canary-7391',
  appKey: 'app-canary-4410',
};
const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

async function probe(answer: Response | Error, lastSentAt: number | null = null) {
  const calls: Request[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    calls.push(new Request(input, init));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const { check, clock } = await probeGateway('default', ACCOUNT, { fetch, now: () => NOW, lastSentAt });
  return { check, clock, calls };
}

const json = (body: unknown, status = 200) => Response.json(body, { status });

it('the probe of the gateway is one call that names nobody, says nothing and asks nothing: the login is all that it carries', async () => {
  const { calls } = await probe(json({ success: false, message: 'phone is required' }, 400));
  expect(calls.map(({ url }) => url)).toEqual(['https://gateway.example/api/send-poll.php']);
  const [call] = calls;
  expect(call).toMatchObject({ method: 'POST', redirect: 'manual' });
  const fields = [...new URLSearchParams(await call?.text()).keys()];
  expect(fields).toEqual(['email', 'api_key', 'app_key']);
});

it('the probe of the gateway judges by its answer, and says what to do next', async () => {
  const phone = 'phone is required';
  const login = ['fail', 'npx wrangler secret put GATEWAY_API_KEY'];
  const open = ['unknown', 'npx hookbell send "Hello" --to <number>'];
  const address = ['fail', 'GATEWAY_BASE_URL'];
  const redirect = new Response(null, { status: 302, headers: { location: 'https://other.example' } });
  const rows = [
    [json({ success: false }, 401), NOW - HOUR, login],
    [json({ success: false }, 403), NOW - HOUR, login],
    // Nothing is proved about the login: a refusal for want of a receiver, the same with 200, a page, a failure, a success.
    [json({ success: false, message: phone }, 400), null, open],
    [json({ success: false, message: phone }), null, open],
    [new Response('<h1>Hello</h1>'), null, open],
    [json({ message: phone }, 500), null, open],
    [json({ success: true }), null, open],
    // Whatever was sent before; Cloudflare answers 521 and 522 for a server that is down or silent.
    [redirect, NOW - HOUR, address],
    [json({}, 404), NOW - HOUR, address],
    [json({}, 405), NOW - HOUR, address],
    [new Response(null, { status: 521 }), NOW - HOUR, address],
    [new Response(null, { status: 522 }), NOW - HOUR, address],
    [new Error('Network connection lost.'), NOW - HOUR, address],
    [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), NOW - HOUR, address],
    // It wants another try later.
    [json({}, 429), null, ['warn', '']],
  ] as const;
  for (const [at, [answer, sentAt, [status, remedy]]] of rows.entries()) {
    const { check } = await probe(answer, sentAt);
    expect([at, check.id, check.status]).toEqual([at, 'gateway:default', status]);
    expect(check.remedy ?? '', String(at)).toContain(remedy);
  }
});

it('the probe of the gateway quotes what the gateway says, for a person to judge', async () => {
  const { check } = await probe(json({ success: false, message: 'This key is not valid' }, 400));
  expect(check.detail).toContain('answers 400 (“This key is not valid”)');
});

it('the probe of the gateway is well when the gateway answers and took a message before', async () => {
  const refused = json({ success: false, message: 'phone is required' }, 400);
  const detail = containing('accepted a message 3 hours ago');
  expect((await probe(refused, NOW - 3 * HOUR)).check).toMatchObject({ status: 'ok', detail });
});

it('the probe of the gateway shows nothing of a login that the gateway echoes', async () => {
  const message = `no account ${ACCOUNT.email} with ${ACCOUNT.apiKey} and ${ACCOUNT.appKey}`;
  for (const status of [200, 400, 401, 500]) {
    const { check } = await probe(json({ success: false, message }, status));
    for (const secret of [ACCOUNT.email, ACCOUNT.apiKey, ACCOUNT.appKey])
      expect(JSON.stringify(check)).not.toContain(secret);
  }
});

it('the probe of the gateway reads the gateway’s clock, if it has one', async () => {
  const headers = { date: 'Sat, 21 Nov 2026 12:10:00 GMT' };
  expect((await probe(new Response('', { headers }))).clock).toEqual({ theirs: NOW + 600_000, ours: NOW });
  expect((await probe(new Response('', { headers: { date: 'noon' } }))).clock).toBeNull();
  expect((await probe(new Error('Network connection lost.'))).clock).toBeNull();
});

const AT = '2026-01-05T08:00:00.000Z';
const NEXT = '2026-01-05T08:00:30.000Z';
const LAST = { at: AT, code: 'server-error', detail: 'the gateway answered 500: it failed' } as const;

const statusOf = (over: Partial<OutboxStatus> = {}): OutboxStatus =>
  quietStatus({ queued: 3, retrying: 1, drain_seconds: null, ...over });
const down = statusOf({ circuit: { state: 'open', failures: 7, probe_at: NEXT, last_error: LAST } });
const refused = statusOf({
  paused: {
    since: AT,
    by: 'gateway',
    code: 'unauthorized',
    reason: 'the gateway answered 401: it rejects the credentials',
  },
});

const probed = (status: Check['status'], detail: string, remedy?: string): Check => ({
  id: 'gateway:default',
  title: 'Gateway',
  status,
  code: 'gateway-accepts',
  detail,
  ...(remedy !== undefined && { remedy }),
});

const probedOk = probed('ok', 'answers 400 (“phone is missing”)');
const unreachable = probed('fail', 'cannot be reached: no such host', 'Compare the address');
const once = { state: 'closed', failures: 2, last_error: LAST } as const;
const over = statusOf({ queued: 0, retrying: 0, circuit: once });
const FAILED = `failed 7 times in a row, the last at ${AT}: the gateway answered 500: it failed; 4 messages waiting`;
const REFUSED = `refuses the account, which has been paused since ${AT}: the gateway answered 401: it rejects the credentials`;

it.each([
  ['no failure', statusOf(), null, null],
  [
    'a pause by a person',
    statusOf({ paused: { since: AT, by: 'ada', code: 'paused', reason: 'lunch' } }),
    null,
    null,
  ],
  // With its last words, their time, what waits, and when it is tried again.
  ['a failure', down, null, ['fail', FAILED, `tries one message at ${NEXT}`, 'npx hookbell resume default']],
  // Although a call just now was answered; it says both.
  ['a failure, answered now', down, probedOk, ['fail', FAILED, `. A test call just now: ${probedOk.detail}`]],
  ['a failure, also now', down, unreachable, ['fail', FAILED, '→ Compare the address$']],
  [
    'a login',
    refused,
    probed('unknown', ''),
    ['fail', REFUSED, 'put GATEWAY_API_KEY', 'hookbell resume default'],
  ],
  ['one failure, then answers', statusOf({ circuit: once }), probedOk, ['warn']],
  ['one failure, also now', statusOf({ circuit: once }), unreachable, ['fail']],
  ['what is over', over, probedOk, ['ok', `the last at ${AT}`, '→ $']],
  ['what is over, and fails now', over, unreachable, ['fail']],
  // Whether it works again is not known without a call.
  ['what is over, without a call', over, null, ['unknown']],
  [
    'a circuit that an earlier version opened, without last words',
    statusOf({ circuit: { state: 'open', failures: 5, probe_at: NEXT } }),
    null,
    ['fail', 'failed 5 times in a row; 4 messages waiting'],
  ],
] as const)('what messages met at their gateway is one check: %s', (_, status, call, said) => {
  const check = outageCheck(status, call);
  if (said === null) return expect(check).toBeNull();
  const [expected, ...parts] = said;
  expect(check).toMatchObject({ id: 'gateway:default', title: 'Gateway', status: expected });
  const text = `${check?.detail} → ${check?.remedy ?? ''}$`;
  for (const part of parts) expect(text).toContain(part);
});
