import * as fc from 'fast-check';
import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import { KvCopy, publishedJson } from '../../src/registry/kv-copy.ts';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';
import { Rounds, outboxesPerRun } from '../../src/registry/rounds.ts';

/** Far ahead of the real clock: an alarm that is set by this one must not ring by that. */
const NOW = Date.UTC(2100, 0, 1);
const DAY = 86_400_000;

/** A registry's tables without the registry, over an object's real storage, and a KV whose writes a test decides on. */
class Bench {
  readonly kept = new Map<string, string>();
  readonly writes: string[] = [];
  readonly versions: string[] = [];
  active = { activation: 0, version: 0 };
  jurisdiction: string | null = null;
  now = NOW;
  /** Called before each write; it may throw, or wait. */
  beforePut: (key: string) => void | Promise<void> = () => undefined;
  readonly storage: DurableObjectStorage;
  copy: KvCopy;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
    for (const table of ['copied', 'copy_retry']) storage.sql.exec(`DELETE FROM ${table}`);
    this.copy = this.restart();
  }

  /** As after an eviction: what was in memory is gone. */
  restart(): KvCopy {
    const put = async (key: string, value: string): Promise<void> => {
      this.writes.push(key);
      await this.beforePut(key);
      this.kept.set(key, value);
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy uses nothing else of it
    const kv = { put } as unknown as KVNamespace;
    const documents = (version: number): string | null => this.versions[version - 1] ?? null;
    this.copy = new KvCopy({
      sql: this.storage.sql,
      wakeAt: (at) => void (at === null ? this.storage.deleteAlarm() : this.storage.setAlarm(at)),
      kv,
      active: () => this.active,
      jurisdiction: this.jurisdiction,
      documents,
      clock: () => this.now,
    });
    return this.copy;
  }

  publish(): void {
    this.versions.push(JSON.stringify({ ...EMPTY_SET, templates: { n: this.versions.length + 1 } }));
    this.activate(this.versions.length);
  }

  activate(version: number): void {
    this.active = { activation: this.active.activation + 1, version };
    this.copy.arm();
  }

  get current(): unknown {
    const text = this.kept.get(CURRENT_KEY);
    return text === undefined ? null : parsePublished(text);
  }

  /** The value that {@link current} has to have once everything is copied. */
  get expected(): unknown {
    const { activation, version } = this.active;
    return { activation, version, set: { ...EMPTY_SET, templates: { n: version } } };
  }
}

const inBench = <T>(body: (bench: Bench) => Promise<T>): Promise<T> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, state) =>
    body(new Bench(state.storage)),
  );

const fail = (): never => {
  throw new Error('429: one write a second to the same key');
};

it('the copy in KV has each version under its own key, and then the one in force', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.publish();
    await bench.copy.run();
    expect(bench.writes).toEqual(['config/versions/1', 'config/versions/2', CURRENT_KEY]);
    expect(bench.current).toEqual(bench.expected);
  }));

it('the copy in KV within a jurisdiction has no document, only which version is in force', () =>
  inBench(async (bench) => {
    bench.jurisdiction = 'eu';
    bench.restart();
    bench.publish();
    bench.publish();
    await bench.copy.run();
    expect(bench.writes).toEqual([CURRENT_KEY]);
    expect(bench.kept.get(CURRENT_KEY)).toBe('{"activation":2,"version":2,"jurisdiction":"eu"}');
  }));

it('the copy in KV of a rollback writes no version again', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.publish();
    await bench.copy.run();
    bench.writes.length = 0;
    bench.activate(1);
    await bench.copy.run();
    expect(bench.writes).toEqual([CURRENT_KEY]);
    expect(bench.current).toEqual(bench.expected);
  }));

it('the copy in KV is made after runs that had nothing to do', () =>
  inBench(async (bench) => {
    await bench.copy.run();
    await bench.copy.run();
    bench.publish();
    await bench.copy.run();
    expect(bench.current).toEqual(bench.expected);
  }));

it('the copy in KV is not written when nothing is new', () =>
  inBench(async (bench) => {
    bench.publish();
    await bench.copy.run();
    bench.writes.length = 0;
    await bench.restart().run();
    expect(bench.writes).toEqual([]);
  }));

