import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { open, setOf, containing } from '../config/support.ts';
import { compileConfig } from '../../src/config/compile.ts';
import { removalWarnings } from '../../src/registry/removed-accounts.ts';
import type { ConfigSet } from '../../src/config/schema.ts';

const NOW = Date.now();
const MINUTE = 60_000;
const SALES = { default: {}, sales: { rate: false, retention: '2d' } };

/** Accounts with a source each, published N ms ago. */
async function publish(stub: DurableObjectStub<Registry>, accounts: Record<string, object>, agoMs: number) {
  const sources = Object.fromEntries(Object.keys(accounts).map((account) => [account, open({ account })]));
  const change = { kind: 'replace', set: setOf({ sources, accounts }) } as const;
  const receipt = await stub.publish(change, 'ada', NOW - agoMs);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

const published = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');
const removed = async () => (await published()).removed;
const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());

describe('an account that is removed', () => {
  it('stays with its last document until its outbox holds nothing', async () => {
    const stub = newRegistry();
    await publish(stub, SALES, 20 * MINUTE);
    expect(await removed()).toBeUndefined();
    await publish(stub, { default: {} }, 10 * MINUTE);
    expect(await removed()).toEqual({ sales: SALES.sales });
    await publish(stub, { default: {} }, 10 * MINUTE);
    expect(await removed()).toEqual({ sales: SALES.sales });
    const { activation, version } = await published();
    expect(await stub.forgetAccount('sales')).toBe(true);
    expect(await published()).toMatchObject({ activation: activation + 1, version });
    expect(await removed()).toBeUndefined();
  });

  it('is kept while somebody may not know of it yet and bring an event', async () => {
    const stub = newRegistry();
    await publish(stub, SALES, 3 * MINUTE);
    await publish(stub, { default: {} }, MINUTE);
    const before = await published();
    expect(await stub.forgetAccount('sales')).toBe(false);
    expect(await published()).toEqual(before);
  });

  it('is an account as any other when it comes back, by a publish or a rollback', async () => {
    const stub = newRegistry();
    const version = await publish(stub, SALES, 20 * MINUTE);
    for (const back of [() => publish(stub, SALES, 5 * MINUTE), () => stub.activate(version)]) {
      await publish(stub, { default: {} }, 10 * MINUTE);
      expect(await removed()).toEqual({ sales: SALES.sales });
      await back();
      expect(await removed()).toBeUndefined();
    }
  });

  it('is never one that is configured, or that nobody knows', async () => {
    const stub = newRegistry();
    await publish(stub, SALES, 20 * MINUTE);
    const before = await published();
    for (const name of ['sales', 'nobody']) expect(await stub.forgetAccount(name)).toBe(true);
    expect(await published()).toEqual(before);
  });
});

const configOf = (accounts: ConfigSet['accounts']) => compileConfig(setOf({ accounts }), 1).config;
const changed = (before: ConfigSet['accounts'], after: ConfigSet['accounts']) => ({
  before: configOf(before),
  after: configOf(after),
  documents: before,
});

describe('an account that is removed', () => {
  const removed = changed({ sales: {}, other: {} }, { other: {} });
  const holding = { status: () => Promise.resolve({ queued: 3, retrying: 1, sending: 1 }) };

  it('is warned of with all that waits in it', async () => {
    expect(await removalWarnings(removed, () => holding)).toEqual([
      { path: 'accounts.sales', message: containing('5 waiting messages') },
    ]);
  });

  it('is warned of even when nobody can count', async () => {
    const broken = { status: () => Promise.reject(new Error('overloaded')) };
    expect(await removalWarnings(removed, () => broken)).toEqual([
      { path: 'accounts.sales', message: containing('an unknown number of waiting messages') },
    ]);
  });

  it('is never `default`, which has settings without a document', async () => {
    expect(await removalWarnings(changed({ default: {} }, {}), () => holding)).toEqual([]);
  });
});
