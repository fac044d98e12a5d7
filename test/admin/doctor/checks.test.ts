import '../../platform/facts.ts';
import remedies from '../../../assets/remedies.json';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { accountChecks, clockCheck, escapeChecks, urlCheck } from '../../../src/admin/doctor/accounts.ts';
import { copyCheck, secretChecks, sourceChecks } from '../../../src/admin/doctor/config.ts';
import { rejectionChecks } from '../../../src/admin/doctor/rejections.ts';
import { compileConfig } from '../../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../../src/config/documents/schema.ts';
import { V2 } from '../../../src/gateway/shape.ts';
import type { RejectionEntry } from '../../../src/answers/api-registry.ts';
import type { OutboxStatus } from '../../../src/answers/api-status.ts';
import { containing, open, routeWith, setOf } from '../../config/support.ts';
import { envWith, kvWith } from '../../platform/env.ts';
import { quietStatus } from '../../outbox/read/quiet-status.ts';

const NOW = Date.now();
const ago = (ms: number): string => new Date(NOW - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { config: withSecrets } = compileConfig(
  setOf({ sources: { shop: { provider: 'stripe', secrets: ['STRIPE_SECRET', 'STRIPE_SECRET_NEXT'] } } }),
  1,
);

it('secrets that are all set are one line, without a value', () => {
  const checks = secretChecks(withSecrets, envWith());
  expect(checks).toMatchObject([{ id: 'secrets', status: 'ok', detail: '4 secrets needed, all are set' }]);
  expect(JSON.stringify(checks)).not.toContain('whsec');
});

it('secrets that are missing are named one by one, with what needs them and how to set them', () => {
  const checks = secretChecks(withSecrets, envWith({ STRIPE_SECRET: undefined, GATEWAY_API_KEY: '' }));
  expect(checks.map(({ id, status, remedy }) => [id, status, remedy])).toEqual([
    ['secret:GATEWAY_API_KEY', 'fail', 'npx wrangler secret put GATEWAY_API_KEY'],
    ['secret:STRIPE_SECRET', 'fail', 'npx wrangler secret put STRIPE_SECRET'],
  ]);
  expect(checks[1]?.detail).toContain('source shop');
});

const [viewer, other] = ['viewer-token-0123456789', 'another-token-0123456789'];

const access = { ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com', ACCESS_AUD: 'x' };

it.each([
  [{ ADMIN_TOKEN: 'short-token' }, 'secret:ADMIN_TOKEN', 'warn', 'is shorter than 20 characters: with'],
  [{ ADMIN_TOKEN_NEXT: 'short-token' }, 'secret:ADMIN_TOKEN_NEXT', 'warn', 'so it is ignored'],
  [{ OPERATOR_TOKEN: 'short' }, 'secret:OPERATOR_TOKEN', 'warn', 'so it is ignored'],
  [{ ADMIN_TOKEN: viewer, VIEWER_TOKEN: viewer }, 'secret:VIEWER_TOKEN', 'warn', 'the same as ADMIN_TOKEN'],
  [{ VIEWER_SEES: 'everything' }, 'viewer-sees', 'warn', 'is ignored: it can only be payloads'],
  [{ ...access, ACCESS_ROLES: 'ann=boss' }, 'access', 'fail', 'lets nobody in: Entry 1 of ACCESS_ROLES'],
])('secrets include what is wrong with logins: %j', (changes, id, status, detail) => {
  const last = secretChecks(withSecrets, envWith(changes)).at(-1);
  expect(last).toMatchObject({ id, status, detail: containing(detail) });
});

it('secrets are silent about logins that are as they should be', () => {
  const good = { VIEWER_TOKEN: viewer, OPERATOR_TOKEN: other, VIEWER_SEES: 'payloads' };
  const all = { ...good, ...access, ACCESS_ROLES: '*=viewer' };
  expect(secretChecks(withSecrets, envWith(all))).toEqual(secretChecks(withSecrets, envWith()));
  // The demo's, which only its own machine can try.
  const demo = { ADMIN_TOKEN: 'demo-admin-token' };
  expect(secretChecks(withSecrets, envWith(demo), true)).toEqual(secretChecks(withSecrets, envWith()));
});

const copyOf = (version: number): string => JSON.stringify({ activation: 1, version, set: EMPTY_SET });
const kv = (text: string | null): Pick<Env, 'CONFIG'> => ({
  CONFIG: kvWith({ get: () => Promise.resolve(text) }),
});

it('the copy in KV is well when it has the version in force, behind when it has another, lost when it is empty', async () => {
  for (const [text, version, found] of [
    [null, 0, { status: 'ok' }],
    [copyOf(4), 4, { status: 'ok', detail: 'has version 4' }],
    [copyOf(5), 4, { status: 'warn' }],
    [null, 4, { status: 'fail', remedy: containing('npx hookbell rollback 4') }],
  ] as const)
    expect(await copyCheck(kv(text), version)).toMatchObject(found);
});

it('the copy in KV is read from the namespace that webhooks read', async () => {
  await env.CONFIG.put('config/current', copyOf(2));
  expect(await copyCheck(env, 2)).toMatchObject({ status: 'ok' });
});

it('the gateway’s address is https, but for a gateway on this machine, and ends where calls begin', () => {
  for (const [status, urls] of [
    [
      'ok',
      'https://a.example/api https://a.example/v2/api/ http://localhost:8788/api http://127.0.0.1:8788/api',
    ],
    ['warn', 'http://a.example/api http://localhost.example/api'],
    ['fail', 'https://a.example/ https://a.example/api?x=1 a.example/api ftp://a.example/api'],
    ['fail', ''],
  ] as const)
    for (const GATEWAY_BASE_URL of urls.split(' ')) {
      const check = urlCheck(envWith({ GATEWAY_BASE_URL }), 'default', V2);
      expect([GATEWAY_BASE_URL, check.status]).toEqual([GATEWAY_BASE_URL, status]);
    }
});

it('the gateway’s address is the account’s own where it has one', () => {
  const set = { GATEWAY_BASE_URL: 'https://a.example/api', GATEWAY_SALES_BASE_URL: 'https://b.example/api' };
  expect(urlCheck(envWith(set), 'sales', V2).detail).toBe('b.example, as GATEWAY_SALES_BASE_URL says');
  expect(urlCheck(envWith(set), 'other', V2).detail).toBe('a.example, as GATEWAY_BASE_URL says');
});

it('the clock may differ from the gateway’s by half a minute', () => {
  for (const [apart, status, words] of [
    [30_000, 'ok', 'agrees'],
    [-30_000, 'ok', 'agrees'],
    [31_000, 'warn', '31 seconds ahead'],
    [-600_000, 'warn', '10 minutes behind'],
  ] as const)
    expect(clockCheck({ theirs: NOW + apart, ours: NOW })).toMatchObject({
      status,
      detail: containing(words),
    });
});

const CAPPED = { receivers: 1, messages: 9, per_hour: 30, next_at: ago(-MINUTE), last_at: ago(-HOUR) };

const found = (change: Partial<OutboxStatus>) =>
  accountChecks([quietStatus(change)], {}, NOW).map(({ id, status }) => `${id} ${status}`);

const RATE = { rate: { per_minute: 30, burst: 5 }, drain_seconds: 18_000 };
const storage = (bytes: number, state: 'low' | 'full') => ({ storage: { bytes, max_bytes: 9_000, state } });
const pausedBy = (by: string, reason: string) => ({
  paused: { since: ago(HOUR), by, code: 'paused' as const, reason },
});

it.each([
  [{}, ['accounts ok']],
  [{ queued: 7, drain_seconds: 3_600 }, ['accounts ok']],
  [{ queued: 9_000, ...RATE }, ['account:default:queue warn']],
  // By the receivers' caps: a higher pace would not help.
  [{ queued: 40, ...RATE }, ['accounts ok']],
  [{ receivers_at_cap: CAPPED }, ['account:default:receivers warn']],
  // These are reported with the gateway.
  [pausedBy('gateway', 'refused'), []],
  [{ circuit: { state: 'open', failures: 5, probe_at: ago(0) } } as const, []],
  [pausedBy('token', 'holiday'), ['account:default:paused warn']],
  [{ dead: 2 }, ['account:default:dead warn']],
  [storage(8_100, 'low'), ['account:default:storage warn']],
  [storage(8_600, 'full'), ['account:default:storage fail']],
  [{ uncertain: 1 }, ['account:default:uncertain warn']],
  [{ dead: 1, uncertain: 1 }, ['account:default:dead warn', 'account:default:uncertain warn']],
])('accounts %j is found as %j', (change, expected) => expect(found(change)).toEqual(expected));

it('accounts whose oldest message waits long are found, unless something says why it waits', () => {
  const oldest = { default: { oldest_waiting_seconds: 7_300 } };
  const [check] = accountChecks([quietStatus({ retrying: 1, drain_seconds: 2 })], oldest, NOW);
  expect(check).toMatchObject({ status: 'warn', detail: '1 message waiting, the oldest for 2 hours' });
  const waiting = { retrying: 1, drain_seconds: null, ...pausedBy('token', 'holiday') };
  expect(accountChecks([quietStatus(waiting)], oldest, NOW)).toHaveLength(1);
});

it('accounts say how long they have been paused, by whom and what waits, or how many wait for receivers at their cap, until when, and what to raise', () => {
  const paused = { since: ago(3 * HOUR), by: 'ada', code: 'paused', reason: 'holiday' } as const;
  const [long] = accountChecks([quietStatus({ paused, queued: 12 })], {}, NOW);
  expect(long?.detail).toBe('has been paused for 3 hours by ada, 12 messages waiting: holiday');
  const [capped] = accountChecks([quietStatus({ receivers_at_cap: CAPPED })], {}, NOW);
  expect(capped?.detail).toBe(
    `9 messages waiting for 1 receiver at the limit of 30 an hour: sent from ${CAPPED.next_at} on, the last at ${CAPPED.last_at}`,
  );
  expect(capped?.remedy).toContain('per_recipient.per_hour in accounts/default.yaml');
});

const entry = (source: string, code: RejectionEntry['code'], ms: number) => ({
  at: ago(ms),
  source,
  status: 401,
  code,
  detail: 'the signature does not match',
});

const heard = (last: string | null, heartbeat?: { expected: string; overdue: boolean }) => ({
  account: 'default',
  events: null,
  duplicates: null,
  rejections: null,
  last_event_at: last,
  ...(heartbeat !== undefined && { heartbeat }),
});

const rejectionsWith = (entries: readonly RejectionEntry[], last: string | null = null) =>
  rejectionChecks(entries, { now: NOW, remedies, sources: { shop: { ...heard(last), events: {} } } });

const faulty = (field: string) => ({ ...entry('shop', 'form-faults', MINUTE), field });
const stray = (source: string) => ({ ...entry(source, 'unknown-source', MINUTE), near: 'stripe' });

it('refused requests are a warning of a form that lacked the same field each time of a day, and of an address until a source has it', () => {
  for (const [all, last, status] of [
    [[faulty('a'), faulty('a')], null, 'warn'],
    [[faulty('a')], ago(25 * HOUR), 'warn'],
    [[faulty('a')], ago(2 * HOUR), 'ok'],
    [[faulty('a'), faulty('b')], null, 'ok'],
    [[stray('strip')], null, 'warn'],
    [[stray('shop')], null, 'ok'],
  ] as const) {
    const [check] = rejectionsWith(all, last);
    expect([check?.status, check?.remedy !== undefined]).toEqual([status, status === 'warn']);
  }
});

it('refused requests of a day are grouped by source and code, most of them first, without a remedy if none can be read', () => {
  const entries = [
    entry('shop', 'mismatch', MINUTE),
    entry('form', 'stale', 2 * MINUTE),
    entry('form', 'stale', 3 * MINUTE),
    entry('shop', 'secret_missing', 4 * MINUTE),
  ];
  const checks = rejectionsWith(entries);
  expect(checks.map(({ id, status }) => [id, status])).toEqual([
    ['rejections:form:stale', 'warn'],
    ['rejections:shop:mismatch', 'warn'],
    ['rejections:shop:secret_missing', 'fail'],
  ]);
  expect(checks[0]?.detail).toBe(
    'source form: 2 ×, most recently 2 minutes ago: the signature does not match',
  );
  const before = rejectionsWith([entry('shop', 'mismatch', 25 * HOUR)]);
  expect(before).toMatchObject([{ status: 'ok' }]);
  const unread = rejectionChecks(entries, { now: NOW, remedies: {}, sources: {} });
  expect(unread[0]).not.toHaveProperty('remedy');
});

const { config } = compileConfig(
  setOf({
    sources: {
      shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'] },
      open: { verify: { scheme: 'none' } },
      form: { provider: 'html-form', origins: ['https://a.example', 'https://b.example'] },
      any: { provider: 'html-form', origins: 'any' },
      unnamed: { provider: 'html-form' },
    },
  }),
  1,
);
const account = { messages: {}, attempts: {}, queue: {}, oldest_waiting_seconds: 0, latency_seconds: null };
const foundOf = (shop: ReturnType<typeof heard>) =>
  sourceChecks(config, { sources: { shop, open: heard(ago(MINUTE)) }, accounts: { default: account } }, NOW)
    .filter(({ id }) => id.startsWith('source:shop'))
    .map(({ status, detail }) => [status, detail]);

it.each([
  [heard(null), [['warn', 'has never sent anything']]],
  [heard(ago(6 * 24 * HOUR)), []],
  [heard(ago(8 * 24 * HOUR)), [['warn', 'has sent nothing for 8 days']]],
  [heard(ago(8 * 24 * HOUR), { expected: '10d', overdue: false }), []],
  [
    heard(ago(3 * HOUR), { expected: '2h', overdue: true }),
    [['fail', 'has sent nothing for 3 hours; its heartbeat is 2h']],
  ],
])('sources heard of as %j are found as %j', (stats, expected) => expect(foundOf(stats)).toEqual(expected));

it('sources that verify nothing are named, with what protects a form, and those of an account that cannot be read are not called silent', () => {
  const sources = { shop: heard(null), open: heard(null) };
  const checks = sourceChecks(config, { sources, accounts: { default: null } }, NOW);
  expect(checks.map(({ id, status }) => [id, status])).toEqual([
    ['source:open:open', 'warn'],
    ['source:form:open', 'ok'],
    ['source:any:open', 'warn'],
    ['source:unnamed:open', 'warn'],
  ]);
  expect(checks[1]?.detail).toBe('is a form that only https://a.example, https://b.example may post');
});

const checksOf = (route: object, account: object = {}) =>
  escapeChecks(
    compileConfig(
      setOf({
        sources: {
          shop: open({ account: 'sales', routes: [routeWith({}), routeWith({ name: 'x', ...route })] }),
        },
        accounts: { sales: account },
      }),
      1,
    ).config,
  );
const notify = { url: 'https://ntfy.sh/topic', format: 'ntfy' };
const canary = { to: '4915112345678' };
const waha = { gateway: 'waha', base_url: 'https://waha.example' };

it('a device that is offline tonight, or a gateway that is down, is a finding where messages are urgent, or about incidents, and no escape channel is there, with who learns of it', () => {
  const escape = { via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } };
  const urgent = { priority: 'high' };
  const device = 'warn if its device is offline tonight, high-priority messages wait, and';
  const gateway = device.replace('device is offline', 'gateway is down');
  for (const [route, account, said] of [
    [urgent, {}, `${device} nobody learns of it`],
    [{ incident: { key: '{{ payload.id }}' } }, {}, `${device} nobody learns of it`],
    // Nobody hears that its link was not pressed.
    [urgent, { canary }, `${device} nobody learns of it`],
    [urgent, { notify }, `${device} \`notify\` learns of it only if the gateway fails`],
    [urgent, { notify, canary }, `${device} \`notify\` learns of it when nobody answers the canary`],
    [urgent, waha, `${gateway} nobody learns of it`],
    [urgent, { ...waha, notify }, null],
    [urgent, { escape }, null],
    [{}, { escape }, null],
    [{}, {}, 'ok sends nothing urgent: its messages may wait'],
  ] as const)
    expect(checksOf(route, account).map(({ status, detail }) => `${status} ${detail}`)).toEqual(
      said === null ? [] : [said],
    );
});