it('the copy in KV takes along what is committed while it is under way', () =>
  inBench(async (bench) => {
    bench.publish();
    let once = true;
    bench.beforePut = async (key) => {
      if (key !== CURRENT_KEY || !once) return;
      once = false;
      bench.publish();
      const joined = bench.copy.run();
      await Promise.resolve();
      void joined;
    };
    await bench.copy.run();
    expect(bench.current).toEqual(bench.expected);
    expect(bench.writes.at(-1)).toBe(CURRENT_KEY);
  }));

it('a write to KV that fails is no error of the publish: an alarm stands and brings it there', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.beforePut = fail;
    await bench.copy.run();
    expect(bench.current).toBeNull();
    expect(await bench.storage.getAlarm()).toBe(NOW + 2_000);

    bench.beforePut = () => undefined;
    await bench.copy.run();
    expect(bench.current).toEqual(bench.expected);
    expect(await bench.storage.getAlarm()).toBeNull();
  }));

it('a write to KV that fails is tried again after longer and longer waits, up to ten minutes, though the object is evicted in between', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.beforePut = fail;
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      await bench.copy.run();
      waits.push(((await bench.storage.getAlarm()) ?? 0) / 1_000 - NOW / 1_000);
      expect(bench.restart().retryAt).toBe(await bench.storage.getAlarm());
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
  }));

it('a write to KV that fails, as the day’s writes are used up costs few tries more, and is made good once there are some again', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.beforePut = fail;
    for (; bench.now < NOW + DAY; bench.now = (await bench.storage.getAlarm()) ?? 0)
      await bench.restart().run();
    expect(bench.writes.length).toBeLessThan(170);
    bench.beforePut = () => undefined;
    await bench.restart().run();
    expect(bench.current).toEqual(bench.expected);
    expect(await bench.storage.getAlarm()).toBeNull();
  }));

it('a write to KV that fails does not make the next one wait once it has worked again', () =>
  inBench(async (bench) => {
    bench.publish();
    bench.beforePut = fail;
    await bench.copy.run();
    bench.beforePut = () => undefined;
    await bench.copy.run();
    bench.publish();
    expect(await bench.storage.getAlarm()).toBe(NOW + 1_000);
  }));

it('a write to KV that fails leaves out sets that later ones have overtaken, and no version', () =>
  inBench(async (bench) => {
    bench.beforePut = (key) => {
      if (key === CURRENT_KEY) fail();
    };
    for (let n = 0; n < 3; n += 1) {
      bench.publish();
      await bench.copy.run();
    }
    bench.beforePut = () => undefined;
    bench.writes.length = 0;
    await bench.copy.run();
    expect(bench.writes).toEqual([CURRENT_KEY]);
    expect([...bench.kept.keys()].toSorted()).toEqual([
      CURRENT_KEY,
      'config/versions/1',
      'config/versions/2',
      'config/versions/3',
    ]);
  }));

it('whatever happens, KV comes to have every version and the newest set, and an alarm stands until then', () => {
  const step = fc.constantFrom('publish', 'roll back', 'copy', 'evict');
  const steps = fc.array(fc.record({ step, fails: fc.boolean() }), { maxLength: 20 });
  return inBench((first) =>
    fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        await first.storage.deleteAlarm();
        const bench = new Bench(first.storage);
        bench.publish();
        for (const { step: what, fails } of plan) {
          bench.beforePut = fails ? fail : () => undefined;
          if (what === 'publish') bench.publish();
          if (what === 'roll back') bench.activate(1);
          if (what === 'evict') bench.restart();
          if (what === 'copy') await bench.copy.run();
          const isThere = JSON.stringify(bench.current) === JSON.stringify(bench.expected);
          if (!isThere) expect(await bench.storage.getAlarm()).not.toBeNull();
        }
        bench.beforePut = () => undefined;
        await bench.copy.run();
        expect(bench.current).toEqual(bench.expected);
        expect(bench.versions.map((_, n) => bench.kept.get(`config/versions/${n + 1}`))).toEqual(
          bench.versions,
        );
        expect(await bench.storage.getAlarm()).toBeNull();
      }),
      { numRuns: 60 },
    ),
  );
});

