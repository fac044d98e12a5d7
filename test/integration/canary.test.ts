import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { admin, callsTo, publish, UNPACED } from './relay.ts';

const HOUR = 3_600_000;
const CHANNEL = String(Reflect.get(env, 'NOTIFY_ESCAPE'));
const TO = '4915112430001';
const real = Date.now.bind(Date);
let passed = 0;

const outbox = () => env.OUTBOX.getByName('default');

async function pass(ms: number): Promise<void> {
  passed += ms;
  const at = await runInDurableObject(outbox(), (_, { storage }) => storage.getAlarm());
  if (at !== null && at <= Date.now()) await runDurableObjectAlarm(outbox());
}

const ACCOUNT = {
  ...UNPACED,
  notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' },
  escape: { via: { kind: 'webhook', secret: 'NOTIFY_ESCAPE' } },
  canary: { to: TO },
};

interface CanaryJson {
  readonly sent_at?: string;
  readonly answered_at?: string;
  readonly next_at: string;
}
const canary = async () =>
  (await admin<{ canary?: CanaryJson }>('GET', '/accounts/default/status')).body.canary;

/** The links that the phone got. */
const links = async (): Promise<readonly string[]> =>
  (await callsTo(TO)).map(({ params }) => params['message']?.split('/a/')[1] ?? '');

const open = (token: string, method = 'GET') =>
  exports.default.fetch(`https://relay.example.com/a/${token}`, { method, redirect: 'manual' });

/** To the next time that it is due, and a little more. */
async function toNext(): Promise<void> {
  const { next_at: next = '' } = (await canary()) ?? {};
  await pass(Date.parse(next) - Date.now() + 1_000);
  // The alarm that sends what it has queued.
  await pass(1);
}

beforeAll(async () => {
  watchOutside();
  vi.spyOn(Date, 'now').mockImplementation(() => real() + passed);
  await fetch(new URL('/_calls', CHANNEL), { method: 'DELETE' });
  await publish({ accounts: { default: ACCOUNT } });
  await pass(0);
});
afterAll(() => vi.restoreAllMocks());

describe('a canary', () => {
  it('is a link whose press proves the whole way; opening it proves nothing', async () => {
    await toNext();
    await eventually(async () => expect(await links()).toHaveLength(1));
    const [token = ''] = await links();
    const page = await open(token);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Press to show that messages arrive');
    expect(await canary()).not.toHaveProperty('answered_at');
    expect((await open(token, 'POST')).status).toBe(303);
    expect(await canary()).toHaveProperty('answered_at');
    expect(await (await open(token)).text()).toContain('Done');
    await pass(3 * HOUR);
    expect(reported).toEqual([]);
  });

  it('that nobody answers is reported once over both channels, whatever was published and restarted', async () => {
    await toNext();
    await eventually(async () => expect(await links()).toHaveLength(2));
    await evictDurableObject(outbox());
    await publish({ accounts: { default: { ...ACCOUNT, retention: '40d' } } });
    await pass(2 * HOUR);
    await eventually(() => expect(reported.map(({ notice }) => notice.kind)).toEqual(['canary.unanswered']));
    await pass(HOUR);
    const calls = await (await fetch(new URL('/_calls', CHANNEL))).json<{ text: string }[]>();
    expect(calls.map(({ text }) => text)).toEqual([reported[0]?.notice.text]);
    await open((await links()).at(-1) ?? '', 'POST');
    expect(await canary()).toHaveProperty('answered_at');
    expect(reported).toHaveLength(1);
  });

  it('has a page in its language, with times of its zone', async () => {
    const to = '4915112430002';
    const own = { to, language: 'de', timezone: 'Asia/Tokyo', at: '10:00' };
    await publish({ accounts: { default: { ...ACCOUNT, canary: own } } });
    await pass(1);
    await toNext();
    await eventually(async () => expect(await callsTo(to)).toHaveLength(1));
    const token = (await callsTo(to))[0]?.params['message']?.split('/a/')[1] ?? '';
    expect(await (await open(token)).text()).toContain('Bestätige, dass Nachrichten ankommen');
    await open(token, 'POST');
    const page = await (await open(token)).text();
    expect(page).toContain('lang="de"');
    expect(page).toMatch(/um 10:0\d|, 10:0\d/);
  });

  it('ends when it is removed, and is refused without a phone', async () => {
    await publish({ accounts: { default: UNPACED } });
    await pass(48 * HOUR);
    expect(await links()).toHaveLength(2);
    expect(await canary()).toBeUndefined();
    await expect(publish({ accounts: { default: { canary: { to: 'anna' } } } })).rejects.toThrow(
      'accounts.default.canary.to',
    );
  });
});
