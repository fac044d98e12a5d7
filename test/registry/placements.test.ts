import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import type { Placements } from '../../src/config/placement.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { open, setOf } from '../config/support.ts';

const NOW = Date.now();
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Accounts with a source each, published so many ms ago. */
async function publish(stub: DurableObjectStub<Registry>, accounts: Record<string, object>, agoMs: number) {
  const sources = Object.fromEntries(Object.keys(accounts).map((account) => [account, open({ account })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await stub.publish(change, 'ada', NOW - agoMs);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

const published = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');
const placements = async (): Promise<Placements | undefined> => (await published()).placements;
const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());
const sales = (shards: number) => ({ default: {}, sales: { rate: false, shards } });

const withWindow = (window: string, shards: number, source: object = {}) =>
  setOf({
    accounts: sales(shards),
    sources: { a: open({ account: 'sales', dedupe: { window }, ...source }) },
  });

describe('what is recorded of an account’s objects', () => {
  it('is nothing as long as there is one object, and where more begin, that these go by buckets', async () => {
    const stub = newRegistry();
    await publish(stub, sales(1), DAY);
    expect(await placements()).toBeUndefined();
    const other = newRegistry();
    await publish(other, sales(4), DAY);
    expect(await placements()).toEqual({ sales: { spread: 4, former: [], left: [], shares: [] } });
  });

  it('is each spread that it had, for as long as its claims may be in force', async () => {
    const stub = newRegistry();
    await publish(stub, sales(1), 10 * DAY);
    await publish(stub, sales(2), 9 * DAY);
    const until = (agoMs: number) => NOW - agoMs + 3 * DAY + 5 * MINUTE;
    expect(await placements()).toMatchObject({ sales: { former: [{ spread: 1, until: until(9 * DAY) }] } });
    await publish(stub, sales(4), 8 * DAY);
    expect(await placements()).toMatchObject({
      sales: {
        spread: 4,
        former: [
          { spread: 1, until: until(9 * DAY) },
          { spread: 2, until: until(8 * DAY) },
        ],
      },
    });
    await publish(stub, sales(4), 4 * DAY);
    expect(await placements()).toEqual({ sales: { spread: 4, former: [], left: [], shares: [] } });
  });

  it('is the longest window that any of its sources had before or has after', async () => {
    const stub = newRegistry();
    await publish(stub, sales(1), DAY);
    await stub.publish({ kind: 'replace', set: withWindow('20d', 1) }, 'ada', NOW - DAY);
    await stub.publish({ kind: 'replace', set: withWindow('1h', 2) }, 'ada', NOW);
    expect(await placements()).toMatchObject({
      sales: { former: [{ spread: 1, until: NOW + 20 * DAY + 5 * MINUTE }] },
    });
  });

  it('is the time of signed bodies, where that is longer than that of ids', async () => {
    const stub = newRegistry();
    const source = {
      verify: { scheme: 'hmac', header: 'X-Signature' },
      secrets: ['HOOK_SECRET'],
      dedupe: { window: '1h', body: '12d' },
    };
    await stub.publish({ kind: 'replace', set: withWindow('1h', 1, source) }, 'ada', NOW - DAY);
    await stub.publish({ kind: 'replace', set: withWindow('1h', 2) }, 'ada', NOW);
    expect(await placements()).toMatchObject({
      sales: { former: [{ spread: 1, until: NOW + 12 * DAY + 5 * MINUTE }] },
    });
  });

  it('knows that an older deploy spread by the remainder', async () => {
    const stub = newRegistry();
    await publish(stub, sales(4), DAY);
    await runInDurableObject(
      stub,
      (_registry, { storage }) => void storage.sql.exec('DELETE FROM placements'),
    );
    await publish(stub, sales(4), DAY);
    expect(await placements()).toBeUndefined();
    await publish(stub, sales(8), 0);
    expect(await placements()).toMatchObject({ sales: { spread: 8, former: [{ spread: -4 }] } });
  });

  it('goes back with a rollback, and asks where it was meanwhile', async () => {
    const stub = newRegistry();
    const version = await publish(stub, sales(2), DAY);
    await publish(stub, sales(5), DAY);
    await stub.activate(version);
    expect(await placements()).toMatchObject({
      sales: {
        spread: 2,
        former: [{ spread: 2 }, { spread: 5 }],
        left: [2, 3, 4].map((shard) => ({ shard, waits: true })),
      },
    });
    expect(await published()).toMatchObject({ version, activation: 3 });
  });
});

describe('an object that takes no new messages', () => {
  it('goes when it says that it holds nothing, and nobody may hand it anything any more', async () => {
    const stub = newRegistry();
    await publish(stub, sales(2), 20 * DAY);
    await publish(stub, sales(1), 10 * DAY);
    await stub.reportHeld('sales#1', 'rows');
    expect(await placements()).toMatchObject({ sales: { left: [{ shard: 1, waits: false }] } });
    const { activation, version } = await published();
    expect([activation, version]).toEqual([3, 2]);
    // What changed just now may not be known everywhere yet.
    await stub.reportHeld('sales#1', 'nothing');
    expect(await placements()).toMatchObject({ sales: { left: [{ shard: 1, waits: false }] } });
  });

  it('gets its share of the pace however long the last change is over', async () => {
    const stub = newRegistry();
    await publish(stub, sales(1), 20 * DAY);
    expect(await placements()).toBeUndefined();
    await stub.reportHeld('sales#1', 'waiting');
    expect(await placements()).toMatchObject({ sales: { spread: 1, left: [{ shard: 1, waits: true }] } });
  });

  it('stays while claims may be looked for in it', async () => {
    const stub = newRegistry();
    await publish(stub, sales(2), DAY);
    await publish(stub, sales(1), DAY);
    await stub.reportHeld('sales#1', 'nothing');
    expect(await placements()).toMatchObject({ sales: { left: [{ shard: 1, waits: false }] } });
  });

  it('is not believed to be empty by who takes messages, nor by who just stopped to', async () => {
    const stub = newRegistry();
    await publish(stub, sales(2), DAY);
    await publish(stub, sales(1), MINUTE);
    const before = await published();
    await stub.reportHeld('sales', 'nothing');
    await stub.reportHeld('sales#1', 'rows');
    await stub.reportHeld('nobody#1', 'rows');
    expect(await published()).toEqual(before);
  });
});

describe('an account that is removed', () => {
  it('stays with its last document until nothing is left of it, and then is gone by itself', async () => {
    const stub = newRegistry();
    await publish(stub, sales(2), 20 * DAY);
    await publish(stub, { default: {} }, 10 * DAY);
    expect(await placements()).toMatchObject({
      sales: { spread: 0, left: [{ shard: 0 }, { shard: 1 }], document: { rate: false, shards: 2 } },
    });
    await publish(stub, { default: {} }, 10 * DAY);
    expect(await placements()).toMatchObject({ sales: { document: { rate: false, shards: 2 } } });
    await stub.reportHeld('sales', 'nothing');
    await runInDurableObject(
      stub,
      (_registry, { storage }) =>
        void storage.sql.exec(
          `UPDATE placements SET placement = json_set(placement, '$.shares', json('[]'))`,
        ),
    );
    await stub.reportHeld('sales#1', 'nothing');
    expect(await placements()).toBeUndefined();
  });

  it('takes over again when it comes back, and knows where its claims are', async () => {
    const stub = newRegistry();
    await publish(stub, sales(2), DAY);
    await publish(stub, { default: {} }, DAY);
    await publish(stub, sales(1), DAY / 2);
    const kept = (await placements())?.['sales'];
    expect(kept).toMatchObject({
      spread: 1,
      former: [{ spread: 2 }],
      left: [{ shard: 1, waits: true }],
    });
    expect(kept).not.toHaveProperty('document');
  });
});