it('what is copied is what the loader reads', () => {
  const text = publishedJson({ activation: 3, version: 2 }, JSON.stringify(EMPTY_SET));
  expect(parsePublished(text)).toEqual({ activation: 3, version: 2, set: EMPTY_SET });
});

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The platform's error when no calls are left. */
const NO_CALLS_LEFT = 'Too many subrequests by single Worker invocation.';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `a${String(n).padStart(3, '0')}`);

/** Rounds over an object's real storage, of a plan with N calls an alarm. */
class RoundsBench {
  readonly #sql: SqlStorage;
  readonly looked: string[] = [];
  now = Date.UTC(2100, 0, 1);
  names: () => Promise<readonly string[]>;
  calls = 50;
  readonly broken = new Set<string>();

  constructor(sql: SqlStorage, names: readonly string[]) {
    this.#sql = sql;
    this.names = () => Promise.resolve(names);
  }

  /** One alarm of an object that was evicted meanwhile; when the next one is. */
  async alarm(portion = outboxesPerRun(undefined)): Promise<number> {
    let left = this.calls;
    const call = (): void => {
      left -= 1;
      if (left < 0) throw new Error(NO_CALLS_LEFT);
    };
    const look = async (name: string): Promise<void> => {
      await Promise.resolve();
      call();
      if (this.broken.has(name)) throw new Error('overloaded');
      this.looked.push(name);
    };
    const deps = { sql: this.#sql, names: () => this.names(), look, portion, clock: () => this.now };
    await new Rounds(deps).run();
    return new Rounds(deps).nextAt();
  }

  /** A whole round, and how many alarms it took. */
  async round(): Promise<number> {
    for (let alarms = 1; ; alarms += 1) if ((await this.alarm()) > this.now) return alarms;
  }
}

const inRounds = <T>(names: readonly string[], body: (bench: RoundsBench) => Promise<T>): Promise<T> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) =>
    body(new RoundsBench(sql, names)),
  );

it('a round looks at each outbox once, and an hour later again', () =>
  inRounds(numbered(3), async (bench) => {
    expect(await bench.alarm()).toBe(bench.now + HOUR);
    await bench.alarm();
    expect(bench.looked).toEqual(numbered(3));
    bench.now += HOUR;
    await bench.alarm();
    expect(bench.looked).toEqual([...numbered(3), ...numbered(3)]);
  }));

it('a round of more than one alarm can call goes on in the next, and keeps within the calls of the free plan', () =>
  inRounds(numbered(130), async (bench) => {
    bench.calls = 45;
    expect(await bench.round()).toBe(4);
    expect(bench.looked).toEqual(numbered(130));
  }));

it('a round goes on with the others when one cannot be looked after', () =>
  inRounds(numbered(3), async (bench) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    bench.broken.add('a000');
    expect(await bench.alarm()).toBe(bench.now + HOUR);
    expect(bench.looked).toEqual(['a001', 'a002']);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  }));

it('a round that has made all calls which the platform allows goes on later where it was', () =>
  inRounds(numbered(40), async (bench) => {
    bench.calls = 20;
    expect(await bench.alarm()).toBe(bench.now + 5 * MINUTE);
    const first = bench.looked.length;
    expect(first).toBe(20);
    bench.now += 5 * MINUTE;
    await bench.alarm();
    bench.now += 5 * MINUTE;
    expect(await bench.alarm()).toBe(bench.now + HOUR);
    expect(new Set(bench.looked)).toEqual(new Set(numbered(40)));
  }));

it('a round is tried again soon when the names cannot be read', () =>
  inRounds(numbered(1), async (bench) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    bench.names = () => Promise.reject(new Error('KV is away'));
    expect(await bench.alarm()).toBe(bench.now + 5 * MINUTE);
    logged.mockRestore();
  }));

it('a round is not put off by a clock that was ahead', () =>
  inRounds(numbered(1), async (bench) => {
    await bench.alarm();
    bench.now -= 100 * HOUR;
    expect(await bench.alarm()).toBe(bench.now + HOUR);
  }));
