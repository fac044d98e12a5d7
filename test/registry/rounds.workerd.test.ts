import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { outboxesPerRun, Rounds } from '../../src/registry/rounds.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The platform's error when no calls are left. */
const NO_CALLS_LEFT = 'Too many subrequests by single Worker invocation.';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `a${String(n).padStart(3, '0')}`);

/** Rounds over an object's real storage, of a plan with N calls an alarm. */
class Bench {
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

const inBench = <T>(names: readonly string[], body: (bench: Bench) => Promise<T>): Promise<T> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) =>
    body(new Bench(sql, names)),
  );

describe('a round', () => {
  it('looks at each outbox once, and an hour later again', () =>
    inBench(numbered(3), async (bench) => {
      expect(await bench.alarm()).toBe(bench.now + HOUR);
      await bench.alarm();
      expect(bench.looked).toEqual(numbered(3));
      bench.now += HOUR;
      await bench.alarm();
      expect(bench.looked).toEqual([...numbered(3), ...numbered(3)]);
    }));

  it('of more than one alarm can call goes on in the next, and keeps within the calls of the free plan', () =>
    inBench(numbered(130), async (bench) => {
      bench.calls = 45;
      expect(await bench.round()).toBe(4);
      expect(bench.looked).toEqual(numbered(130));
    }));

  it('goes on with the others when one cannot be looked after', () =>
    inBench(numbered(3), async (bench) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      bench.broken.add('a000');
      expect(await bench.alarm()).toBe(bench.now + HOUR);
      expect(bench.looked).toEqual(['a001', 'a002']);
      expect(logged).toHaveBeenCalledOnce();
      logged.mockRestore();
    }));

  it('that has made all calls which the platform allows goes on later where it was', () =>
    inBench(numbered(40), async (bench) => {
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

  it('is tried again soon when the names cannot be read', () =>
    inBench(numbered(1), async (bench) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      bench.names = () => Promise.reject(new Error('KV is away'));
      expect(await bench.alarm()).toBe(bench.now + 5 * MINUTE);
      logged.mockRestore();
    }));

  it('is not put off by a clock that was ahead', () =>
    inBench(numbered(1), async (bench) => {
      await bench.alarm();
      bench.now -= 100 * HOUR;
      expect(await bench.alarm()).toBe(bench.now + HOUR);
    }));
});
