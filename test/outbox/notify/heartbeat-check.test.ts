import { describe, expect, it } from 'vitest';
import { configOf } from '../../ingest/support.ts';
import { Calls } from '../../../src/outbox/state/calls.ts';
import { Heartbeats } from '../../../src/outbox/notify/heartbeat.ts';
import { HeartbeatCheck } from '../../../src/outbox/notify/heartbeat-check.ts';
import { HOUR, inStorage, MINUTE, START } from '../support.ts';

const SHARDS = 64;
const config = configOf(
  { shop: { verify: { scheme: 'none' }, heartbeat: '1h' } },
  { accounts: { default: { shards: SHARDS, rate: false } } },
);

/** The pulse of one object, with a clock and other objects that a test sets. */
class Bench {
  now = START;
  readonly asked: string[] = [];
  readonly kinds: string[] = [];
  /** When others heard of the source. */
  readonly elsewhere = new Map<string, number>();
  readonly calls: Calls;
  readonly pulse: HeartbeatCheck;

  constructor(sql: SqlStorage, name = 'default', calls = 50) {
    this.calls = new Calls(calls);
    this.pulse = new HeartbeatCheck({
      heartbeats: new Heartbeats(sql),
      calls: this.calls,
      name: () => name,
      account: () => 'default',
      lastEvents: (sources) => sources.map(() => null),
      ask: (other) => {
        this.asked.push(other);
        return Promise.resolve([this.elsewhere.get(other) ?? null]);
      },
      onChanges: (changes) => this.kinds.push(...changes.map(({ notification }) => notification.kind)),
      clock: () => this.now,
    });
  }

  async alarm(): Promise<void> {
    this.calls.begin();
    await this.pulse.run(config);
  }
}

const inBench = (body: (bench: Bench, sql: SqlStorage) => void | Promise<void>) =>
  inStorage(({ storage: { sql } }) => body(new Bench(sql), sql));

describe('a look for silence', () => {
  it('asks more objects than one alarm can call in several, and looks when all have answered', () =>
    inBench(async (bench) => {
      await bench.alarm();
      expect(bench.asked).toHaveLength(50);
      expect(bench.pulse.nextAt(config)).toBe(bench.now);
      await bench.alarm();
      expect(new Set(bench.asked).size).toBe(SHARDS - 1);
      expect(bench.pulse.nextAt(config)).toBe(START + HOUR + 1);
    }));

  it('asks nobody when no call is left, and goes on in the next alarm', () =>
    inBench(async (bench) => {
      bench.calls.exhaust();
      await bench.pulse.run(config);
      expect(bench.asked).toEqual([]);
      expect(bench.pulse.nextAt(config)).toBe(bench.now);
    }));

  it('hears of a source in any of the account’s objects, and asks on while it is silent', () =>
    inBench(async (bench) => {
      await bench.alarm();
      await bench.alarm();
      bench.now = START + HOUR + 1;
      bench.elsewhere.set('default#63', START + 5 * MINUTE);
      await bench.alarm();
      await bench.alarm();
      expect(bench.kinds).toEqual([]);
      expect(bench.pulse.nextAt(config)).toBe(START + HOUR + 5 * MINUTE + 1);
      bench.now = START + 2 * HOUR;
      await bench.alarm();
      await bench.alarm();
      expect(bench.kinds).toEqual(['source.silent']);
      expect(bench.pulse.nextAt(config)).toBe(bench.now + 5 * MINUTE);
      bench.elsewhere.set('default#1', bench.now);
      bench.now += 5 * MINUTE;
      await bench.alarm();
      await bench.alarm();
      expect(bench.kinds).toEqual(['source.silent', 'source.back']);
    }));

  it('is the business of the account’s own object only', () =>
    inStorage(({ storage: { sql } }) => {
      expect(new Bench(sql, 'default#1').pulse.nextAt(config)).toBeNull();
    }));
});
