import { afterEach, expect, it, vi } from 'vitest';
import { CURRENT_KEY, loadConfig, loadNewer, useConfig } from '../../src/config/load.ts';
import { bindings } from '../bindings.ts';
import { open, setOf } from './support.ts';

const START = Date.now();

const published = (activation: number, version = activation, sources: Record<string, unknown> = {}) => ({
  activation,
  version,
  set: setOf({ sources }),
});

/** An isolate that has nothing in memory, with KV and the registry, which count their calls and may fail. */
function isolate(...[first]: readonly unknown[]) {
  const kv = {
    text: first === undefined ? null : JSON.stringify(first),
    reads: 0,
    isOut: false,
    asked: [] as unknown,
  };
  const registry = { text: JSON.stringify(published(1, 1, { shop: open() })), calls: 0, state: 'up' };
  const get = async (...args: readonly unknown[]): Promise<string | null> => {
    kv.reads += 1;
    kv.asked = args;
    if (kv.isOut) throw new Error('KV is out');
    return kv.text;
  };
  const answer = async (): Promise<string> => {
    registry.calls += 1;
    if (registry.state === 'silent') return new Promise(() => undefined);
    if (registry.state === 'down') throw new Error('the registry is out');
    return registry.text;
  };
  const env = bindings({ CONFIG: { get }, REGISTRY: { getByName: () => ({ published: answer }) } });
  let counted = 0;
  const load = (after = 0) => loadConfig(env, START + after, () => (counted += 1));
  return {
    env,
    kv,
    registry,
    counted: () => counted,
    load,
    version: async (after = 0) => (await load(after)).version,
    store: (value: unknown) => (kv.text = JSON.stringify(value)),
  };
}

function cutOff() {
  const one = isolate();
  one.kv.isOut = true;
  return one;
}

afterEach(() => void vi.useRealTimers());

it('the configuration in force is empty when nothing was published yet', async () => {
  const config = await isolate().load();
  expect([config.version, config.outlines.size, config.accounts.has('default')]).toEqual([0, 0, true]);
});

it('the configuration in force costs one KV read while it is remembered, and is the newer one after that', async () => {
  const { kv, store, version } = isolate(published(1));
  for (const after of [0, 1, 14_999]) expect(await version(after)).toBe(1);
  expect([kv.reads, kv.asked]).toEqual([1, [CURRENT_KEY, { type: 'text', cacheTtl: 30 }]]);
  store(published(2));
  expect(await version(14_999)).toBe(1);
  expect(await version(15_000)).toBe(2);
  expect(kv.reads).toBe(2);
});

it('the configuration in force is asked for again when the clock was set back, and not parsed again when KV has nothing new', async () => {
  const { kv, load } = isolate(published(1));
  const first = await load();
  expect(await load(-1)).toBe(first);
  expect(kv.reads).toBe(2);
  expect(await load(20_000)).toBe(first);
});

it('a configuration is in force at once where it was published, without a read', async () => {
  const { env, kv, version } = isolate(published(1));
  await version();
  useConfig(env.CONFIG, published(2), START + 1);
  expect(await version(2)).toBe(2);
  expect(kv.reads).toBe(1);
});

it('the configuration in force is not replaced by what a cache at the edge still has, be it old or nothing', async () => {
  for (const old of [published(4), undefined]) {
    const { env, version } = isolate(old);
    useConfig(env.CONFIG, published(5), START);
    expect(await version(20_000)).toBe(5);
  }
});

it('the configuration in force may be a rollback, whose version is lower and whose activation is higher', async () => {
  const { store, version } = isolate(published(2, 2));
  expect(await version()).toBe(2);
  store(published(3, 1));
  expect(await version(20_000)).toBe(1);
  store(published(2, 2));
  expect(await version(40_000)).toBe(1);
  store(published(4, 3));
  expect(await version(60_000)).toBe(3);
});

