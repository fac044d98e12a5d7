import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { MAX_BY_HAND } from '../../src/registry/overlay.ts';
import { open, setOf } from '../config/support.ts';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import type { Suppression } from '../../src/answers/api-registry.ts';

import '../platform/facts.ts';

const NOW = Date.now();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const lasting = (ms: number) => ({
  when: 'event.source == "a"',
  until: new Date(NOW + ms).toISOString(),
  reason: 'x',
});

const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());
const inKv = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');

async function publish(stub: DurableObjectStub<Registry>, source: string): Promise<number> {
  const set = setOf({ sources: { [source]: open() } });
  const receipt = await stub.publish({ change: { kind: 'replace', set }, by: 'ada', now: NOW });
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

/** A registry with the source `a`, which is version 1. */
async function published() {
  const stub = newRegistry();
  await publish(stub, 'a');
  return stub;
}

async function add(stub: DurableObjectStub<Registry>, ms: number, now = NOW) {
  const added = await stub.addSilence(lasting(ms), 'ada', now);
  if (added === null) throw new Error('too many');
  return { id: added.part.id, now: parsePublished(added.published ?? '') };
}

it('a silence by hand is no document: publishes, deletes and rollbacks leave it alone', async () => {
  const stub = await published();
  const { id } = await add(stub, HOUR);
  await publish(stub, 'b');
  expect((await inKv()).silences).toHaveProperty(id);
  await stub.endSilence(id, NOW);
  await stub.activate({ version: 1 });
  expect(await inKv()).toMatchObject({ version: 1 });
  expect((await inKv()).silences).toBeUndefined();
});

it('a silence by hand may come before the first publish, which it is then in force with', async () => {
  const stub = newRegistry();
  const { id, now } = await add(stub, HOUR);
  expect(now).toMatchObject({ version: 0, set: setOf({}) });
  await publish(stub, 'a');
  expect((await inKv()).silences).toHaveProperty(id);
});

it('a silence by hand that is asked for again by its id is the same one, and lasts as long as the last request says', async () => {
  const stub = await published();
  const ask = async (ms: number, by: string) =>
    (await stub.addSilence(lasting(ms), by, NOW, 'sil_question'))?.part;
  const first = await ask(2 * HOUR, 'anna');
  expect(first).toMatchObject({ id: 'sil_question', by: 'anna', document: lasting(2 * HOUR) });
  expect(await ask(3 * HOUR, 'ben')).toEqual({ ...first, document: lasting(3 * HOUR) });
  expect(await ask(HOUR, 'ben')).toEqual({ ...first, document: lasting(3 * HOUR) });
  await runDurableObjectAlarm(stub);
  expect((await inKv()).silences).toEqual({ sil_question: lasting(3 * HOUR) });
});

it('a silence by hand is listed for a week after its end, and is then forgotten', async () => {
  const stub = await published();
  const { id } = await add(stub, HOUR);
  const other = await add(stub, 30 * DAY, NOW + 1);
  const ids = async (now: number) => (await stub.silences(now)).map((one) => one.id);
  expect(await ids(NOW)).toEqual([other.id, id]);
  expect(await stub.endSilence(id, NOW + 2 * HOUR)).toBe('over');
  expect(await ids(NOW + HOUR + 7 * DAY - 1)).toEqual([other.id, id]);
  expect(await ids(NOW + HOUR + 7 * DAY)).toEqual([other.id]);
  expect(await stub.endSilence(id, NOW + 8 * DAY)).toBeNull();
});

it('a silence by hand is refused when there are too many, and not for those that are over', async () => {
  const stub = newRegistry();
  for (let n = 0; n < MAX_BY_HAND; n += 1) await add(stub, n === 0 ? HOUR : DAY);
  expect(await stub.addSilence(lasting(DAY), 'ada', NOW)).toBeNull();
  expect(await stub.addSilence(lasting(DAY), 'ada', NOW + HOUR)).not.toBeNull();
});

const suppression = (phone: string): Omit<Suppression, 'at'> => ({ phone, by: 'ada', reason: 'asked' });

const suppress = (stub: DurableObjectStub<Registry>, phone: string, now = NOW) =>
  stub.suppress(suppression(phone), now);

it('a suppression is in force at once, and in KV, with the version that is in force', async () => {
  const stub = await published();
  await suppress(stub, '4915112345678');
  const added = await suppress(stub, '4915112345679');
  if (added === null) throw new Error('it was not added');
  expect(added.part).toEqual({ ...suppression('4915112345679'), at: new Date(NOW).toISOString() });
  const now = parsePublished(added.published ?? '');
  expect(now).toMatchObject({ version: 1, suppressions: '4915112345678\n4915112345679' });
  // The first is written at once, and those of the next seconds together.
  expect(await inKv()).toMatchObject({ suppressions: '4915112345678' });
  await runDurableObjectAlarm(stub);
  expect(await inKv()).toEqual(now);
});

it('a suppression is no document: publishes and rollbacks leave it alone, and so does a restart', async () => {
  const stub = await published();
  await suppress(stub, '4915112345678');
  await publish(stub, 'b');
  expect((await inKv()).suppressions).toBe('4915112345678');
  await evictDurableObject(stub);
  await stub.activate({ version: 1 });
  expect(await inKv()).toMatchObject({ version: 1, suppressions: '4915112345678' });
});

it('a suppression is warned of by each publish, check and rollback of a list that has the receiver', async () => {
  const stub = await published();
  await suppress(stub, '4915112345678');
  const set = setOf({ recipients: { team: { numbers: ['4915112345677', '4915112345678'] } } });
  const warning = { path: 'recipients.team.numbers[1]' };
  const asked = { change: { kind: 'replace', set }, by: 'ada', now: NOW } as const;
  expect(await stub.check(asked)).toMatchObject({ value: [warning] });
  expect(await stub.publish(asked)).toMatchObject({ value: { warnings: [warning] } });
  expect(await stub.activate({ version: 2 })).toMatchObject({ value: { warnings: [warning] } });
  await stub.unsuppress('4915112345678');
  expect(await stub.check(asked)).toMatchObject({ value: [] });
});

it('a suppression stays as it is when it is added again, and is removed once', async () => {
  const stub = await published();
  await suppress(stub, '4915112345678');
  const again = await stub.suppress({ ...suppression('4915112345678'), by: 'ben' }, NOW + 1);
  expect(again).toMatchObject({ part: { by: 'ada', at: new Date(NOW).toISOString() } });
  expect(await stub.unsuppress('4915112345678')).toMatchObject({ part: { phone: '4915112345678' } });
  await runDurableObjectAlarm(stub);
  expect((await inKv()).suppressions).toBeUndefined();
  expect(await stub.unsuppress('4915112345678')).toBeNull();
});

it('a suppression is listed newest first, a page at a time', async () => {
  const stub = newRegistry();
  for (const phone of ['1', '2', '3']) await suppress(stub, `491511234567${phone}`);
  const first = await stub.suppressions(2, null);
  expect(first.items.map(({ phone }) => phone)).toEqual(['4915112345673', '4915112345672']);
  const last = await stub.suppressions(2, first.next);
  expect(last.items.map(({ phone }) => phone)).toEqual(['4915112345671']);
  expect(last.next).toBeNull();
});

it('a suppression is refused beyond the bound, and one text holds as many as there may be', async () => {
  const stub = await published();
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO suppressions (phone, at, by, reason)
           WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           SELECT 491500000000 + i, 0, 'ada', 'x' FROM n`,
      MAX_SUPPRESSIONS - 1,
    );
  });
  expect(await suppress(stub, '4915112345678')).toMatchObject({ part: { phone: '4915112345678' } });
  expect(await suppress(stub, '4915112345679')).toBeNull();
  // A text of this size may be written after its answer.
  await expect
    .poll(async () => (await inKv()).suppressions?.split('\n').length, { timeout: 10_000 })
    .toBe(MAX_SUPPRESSIONS);
});

const MINUTE = 60_000;
const SALES = { default: {}, sales: { rate: false, retention: '2d' } };

/** Accounts with a source each, published N ms ago. */
async function publishAccounts(
  stub: DurableObjectStub<Registry>,
  accounts: Record<string, object>,
  agoMs: number,
) {
  const sources = Object.fromEntries(Object.keys(accounts).map((account) => [account, open({ account })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await stub.publish({ change, by: 'ada', now: NOW - agoMs });
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

const removed = async () => (await inKv()).removed;

it('an account that is removed stays with its last document until its outbox holds nothing', async () => {
  const stub = newRegistry();
  await publishAccounts(stub, SALES, 20 * MINUTE);
  expect(await removed()).toBeUndefined();
  await publishAccounts(stub, { default: {} }, 10 * MINUTE);
  expect(await removed()).toEqual({ sales: SALES.sales });
  await publishAccounts(stub, { default: {} }, 10 * MINUTE);
  expect(await removed()).toEqual({ sales: SALES.sales });
  const { version } = await inKv();
  expect(await stub.forgetAccount('sales')).toBe(true);
  expect(await inKv()).toMatchObject({ version });
  expect(await removed()).toBeUndefined();
});

it('an account that is removed is kept while somebody may not know of it yet and bring an event', async () => {
  const stub = newRegistry();
  await publishAccounts(stub, SALES, 3 * MINUTE);
  await publishAccounts(stub, { default: {} }, MINUTE);
  const before = await inKv();
  expect(await stub.forgetAccount('sales')).toBe(false);
  expect(await inKv()).toEqual(before);
});

it('an account that is removed is an account as any other when it comes back, by a publish or a rollback', async () => {
  const stub = newRegistry();
  const version = await publishAccounts(stub, SALES, 20 * MINUTE);
  for (const back of [() => publishAccounts(stub, SALES, 5 * MINUTE), () => stub.activate({ version })]) {
    await publishAccounts(stub, { default: {} }, 10 * MINUTE);
    expect(await removed()).toEqual({ sales: SALES.sales });
    await back();
    expect(await removed()).toBeUndefined();
  }
});

it('an account that is removed is never one that is configured, or that nobody knows', async () => {
  const stub = newRegistry();
  await publishAccounts(stub, SALES, 20 * MINUTE);
  const before = await inKv();
  for (const name of ['sales', 'nobody']) expect(await stub.forgetAccount(name)).toBe(true);
  expect(await inKv()).toEqual(before);
});
