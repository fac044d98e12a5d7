import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { MAX_SUPPRESSIONS } from '../../src/registry/suppressions.ts';
import type { Suppression } from '../../src/registry/api-suppression.ts';
import { open, setOf } from '../config/support.ts';

const NOW = Date.now();
const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());
const inKv = async () => parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');

async function publish(stub: DurableObjectStub<Registry>, source: string): Promise<number> {
  const set = setOf({ sources: { [source]: open() } });
  const receipt = await stub.publish({ kind: 'replace', set }, 'ada', NOW);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

const suppression = (phone: string): Omit<Suppression, 'at'> => ({ phone, by: 'ada', reason: 'asked' });

const add = (stub: DurableObjectStub<Registry>, phone: string, now = NOW) =>
  stub.suppress(suppression(phone), now);

describe('a suppression', () => {
  it('is in force at once, and in KV, with the version that is in force', async () => {
    const stub = newRegistry();
    const version = await publish(stub, 'a');
    await add(stub, '4915112345678');
    const added = await add(stub, '4915112345679');
    if (added === null) throw new Error('it was not added');
    expect(added.part).toEqual({ ...suppression('4915112345679'), at: new Date(NOW).toISOString() });
    const published = parsePublished(added.published ?? '');
    expect(published).toMatchObject({ version, activation: 3, suppressions: '4915112345678\n4915112345679' });
    expect(await inKv()).toEqual(published);
  });

  it('is no document: publishes and rollbacks leave it alone, and so does a restart', async () => {
    const stub = newRegistry();
    const first = await publish(stub, 'a');
    await add(stub, '4915112345678');
    await publish(stub, 'b');
    expect((await inKv()).suppressions).toBe('4915112345678');
    await evictDurableObject(stub);
    await stub.activate(first);
    expect(await inKv()).toMatchObject({ version: first, suppressions: '4915112345678' });
  });

  it('is warned of by each publish, check and rollback of a list that has the receiver', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    await add(stub, '4915112345678');
    const set = setOf({ recipients: { team: { numbers: ['4915112345677', '4915112345678'] } } });
    const warning = { path: 'recipients.team.numbers[1]' };
    const checked = await stub.check({ kind: 'replace', set });
    expect(checked).toMatchObject({ value: [warning] });
    const published = await stub.publish({ kind: 'replace', set }, 'ada', NOW);
    expect(published).toMatchObject({ value: { warnings: [warning] } });
    expect(await stub.activate(2)).toMatchObject({ value: { warnings: [warning] } });
    await stub.unsuppress('4915112345678');
    expect(await stub.check({ kind: 'replace', set })).toMatchObject({ value: [] });
  });

  it('stays as it is when it is added again', async () => {
    const stub = newRegistry();
    await add(stub, '4915112345678');
    const again = await stub.suppress({ ...suppression('4915112345678'), by: 'ben' }, NOW + 1);
    expect(again).toMatchObject({ part: { by: 'ada', at: new Date(NOW).toISOString() } });
  });

  it('is removed once', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    await add(stub, '4915112345678');
    expect(await stub.unsuppress('4915112345678')).toMatchObject({ part: { phone: '4915112345678' } });
    expect((await inKv()).suppressions).toBeUndefined();
    expect(await stub.unsuppress('4915112345678')).toBeNull();
  });

  it('is listed newest first, a page at a time', async () => {
    const stub = newRegistry();
    for (const phone of ['1', '2', '3']) await add(stub, `491511234567${phone}`);
    const first = await stub.suppressions(2, null);
    expect(first.items.map(({ phone }) => phone)).toEqual(['4915112345673', '4915112345672']);
    const last = await stub.suppressions(2, first.next);
    expect(last.items.map(({ phone }) => phone)).toEqual(['4915112345671']);
    expect(last.next).toBeNull();
  });

  it('is refused beyond the bound, and one text holds as many as there may be', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(
        `INSERT INTO suppressions (phone, at, by, reason)
           WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           SELECT 491500000000 + i, 0, 'ada', 'x' FROM n`,
        MAX_SUPPRESSIONS - 1,
      );
    });
    expect(await add(stub, '4915112345678')).toMatchObject({ part: { phone: '4915112345678' } });
    expect(await add(stub, '4915112345679')).toBeNull();
    expect((await inKv()).suppressions?.split('\n')).toHaveLength(MAX_SUPPRESSIONS);
  });
});
