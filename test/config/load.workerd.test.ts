import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  CURRENT_KEY,
  loadConfig as load,
  loadNewer,
  parsePublished,
  useConfig,
  versionKey,
  type Published,
} from '../../src/config/load.ts';
import { registry } from '../../src/config/registry-client.ts';
import { open, setOf } from './support.ts';
import { envWith, kvWith } from '../platform/env.ts';

const START = Date.now();

/** With this namespace, and the real registry. */
const loadConfig = (kv: KVNamespace, now: number) => load(envWith({ CONFIG: kv }), now);

const published = (activation: number, version = activation, id = `source-${version}`): Published => ({
  activation,
  version,
  set: setOf({ sources: { [id]: open() } }),
});

/** KV as the platform has it, with a count of its reads and the possibility to fail. */
function watchedKv() {
  const watch = { reads: 0, options: undefined as unknown, isOut: false, kv: env.CONFIG };
  watch.kv = kvWith({
    get: (key: string, options: { type: 'text'; cacheTtl: number }): Promise<string | null> => {
      watch.reads += 1;
      watch.options = options;
      return watch.isOut ? Promise.reject(new Error('KV is out')) : env.CONFIG.get(key, options);
    },
  });
  return watch;
}

const store = (now: Published): Promise<void> => env.CONFIG.put(CURRENT_KEY, JSON.stringify(now));

describe('the configuration in force', () => {
  it('is empty when nothing was published yet', async () => {
    await env.CONFIG.delete(CURRENT_KEY);
    const { kv } = watchedKv();
    const config = await loadConfig(kv, START);
    expect(config.version).toBe(0);
    expect(config.outlines.size).toBe(0);
    expect(config.accounts.has('default')).toBe(true);
  });

  it('costs one KV read, and none as long as it is remembered', async () => {
    await store(published(1));
    const watch = watchedKv();
    for (const after of [0, 1, 14_999]) expect((await loadConfig(watch.kv, START + after)).version).toBe(1);
    expect(watch.reads).toBe(1);
    expect(watch.options).toEqual({ type: 'text', cacheTtl: 30 });
    await loadConfig(watch.kv, START + 15_000);
    expect(watch.reads).toBe(2);
  });

  it('is the newer one once that is not remembered any more', async () => {
    await store(published(1));
    const { kv } = watchedKv();
    await loadConfig(kv, START);
    await store(published(2));
    expect((await loadConfig(kv, START + 14_999)).version).toBe(1);
    expect((await loadConfig(kv, START + 15_000)).version).toBe(2);
  });

  it('is not parsed again when KV has nothing new', async () => {
    await store(published(1));
    const { kv } = watchedKv();
    const first = await loadConfig(kv, START);
    expect(await loadConfig(kv, START + 20_000)).toBe(first);
  });

  it('is asked for again when the clock was set back', async () => {
    const watch = watchedKv();
    await loadConfig(watch.kv, START);
    await loadConfig(watch.kv, START - 1);
    expect(watch.reads).toBe(2);
  });

  it('is in force at once where it was published, without a read', async () => {
    await store(published(1));
    const watch = watchedKv();
    await loadConfig(watch.kv, START);
    useConfig(watch.kv, published(2), START + 1);
    expect((await loadConfig(watch.kv, START + 2)).version).toBe(2);
    expect(watch.reads).toBe(1);
  });
});

describe('a copy that a cache at the edge still holds', () => {
  it('does not take the place of a newer set', async () => {
    await store(published(4));
    const { kv } = watchedKv();
    useConfig(kv, published(5), START);
    expect((await loadConfig(kv, START + 20_000)).version).toBe(5);
  });

  it('is distinguished from a rollback, whose version is lower and whose activation is higher', async () => {
    await store(published(2, 2));
    const { kv } = watchedKv();
    expect((await loadConfig(kv, START)).version).toBe(2);
    await store(published(3, 1));
    expect((await loadConfig(kv, START + 20_000)).version).toBe(1);
    await store(published(2, 2));
    expect((await loadConfig(kv, START + 40_000)).version).toBe(1);
    await store(published(4, 3));
    expect((await loadConfig(kv, START + 60_000)).version).toBe(3);
  });

  it('that has nothing at all does not empty the configuration', async () => {
    await env.CONFIG.delete(CURRENT_KEY);
    const { kv } = watchedKv();
    useConfig(kv, published(1), START);
    expect((await loadConfig(kv, START + 20_000)).version).toBe(1);
  });
});

describe('when KV cannot be read', () => {
  it('the last set that was read goes on, and KV is not asked at each webhook', async () => {
    await store(published(1));
    const watch = watchedKv();
    await loadConfig(watch.kv, START);
    watch.isOut = true;
    for (const after of [15_000, 15_001, 20_000]) {
      expect((await loadConfig(watch.kv, START + after)).version).toBe(1);
    }
    expect(watch.reads).toBe(2);
    watch.isOut = false;
    await store(published(2));
    expect((await loadConfig(watch.kv, START + 30_000)).version).toBe(2);
  });
});

/** The registry as it is, with a count of its calls, and the possibility to fail or to say nothing. */
function watchedRegistry() {
  const watch = { calls: 0, state: 'up' as 'up' | 'down' | 'silent' };
  const published = async (): Promise<string | null> => {
    watch.calls += 1;
    if (watch.state === 'silent') return new Promise(() => undefined);
    if (watch.state === 'down') throw new Error('the registry is out');
    return registry(env).published();
  };
  return { watch, REGISTRY: { getByName: () => ({ published }) } };
}

