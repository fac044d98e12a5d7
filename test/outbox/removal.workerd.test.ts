import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import { registry } from '../../src/config/registry-client.ts';
import { open, setOf } from '../config/support.ts';
import { watchOutside } from '../integration/outside.ts';
import { acceptanceTo } from './bare-outbox.ts';

const MINUTE = 60_000;
const account = { rate: false, per_recipient: false, retention: '1h' };
const outbox = env.OUTBOX.getByName('sales');

/** Puts accounts in force, as of N minutes ago, and shows them to the outbox. */
async function publish(accounts: Record<string, object>, minutesAgo: number): Promise<void> {
  const sources = Object.fromEntries(Object.keys(accounts).map((name) => [name, open({ account: name })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await registry(env).publish(change, 'ada', Date.now() - minutesAgo * MINUTE);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  await outbox.useConfig(receipt.value.published);
}

const removed = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '').removed;

const alarmAt = () => runInDurableObject(outbox, (_outbox, { storage }) => storage.getAlarm());

const empty = () =>
  runInDurableObject(outbox, (_outbox, { storage: { sql } }) => {
    for (const table of ['events', 'messages', 'dedupe_claims', 'notices']) sql.exec(`DELETE FROM ${table}`);
  });

beforeEach(async () => {
  watchOutside();
  await publish({ default: account, sales: account }, 20);
  await empty();
});

describe('the outbox of an account that is removed', () => {
  it('has the registry forget the account when it holds nothing, without waiting for a sweep', async () => {
    await runInDurableObject(outbox, (_outbox, { storage }) => storage.deleteAlarm());
    await publish({ default: account }, 10);
    expect(await removed()).toEqual({ sales: account });
    expect(await alarmAt()).toBeGreaterThan(Date.now() + 2 * MINUTE);
    await runDurableObjectAlarm(outbox);
    expect(await removed()).toBeUndefined();
  });

  it('says nothing while anything is stored', async () => {
    await outbox.pause('test', 'nothing is sent yet');
    await outbox.accept(acceptanceTo(['4915112345678']));
    await publish({ default: account }, 10);
    await runDurableObjectAlarm(outbox);
    expect(await removed()).toEqual({ sales: account });
    await empty();
    await outbox.look();
    await runDurableObjectAlarm(outbox);
    expect(await removed()).toBeUndefined();
  });

  it('asks again when it was too early', async () => {
    await publish({ default: account }, 0);
    await runDurableObjectAlarm(outbox);
    expect(await removed()).toEqual({ sales: account });
    expect(await alarmAt()).toBeGreaterThan(Date.now() + 2 * MINUTE);
  });

  it('says nothing while the account is configured', async () => {
    await runInDurableObject(outbox, (object) => object.alarm());
    await publish({ default: account }, 10);
    await publish({ default: account, sales: account }, 5);
    await runInDurableObject(outbox, (object) => object.alarm());
    expect(await removed()).toBeUndefined();
    await publish({ default: account }, 4);
    expect(await removed()).toEqual({ sales: account });
  });
});
