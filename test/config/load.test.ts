import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  CURRENT_KEY,
  loadConfig,
  parsePublished,
  useConfig,
  versionKey,
  type Published,
} from '../../src/config/load.ts';
import { kvWith, open, setOf } from './support.ts';

const START = Date.now();

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

  it('is told from a rollback, whose version is lower and whose activation is higher', async () => {
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

  it('and there never was a set, it throws: no webhook may be answered as if there were no sources', async () => {
    const watch = watchedKv();
    watch.isOut = true;
    await expect(loadConfig(watch.kv, START)).rejects.toThrow('KV is out');
  });
});

describe('a set that this deploy does not understand', () => {
  const strange: Published = {
    activation: 9,
    version: 9,
    set: setOf({ accounts: { default: { shards: 1_000 } } }),
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
      'version 9 of the configuration is not valid for this deploy: accounts.default.shards must be a whole number from 1 to 64',
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
      'version 9 of the configuration is not valid for this deploy: sources.new.provider there is no provider `gone`',
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
