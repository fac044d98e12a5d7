import '../platform/facts.ts';
import {
  createExecutionContext,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { app } from '../../src/app.ts';
import { CURRENT_KEY, parsePublished, useConfig, registry } from '../../src/config/load.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { withManyOutboxes } from '../../src/outbox/many-outboxes.ts';
import { open, setOf } from '../config/support.ts';
import { eventually } from '../eventually.ts';
import { postJson, publish, UNPACED } from '../integration/relay.ts';
import { counted, TOO_MANY_CALLS } from '../platform-calls.ts';
import { inOutbox, newOutbox } from './bare-outbox.ts';
import { acceptanceTo, addMessage, DAY, HOUR, MINUTE } from './support.ts';

type Named = { readonly name?: string | undefined };
const storageOf = <T>(stub: Named, body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> =>
  runInDurableObject(env.OUTBOX.getByName(stub.name ?? ''), (_, { storage }) => body(storage));
const alarmOf = (stub: Named): Promise<number | null> => storageOf(stub, (storage) => storage.getAlarm());
const deleteAlarm = (stub: Named): Promise<void> => storageOf(stub, (storage) => storage.deleteAlarm());

/** An event without messages, so that nothing waits. */
const quietEvent = () => acceptanceTo([], { state: 'unmatched' });

/** Runs `body` at another time of the clock. */
async function at(now: number, body: () => Promise<unknown>): Promise<void> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  await body();
  clock.mockRestore();
}

it('an alarm that the platform gave up is back when anything calls the object after an eviction', async () => {
  const stub = newOutbox();
  await stub.accept(quietEvent());
  expect(await alarmOf(stub)).toBeGreaterThan(Date.now());
  await deleteAlarm(stub);
  await evictDurableObject(stub);
  await stub.status();
  await eventually(async () => expect(await alarmOf(stub)).not.toBeNull());
});

it('an alarm that starts the object is set again once, and costs nothing extra', async () => {
  const stub = newOutbox();
  await stub.accept(quietEvent());
  await runDurableObjectAlarm(stub);
  const set = await runInDurableObject(stub, (_, { storage }) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the next instance's storage inherits
    vi.spyOn(Object.getPrototypeOf(storage) as DurableObjectStorage, 'setAlarm'),
  );
  await evictDurableObject(stub);
  await runDurableObjectAlarm(stub);
  await stub.status();
  // Other objects set theirs meanwhile.
  const own = await runInDurableObject(
    stub,
    (_, { storage }) => set.mock.contexts.filter((one) => one === storage).length,
  );
  set.mockRestore();
  expect(own).toBe(1);
});

it('an alarm that was lost comes back by the registry’s alarm, and that by an outbox’s first sweep of a day', async () => {
  await publish({ accounts: { default: UNPACED }, sources: { form: open({ routes: [] }) } });
  await postJson('form', {});
  const stub = env.OUTBOX.getByName('default');
  await runDurableObjectAlarm(stub);
  await deleteAlarm(stub);
  await evictDurableObject(stub);
  await at(Date.now() + HOUR, () => runDurableObjectAlarm(registry(env)));
  await eventually(async () => expect(await alarmOf(stub)).not.toBeNull());
  await runInDurableObject(registry(env), (_, { storage }) => storage.deleteAlarm());
  await at(Date.now() + DAY, () =>
    inOutbox(async (outbox) => {
      await outbox.accept(quietEvent());
      await outbox.alarm();
    }),
  );
  await runInDurableObject(registry(env), async (_, { storage }) =>
    expect(await storage.getAlarm()).not.toBeNull(),
  );
});

const account = { rate: false, per_recipient: false, retention: '1h' };
const sales = env.OUTBOX.getByName('sales');

/** Puts accounts in force, as of N minutes ago, and shows them to the outbox. */
async function publishAccounts(accounts: Record<string, object>, minutesAgo: number): Promise<void> {
  const sources = Object.fromEntries(Object.keys(accounts).map((name) => [name, open({ account: name })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await registry(env).publish({ change, by: 'ada', now: Date.now() - minutesAgo * MINUTE });
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  await sales.useConfig(receipt.value.published);
}

const removed = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '').removed;

const emptySales = () =>
  storageOf(sales, async ({ sql }) => {
    for (const table of ['events', 'messages', 'dedupe_claims', 'notices']) sql.exec(`DELETE FROM ${table}`);
  });

beforeEach(async () => {
  await publishAccounts({ default: account, sales: account }, 20);
  await emptySales();
});

it('the outbox of a removed account has it forgotten when it holds nothing, without waiting for a sweep', async () => {
  await deleteAlarm(sales);
  await evictDurableObject(sales);
  await publishAccounts({ default: account }, 10);
  expect(await removed()).toEqual({ sales: account });
  expect(await alarmOf(sales)).toBeGreaterThan(Date.now() + 2 * MINUTE);
  await runDurableObjectAlarm(sales);
  expect(await removed()).toBeUndefined();
});

it('the outbox of a removed account asks again when it was too early, and not while it is configured', async () => {
  await publishAccounts({ default: account }, 0);
  await runDurableObjectAlarm(sales);
  expect(await removed()).toEqual({ sales: account });
  expect(await alarmOf(sales)).toBeGreaterThan(Date.now() + 2 * MINUTE);
  await publishAccounts({ default: account, sales: account }, -5);
  await runInDurableObject(sales, (object) => object.alarm());
  expect(await removed()).toBeUndefined();
  await publishAccounts({ default: account }, -6);
  expect(await removed()).toEqual({ sales: account });
});

/** The calls that the free plan allows a request. */
const LIMIT = 50;
const ACCOUNTS = Array.from({ length: 60 }, (_, number) => `account-${number}`);

/** A relay of sixty accounts under the platform's limit; `calls` are those of the newest request. */
function limitedRelay() {
  let calls: string[] = [];
  const spend = (what: string): void => {
    calls.push(what);
    if (calls.length > LIMIT) throw new Error(TOO_MANY_CALLS);
  };
  const bindings: Env = {
    ...env,
    CONFIG: counted(env.CONFIG, spend),
    OUTBOX: counted(env.OUTBOX, spend, true),
    REGISTRY: counted(env.REGISTRY, spend, true),
  };
  const accounts = Object.fromEntries(ACCOUNTS.map((name) => [name, {}]));
  const set = { ...EMPTY_SET, accounts, sources: {} };
  useConfig(bindings.CONFIG, { activation: 1, version: 1, set }, Date.now());
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    calls = [];
    const headers = { authorization: 'Bearer admin-token-of-the-tests' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const request = new Request(`https://relay.example${path}`, init);
    const response = await app.fetch(request, bindings, createExecutionContext());
    const answer = await response.text();
    expect(answer).not.toContain('Too many');
    expect([200, 404], answer).toContain(response.status);
    return answer.startsWith('{') ? JSON.parse(answer) : answer;
  };
  return { ask, bindings, calls: () => calls };
}

it('a request over sixty accounts is answered with the calls of the free plan', async () => {
  // A slow machine must not let the configuration grow old between the requests.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
  const relay = limitedRelay();
  const API = '/admin/api/v1';
  for (const name of ['account-0', 'account-50', 'account-59'])
    await runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage: { sql } }) => {
      outbox.pause('test');
      addMessage(sql, { seq: 1, state: 'dead', source: name, created_at: Date.now() });
    });
  const page = await relay.ask('GET', `${API}/messages?state=dead`);
  expect(page).toMatchObject({ items: [{}, {}, {}], next_cursor: null });
  expect(relay.calls().length).toBeLessThan(20);
  for (const path of ['/events', '/events/evt_1', '/messages/msg_1', '/stats', '/doctor']) {
    await relay.ask('GET', `${API}${path}`);
    expect([path, relay.calls().length <= LIMIT]).toEqual([path, true]);
  }
  await relay.ask('POST', `${API}/doctor`);
  const scrape = String(await relay.ask('GET', '/metrics'));
  const dead = scrape.split('\n').filter((line) => line.includes('state="dead"') && line.endsWith(' 1'));
  for (const name of ['account-0', 'account-59']) expect(dead.join('\n')).toContain(`account="${name}"`);
  const retried = await relay.ask('POST', `${API}/messages/retry`, { state: 'dead' });
  expect(retried).toEqual({ retried: 3, more: false, next_cursor: null });
});

it('calls of many outboxes fail alone, and get much in portions that the platform carries', async () => {
  const { OUTBOX } = withManyOutboxes(env);
  const answers = await Promise.allSettled([
    ...ACCOUNTS.slice(1, 20).map((name) => OUTBOX.getByName(name).readMessage('msg_1')),
    OUTBOX.getByName('account-0').useConfig('no JSON'),
  ]);
  const failed = answers.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(failed).toEqual([expect.stringContaining('JSON')]);
  const { bindings, calls } = limitedRelay();
  const large = 'x'.repeat(1_500_000);
  const many = withManyOutboxes(bindings).OUTBOX;
  await Promise.allSettled(ACCOUNTS.slice(0, 10).map((name) => many.getByName(name).readMessage(large)));
  // Two fit into a portion.
  expect(calls()).toHaveLength(5);
});
