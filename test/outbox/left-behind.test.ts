import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import { registry } from '../../src/config/registry-client.ts';
import { open, setOf } from '../config/support.ts';
import { eventually, gatewayAnswers, status, watchOutside } from '../integration/outside.ts';
import { acceptanceTo } from './bare-outbox.ts';

const DAY = 86_400_000;
const PHONE = '4915112345678';
const unpaced = { rate: false, per_recipient: false, retention: '1h' };
const other = env.OUTBOX.getByName('sales#1');

/** Puts accounts in force, as of so many days ago, and shows them to the object that is looked at. */
async function publish(accounts: Record<string, object>, daysAgo: number): Promise<void> {
  const sources = Object.fromEntries(Object.keys(accounts).map((account) => [account, open({ account })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await registry(env).publish(change, 'ada', Date.now() - daysAgo * DAY);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  await other.useConfig(receipt.value.published);
}

const left = async () => {
  const text = (await env.CONFIG.get(CURRENT_KEY)) ?? '';
  const { placements } = parsePublished(text);
  await other.useConfig(text);
  return placements?.['sales']?.left ?? [];
};

const two = { default: unpaced, sales: { ...unpaced, shards: 2 } };
const one = { default: unpaced, sales: { ...unpaced, shards: 1 } };

beforeEach(async () => {
  watchOutside();
  await runInDurableObject(
    registry(env),
    (_registry, { storage }) => void storage.sql.exec('DELETE FROM placements'),
  );
});

describe('an object that takes no new messages', () => {
  it('says so once nothing waits in it, and again when a person tries a message anew', async () => {
    gatewayAnswers(PHONE, status(400));
    await publish(two, 20);
    await other.pause('test', 'nothing is sent yet');
    const { messages } = await other.accept(acceptanceTo([PHONE]));
    await publish(one, 10);
    await runDurableObjectAlarm(other);
    expect(await left()).toEqual([{ shard: 1, waits: true }]);
    await other.resume();
    await eventually(async () => expect(await left()).toEqual([{ shard: 1, waits: false }]));
    // A refused message is a dead letter, which somebody may try again.
    expect((await other.readMessage(messages[0] ?? ''))?.state).toBe('dead');
    await other.pause('test', 'nothing is sent yet');
    await other.retry(messages[0] ?? '', 'test');
    await runDurableObjectAlarm(other);
    expect(await left()).toEqual([{ shard: 1, waits: true }]);
  });

  it('that never had any gives its share up by itself, without waiting for a sweep', async () => {
    const idle = env.OUTBOX.getByName('sales#2');
    const three = { default: unpaced, sales: { ...unpaced, shards: 3 } };
    await publish(three, 20);
    await publish(one, 10);
    await idle.useConfig((await env.CONFIG.get(CURRENT_KEY)) ?? '');
    const alarm = await runInDurableObject(idle, (_outbox, { storage }) => storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now() + 2 * 60_000);
    await runDurableObjectAlarm(idle);
    expect(await left()).toContainEqual({ shard: 1, waits: true });
    expect((await left()).map(({ shard }) => shard)).not.toContain(2);
  });

  it('of a removed account is swept by its last settings, and gone when nothing is left', async () => {
    await publish(two, 20);
    await publish({ default: unpaced }, 10);
    const { placements } = parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');
    expect(placements?.['sales']).toMatchObject({ spread: 0, document: { retention: '1h' } });
    const first = env.OUTBOX.getByName('sales');
    await first.useConfig((await env.CONFIG.get(CURRENT_KEY)) ?? '');
    await runDurableObjectAlarm(first);
    const after = parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '').placements;
    expect(after?.['sales']?.left.map(({ shard }) => shard)).toEqual([1]);
  });
});
