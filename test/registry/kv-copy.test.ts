import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { KvCopy } from '../../src/registry/kv-copy.ts';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { Rounds, outboxesPerRun } from '../../src/registry/rounds.ts';
import { tables } from './tables.ts';

const NOW = Date.UTC(2100, 0, 1);

/** A registry's tables without the registry, and a KV whose writes a test decides on. */
class Bench {
  readonly kept = new Map<string, string>();
  readonly writes: string[] = [];
  readonly versions: string[] = [];
  readonly storage = tables();
  active = { activation: 0, version: 0 };
  jurisdiction: string | null = null;
  now = NOW;
  /** Called before each write; it may throw, or wait. */
  beforePut: (key: string) => void | Promise<void> = () => undefined;
  copy = this.restart();

  /** As after an eviction: what was in memory is gone. */
  restart(): KvCopy {
    const put = async (key: string, value: string): Promise<void> => {
      this.writes.push(key);
      await this.beforePut(key);
      this.kept.set(key, value);
    };
    this.copy = new KvCopy(this.storage.sql, {
      wakeAt: (at) => void (at === null ? this.storage.deleteAlarm() : this.storage.setAlarm(at)),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy uses nothing else of it
      kv: { put } as unknown as KVNamespace,
      active: () => this.active,
      jurisdiction: this.jurisdiction,
      documents: (version) => this.versions[version - 1] ?? null,
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

  beside(): Promise<void> {
    this.active = { ...this.active, activation: this.active.activation + 1 };
    return this.copy.runSoon();
  }

  /** Runs the copy, and expects that KV has the newest set then. */
  async comesThere(): Promise<void> {
    await this.copy.run();
    expect(this.isThere()).toBe(true);
  }

  isThere(): boolean {
    const { activation, version } = this.active;
    const expected = { activation, version, set: { ...EMPTY_SET, templates: { n: version } } };
    const text = this.kept.get(CURRENT_KEY);
    return text !== undefined && JSON.stringify(parsePublished(text)) === JSON.stringify(expected);
  }
}

const fail = (): never => {
  throw new Error('429: one write a second to the same key');
};
const works = () => undefined;

it('the copy in KV has each version under its own key, and then the one in force; a rollback writes no version again', async () => {
  const bench = new Bench();
  bench.publish();
  bench.publish();
  await bench.comesThere();
  bench.activate(1);
  await bench.comesThere();
  expect(bench.writes).toEqual(['config/versions/1', 'config/versions/2', CURRENT_KEY, CURRENT_KEY]);
});

it('the copy in KV within a jurisdiction has no document, only which version is in force', async () => {
  const bench = new Bench();
  bench.jurisdiction = 'eu';
  bench.restart();
  bench.publish();
  bench.publish();
  await bench.copy.run();
  expect(bench.writes).toEqual([CURRENT_KEY]);
  expect(bench.kept.get(CURRENT_KEY)).toBe('{"activation":2,"version":2,"jurisdiction":"eu"}');
});

it('the copy in KV is made after runs that had nothing to do, and not when nothing is new', async () => {
  const bench = new Bench();
  await bench.copy.run();
  await bench.copy.run();
  bench.publish();
  await bench.comesThere();
  bench.writes.length = 0;
  await bench.restart().run();
  expect(bench.writes).toEqual([]);
});

it('the copy in KV takes along what is committed while it is under way', async () => {
  const bench = new Bench();
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
  await bench.comesThere();
  expect(bench.writes.at(-1)).toBe(CURRENT_KEY);
});

it('a write to KV that fails is no error of the publish: an alarm stands and brings it there, and the next one does not wait', async () => {
  const bench = new Bench();
  bench.publish();
  bench.beforePut = fail;
  await bench.copy.run();
  expect([bench.kept.size, await bench.storage.getAlarm()]).toEqual([0, NOW + 2_000]);
  bench.beforePut = works;
  await bench.comesThere();
  expect(await bench.storage.getAlarm()).toBeNull();
  bench.publish();
  expect(await bench.storage.getAlarm()).toBe(NOW + 1_000);
});

it('a write to KV that fails is tried again after longer and longer waits, up to ten minutes, though the object is evicted in between', async () => {
  const bench = new Bench();
  bench.publish();
  bench.beforePut = fail;
  const waits: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    await bench.copy.run();
    waits.push(((await bench.storage.getAlarm()) ?? 0) / 1_000 - NOW / 1_000);
    expect(bench.restart().retryAt).toBe(await bench.storage.getAlarm());
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
});

it('a write to KV that fails leaves out sets that later ones have overtaken, and no version', async () => {
  const bench = new Bench();
  bench.beforePut = (key) => {
    if (key === CURRENT_KEY) fail();
  };
  for (let n = 0; n < 3; n += 1) {
    bench.publish();
    await bench.copy.run();
  }
  bench.beforePut = works;
  bench.writes.length = 0;
  await bench.copy.run();
  expect(bench.writes).toEqual([CURRENT_KEY]);
  const versions = [1, 2, 3].map((version) => `config/versions/${version}`);
  expect([...bench.kept.keys()].toSorted()).toEqual([CURRENT_KEY, ...versions].toSorted());
});

it('what changes beside the set is written at once after a quiet time, then once in ten seconds; a set that is published at once', async () => {
  const bench = new Bench();
  bench.publish();
  await bench.comesThere();
  const seconds: number[] = [];
  bench.beforePut = async () => {
    seconds.push((bench.now - NOW) / 1_000);
    await bench.beside();
  };
  for (let n = 0; n < 450; n += 1, bench.now += 100) {
    if (bench.now >= ((await bench.storage.getAlarm()) ?? Infinity)) await bench.copy.run();
    await bench.beside();
  }
  expect(seconds).toEqual([0, 10, 20, 30, 40]);
  bench.beforePut = works;
  bench.publish();
  await bench.comesThere();
});

it('what is pressed all day, also at an object that is evicted each time, leaves most writes of the day', async () => {
  const bench = new Bench();
  bench.publish();
  await bench.comesThere();
  bench.now = NOW + 1;
  for (; bench.now < NOW + 24 * 3_600_000; bench.now += 15_000) {
    bench.restart();
    if (bench.now >= ((await bench.storage.getAlarm()) ?? Infinity)) await bench.copy.run();
    await bench.beside();
  }
  expect(bench.writes.length).toBeLessThan(450);
  bench.publish();
  await bench.comesThere();
  bench.now += 600_000;
  await bench.restart().run();
  await bench.beside();
  expect(bench.isThere()).toBe(true);
});

it('a copy whose failure cannot be stored leaves the next one free', async () => {
  const bench = new Bench();
  bench.publish();
  bench.beforePut = () => void bench.storage.sql.exec('ALTER TABLE copied RENAME TO away');
  bench.storage.sql.exec('ALTER TABLE copy_retry RENAME TO lost');
  await expect(bench.copy.run()).rejects.toThrow('copy_retry');
  for (const [from, to] of ['away copied', 'lost copy_retry'].map((names) => names.split(' ')))
    bench.storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  bench.beforePut = works;
  await bench.comesThere();
});

it('whatever happens, KV comes to have every version and the newest set, and an alarm stands until then', async () => {
  const step = fc.constantFrom('publish', 'roll back', 'beside', 'copy', 'evict');
  const steps = fc.array(fc.record({ step, fails: fc.boolean() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const bench = new Bench();
      bench.publish();
      for (const { step: what, fails } of plan) {
        bench.beforePut = fails ? fail : works;
        if (what === 'publish') bench.publish();
        if (what === 'roll back') bench.activate(1);
        if (what === 'beside') await bench.beside();
        if (what === 'evict') bench.restart();
        if (what === 'copy') await bench.copy.run();
        if (!bench.isThere()) expect(await bench.storage.getAlarm()).not.toBeNull();
      }
      bench.beforePut = works;
      await bench.comesThere();
      const copied = bench.versions.map((_, n) => bench.kept.get(`config/versions/${n + 1}`));
      expect(copied).toEqual(bench.versions);
      expect(await bench.storage.getAlarm()).toBeNull();
    }),
    { numRuns: 60 },
  );
});

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The platform's error when no calls are left. */
const NO_CALLS_LEFT = 'Too many subrequests by single Worker invocation.';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `a${String(n).padStart(3, '0')}`);

/** Rounds of a plan with N calls an alarm. */
class RoundsBench {
  readonly #sql = tables().sql;
  readonly looked: string[] = [];
  now = NOW;
  names: () => Promise<readonly string[]>;
  calls = 50;
  readonly broken = new Set<string>();

  constructor(names: readonly string[]) {
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
    const deps = { names: () => this.names(), look, portion, clock: () => this.now };
    await new Rounds(this.#sql, deps).run();
    return new Rounds(this.#sql, deps).nextAt();
  }

  /** A whole round, and how many alarms it took. */
  async round(): Promise<number> {
    for (let alarms = 1; ; alarms += 1) if ((await this.alarm()) > this.now) return alarms;
  }
}

it('a round looks at each outbox once, and an hour later again', async () => {
  const bench = new RoundsBench(numbered(3));
  expect(await bench.alarm()).toBe(bench.now + HOUR);
  await bench.alarm();
  expect(bench.looked).toEqual(numbered(3));
  bench.now += HOUR;
  await bench.alarm();
  expect(bench.looked).toEqual([...numbered(3), ...numbered(3)]);
});

it('a round of more than one alarm can call goes on in the next, and keeps within the calls of the free plan', async () => {
  const bench = new RoundsBench(numbered(130));
  bench.calls = 45;
  expect(await bench.round()).toBe(4);
  expect(bench.looked).toEqual(numbered(130));
});

it('a round goes on with the others when one cannot be looked after', async () => {
  const bench = new RoundsBench(numbered(3));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  bench.broken.add('a000');
  expect(await bench.alarm()).toBe(bench.now + HOUR);
  expect(bench.looked).toEqual(['a001', 'a002']);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

it('a round that has made all calls which the platform allows goes on later where it was', async () => {
  const bench = new RoundsBench(numbered(40));
  bench.calls = 20;
  expect(await bench.alarm()).toBe(bench.now + 5 * MINUTE);
  const first = bench.looked.length;
  expect(first).toBe(20);
  bench.now += 5 * MINUTE;
  await bench.alarm();
  bench.now += 5 * MINUTE;
  expect(await bench.alarm()).toBe(bench.now + HOUR);
  expect(new Set(bench.looked)).toEqual(new Set(numbered(40)));
});

it('a round is tried again soon when the names cannot be read', async () => {
  const bench = new RoundsBench(numbered(1));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  bench.names = () => Promise.reject(new Error('KV is away'));
  expect(await bench.alarm()).toBe(bench.now + 5 * MINUTE);
  logged.mockRestore();
});

it('a round is not put off by a clock that was ahead', async () => {
  const bench = new RoundsBench(numbered(1));
  await bench.alarm();
  bench.now -= 100 * HOUR;
  expect(await bench.alarm()).toBe(bench.now + HOUR);
});
