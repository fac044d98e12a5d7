import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { MAX_BY_HAND } from '../../src/registry/silences.ts';
import { open, setOf } from '../config/support.ts';

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
  const receipt = await stub.publish({ kind: 'replace', set }, 'ada', NOW);
  if (!receipt.ok) throw new Error(JSON.stringify(receipt.error));
  return receipt.value.version;
}

async function add(stub: DurableObjectStub<Registry>, ms: number, now = NOW) {
  const added = await stub.addSilence(lasting(ms), 'ada', now);
  if (added === null) throw new Error('too many');
  return { id: added.part.id, published: parsePublished(added.published ?? '') };
}

describe('a silence by hand', () => {
  it('is in force at once, and in KV, with the version that is in force', async () => {
    const stub = newRegistry();
    const version = await publish(stub, 'a');
    const { id, published } = await add(stub, HOUR);
    expect(id).toMatch(/^sil_[0-9a-z]{12}$/);
    expect(published).toMatchObject({ version, activation: 2, silences: { [id]: lasting(HOUR) } });
    expect(await inKv()).toEqual(published);
  });

  it('is no document: publishes, deletes and rollbacks leave it alone', async () => {
    const stub = newRegistry();
    const first = await publish(stub, 'a');
    const { id } = await add(stub, HOUR);
    await publish(stub, 'b');
    expect((await inKv()).silences).toHaveProperty(id);
    await stub.endSilence(id, NOW);
    await stub.activate(first);
    expect(await inKv()).toMatchObject({ version: first });
    expect((await inKv()).silences).toBeUndefined();
  });

  it('may come before the first publish, which it is then in force with', async () => {
    const stub = newRegistry();
    const { id, published } = await add(stub, HOUR);
    expect(published).toMatchObject({ version: 0, set: setOf({}) });
    await publish(stub, 'a');
    expect((await inKv()).silences).toHaveProperty(id);
  });

  it('that is asked for again by its id is the same one, and lasts as long as the last request says', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    const ask = async (ms: number, by: string) =>
      (await stub.addSilence(lasting(ms), by, NOW, 'sil_question'))?.part;
    const first = await ask(2 * HOUR, 'anna');
    expect(first).toMatchObject({ id: 'sil_question', by: 'anna', document: lasting(2 * HOUR) });
    expect(await ask(3 * HOUR, 'ben')).toEqual({ ...first, document: lasting(3 * HOUR) });
    expect(await ask(HOUR, 'ben')).toEqual({ ...first, document: lasting(3 * HOUR) });
    expect((await inKv()).silences).toEqual({ sil_question: lasting(3 * HOUR) });
  });

  it('is ended once, and never again', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    const { id } = await add(stub, HOUR);
    const ended = await stub.endSilence(id, NOW + 5);
    expect(ended).toMatchObject({ part: { id, by: 'ada', ended_at: new Date(NOW + 5).toISOString() } });
    expect((await inKv()).silences).toBeUndefined();
    expect(await stub.endSilence(id, NOW + 6)).toBe('over');
    expect(await stub.endSilence('sil_none', NOW)).toBeNull();
  });

  it('is listed for a week after its end, and is then forgotten', async () => {
    const stub = newRegistry();
    await publish(stub, 'a');
    const { id } = await add(stub, HOUR);
    const other = await add(stub, 30 * DAY, NOW + 1);
    const ids = async (now: number) => (await stub.silences(now)).map((one) => one.id);
    expect(await ids(NOW)).toEqual([other.id, id]);
    expect(await stub.endSilence(id, NOW + 2 * HOUR)).toBe('over');
    expect(await ids(NOW + HOUR + 7 * DAY - 1)).toEqual([other.id, id]);
    expect(await ids(NOW + HOUR + 7 * DAY)).toEqual([other.id]);
    expect(await stub.endSilence(id, NOW + 8 * DAY)).toBeNull();
  });

  it('is refused when there are too many, and not for those that are over', async () => {
    const stub = newRegistry();
    for (let n = 0; n < MAX_BY_HAND; n += 1) await add(stub, n === 0 ? HOUR : DAY);
    expect(await stub.addSilence(lasting(DAY), 'ada', NOW)).toBeNull();
    expect(await stub.addSilence(lasting(DAY), 'ada', NOW + HOUR)).not.toBeNull();
  });
});