it('the configuration in force is the registry’s though older than this isolate had: the registry was restored', async () => {
  const { env, load } = isolate(published(6));
  expect((await load()).activation).toBe(6);
  expect((await loadNewer(env, START, 7)).activation).toBe(1);
  expect((await load()).activation).toBe(1);
});

it('when KV cannot be read, the last set that was read goes on, and KV is not asked at each webhook', async () => {
  const { kv, store, version } = isolate(published(1));
  await version();
  kv.isOut = true;
  for (const after of [15_000, 15_001, 20_000]) expect(await version(after)).toBe(1);
  expect(kv.reads).toBe(2);
  kv.isOut = false;
  store(published(2));
  expect(await version(30_000)).toBe(2);
});

it('when KV cannot be read and never was, the registry is asked once for all that wait, and not again while that is remembered', async () => {
  const { kv, registry, counted, load } = cutOff();
  const configs = await Promise.all(Array.from({ length: 50 }, () => load()));
  for (const { sources } of configs) expect(sources.get('shop')).toMatchObject({ id: 'shop' });
  // The operations that an alarm's run counts: each read of KV, and the one call.
  expect([registry.calls, kv.reads, counted()]).toEqual([1, 50, 51]);
  await load(14_999);
  // By then it is not cold any more.
  await load(15_000);
  expect([registry.calls, kv.reads]).toEqual([1, 51]);
});

it('when neither KV nor the registry can be read, it throws: no webhook may be answered as if there were no sources', async () => {
  const { registry, load, version } = cutOff();
  registry.state = 'down';
  await expect(load()).rejects.toThrow('the registry is out');
  // One object for all isolates: each webhook asking it would drown it.
  await expect(load(1_999)).rejects.toThrow('the registry is out');
  expect(registry.calls).toBe(1);
  registry.state = 'up';
  expect(await version(2_000)).toBe(1);
  expect(registry.calls).toBe(2);
});

it('when neither KV nor the registry can be read, that is asked again when the clock was set back', async () => {
  const { registry, load, version } = cutOff();
  registry.state = 'down';
  await expect(load()).rejects.toThrow('the registry is out');
  registry.state = 'up';
  expect(await version(-60_000)).toBe(1);
});

it('when KV cannot be read, a registry that says nothing is not waited for without end', async () => {
  vi.useFakeTimers();
  const { registry, load } = cutOff();
  registry.state = 'silent';
  const failed: unknown = expect(load()).rejects.toThrow('the registry did not answer in time');
  await vi.advanceTimersByTimeAsync(2_000);
  await failed;
});

const strange = { ...published(9), set: setOf({ accounts: { default: { digest_above: 100_000 } } }) };
const INVALID = 'version 9 of the configuration is not valid for the deployed code: ';

it('a set that this deploy does not understand leaves the last one that it did in force, and is an error when there is none', async () => {
  const { store, version } = isolate(published(1));
  await version();
  store(strange);
  expect(await version(15_000)).toBe(1);
  for (const text of [JSON.stringify(strange), '{"activation":', '[]', '{"activation":1,"version":1}']) {
    const { kv, registry, load } = isolate();
    kv.text = text;
    await expect(load()).rejects.toThrow(/./);
    expect(registry.calls).toBe(0);
  }
  const wrong = 'accounts.default.digest_above must be a whole number from 1 to 10000';
  await expect(isolate(strange).load()).rejects.toThrow(INVALID + wrong);
});

it('a set that this deploy does not understand in one source stops that source alone, and does not make it one that is not there', async () => {
  const { sources } = await isolate(published(9, 9, { shop: open(), new: { provider: 'gone' } })).load();
  expect(sources.get('shop')).toMatchObject({ id: 'shop' });
  expect(sources.has('new')).toBe(true);
  expect(() => sources.get('new')).toThrow(`${INVALID}sources.new.provider there is no provider \`gone\``);
});