/** An isolate that has nothing in memory and cannot read KV. */
function coldAndCut() {
  const kv = watchedKv();
  kv.isOut = true;
  const { watch, REGISTRY } = watchedRegistry();
  const reads = { count: 0 };
  const loadAt = (now: number) =>
    load(envWith({ CONFIG: kv.kv, REGISTRY }), now, () => {
      reads.count += 1;
    });
  return { kv, registry: watch, reads, loadAt };
}

describe('the registry’s answer', () => {
  it('is in force in this isolate though an older one than it had: the registry was restored', async () => {
    const { REGISTRY } = watchedRegistry();
    const kv = watchedKv();
    const bound = envWith({ CONFIG: kv.kv, REGISTRY });
    const set = setOf({ sources: { shop: open() } });
    await registry(env).publish({ kind: 'replace', set }, 'test', START);
    const { activation } = parsePublished((await registry(env).published()) ?? '');
    await store(published(activation + 5));
    expect((await load(bound, START)).activation).toBe(activation + 5);
    expect((await loadNewer(bound, START, activation + 6)).activation).toBe(activation);
    expect((await load(bound, START)).activation).toBe(activation);
  });
});

describe('when KV cannot be read and never was', () => {
  it('the registry, which has the truth, is asked once for all that wait, and not again while that is remembered', async () => {
    const set = setOf({ sources: { shop: open() } });
    await registry(env).publish({ kind: 'replace', set }, 'test', START);
    const { kv, registry: asked, reads, loadAt } = coldAndCut();
    const configs = await Promise.all(Array.from({ length: 50 }, () => loadAt(START)));
    expect(configs.every(({ version }) => version === configs[0]?.version)).toBe(true);
    expect(configs[0]?.sources.get('shop')).toMatchObject({ id: 'shop' });
    expect(asked.calls).toBe(1);
    // The operations that an alarm's run counts: each read of KV, and the one call.
    expect(reads.count).toBe(kv.reads + 1);
    await loadAt(START + 14_999);
    expect(asked.calls).toBe(1);
    // By then it is not cold any more.
    await loadAt(START + 15_000);
    expect(asked.calls).toBe(1);
    expect(kv.reads).toBe(51);
  });

  it('nor the registry, it throws: no webhook may be answered as if there were no sources', async () => {
    const { registry: asked, loadAt } = coldAndCut();
    asked.state = 'down';
    await expect(loadAt(START)).rejects.toThrow('the registry is out');
    // One object for all isolates: each webhook asking it would drown it.
    await expect(loadAt(START + 1_999)).rejects.toThrow('the registry is out');
    expect(asked.calls).toBe(1);
    asked.state = 'up';
    expect((await loadAt(START + 2_000)).version).toBeGreaterThan(0);
    expect(asked.calls).toBe(2);
  });

  it('nor the registry, it is asked again when the clock was set back, and not only once the clock is where it was', async () => {
    const { registry: asked, loadAt } = coldAndCut();
    asked.state = 'down';
    await expect(loadAt(START)).rejects.toThrow('the registry is out');
    asked.state = 'up';
    expect((await loadAt(START - 60_000)).version).toBeGreaterThan(0);
    expect(asked.calls).toBe(2);
  });

  it('a registry that says nothing is not waited for without end', async () => {
    const { registry: asked, loadAt } = coldAndCut();
    asked.state = 'silent';
    await expect(loadAt(START)).rejects.toThrow('the registry did not answer in time');
  });

  it('is not asked in place of what KV holds and this deploy does not understand', async () => {
    await env.CONFIG.put(CURRENT_KEY, '{"activation":');
    const { kv, registry: asked, loadAt } = coldAndCut();
    kv.isOut = false;
    await expect(loadAt(START)).rejects.toThrow(/./);
    expect(asked.calls).toBe(0);
  });
});

describe('a set that this deploy does not understand', () => {
  const strange: Published = {
    activation: 9,
    version: 9,
    set: setOf({ accounts: { default: { digest_above: 100_000 } } }),
  };

  it('leaves the last one that it did in force', async () => {
    await store(published(1));
    const { kv } = watchedKv();
    await loadConfig(kv, START);
    await store(strange);
    expect((await loadConfig(kv, START + 15_000)).version).toBe(1);
  });

  it.each([JSON.stringify(strange), '{"activation":', '[]', '{"activation":1,"version":1}'])(
    'is an error when there is no other: %s',
    async (text) => {
      await env.CONFIG.put(CURRENT_KEY, text);
      await expect(loadConfig(watchedKv().kv, START)).rejects.toThrow(/./);
    },
  );

  it('is named by what is wrong with it', async () => {
    await store(strange);
    await expect(loadConfig(watchedKv().kv, START)).rejects.toThrow(
      'version 9 of the configuration is not valid for the deployed code: accounts.default.digest_above must be a whole number from 1 to 10000',
    );
  });

  it('in one source stops that source alone, and does not make it one that is not there', async () => {
    await store({
      activation: 9,
      version: 9,
      set: setOf({ sources: { shop: open(), new: { provider: 'gone' } } }),
    });
    const { sources } = await loadConfig(watchedKv().kv, START);
    expect(sources.get('shop')).toMatchObject({ id: 'shop' });
    expect(sources.has('new')).toBe(true);
    expect(() => sources.get('new')).toThrow(
      'version 9 of the configuration is not valid for the deployed code: sources.new.provider there is no provider `gone`',
    );
  });
});

describe('keys and copies', () => {
  it('have one key a version', () => {
    expect(versionKey(12)).toBe('config/versions/12');
  });

  it('are read as they were written', () => {
    expect(parsePublished(JSON.stringify(published(3)))).toEqual(published(3));
  });
});
