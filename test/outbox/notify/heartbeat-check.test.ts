import { describe, expect, it } from 'vitest';
import { configOf } from '../../ingest/support.ts';
import { Heartbeats } from '../../../src/outbox/notify/heartbeat.ts';
import { HeartbeatCheck } from '../../../src/outbox/notify/heartbeat-check.ts';
import { HOUR, inStorage, MINUTE, START } from '../support.ts';

const config = configOf(
  {
    shop: { verify: { scheme: 'none' }, heartbeat: '1h' },
    other: { verify: { scheme: 'none' }, heartbeat: '10m', account: 'sales' },
  },
  { accounts: { default: {}, sales: {} } },
);

/** The check of an account, with a clock and a last webhook that a test sets. */
class Bench {
  now = START;
  lastAt: number | null = null;
  readonly kinds: string[] = [];
  readonly check: HeartbeatCheck;

  constructor(sql: SqlStorage) {
    this.check = new HeartbeatCheck({
      heartbeats: new Heartbeats(sql),
      account: () => 'default',
      lastEventAt: () => this.lastAt,
      onChanges: (changes) => this.kinds.push(...changes.map(({ notification }) => notification.kind)),
      clock: () => this.now,
    });
  }
}

describe('a check for silence', () => {
  it('notifies of each change once, and is due when the next can come', () =>
    inStorage(({ storage: { sql } }) => {
      const bench = new Bench(sql);
      expect(bench.check.nextAt(config)).toBe(START);
      bench.check.run(config);
      expect(bench.check.nextAt(config)).toBe(START + HOUR + 1);
      bench.lastAt = START + 5 * MINUTE;
      expect(bench.check.nextAt(config)).toBe(START + HOUR + 5 * MINUTE + 1);
      bench.now = START + 2 * HOUR;
      bench.check.run(config);
      bench.check.run(config);
      expect(bench.kinds).toEqual(['source.silent']);
      expect(bench.check.nextAt(config)).toBeNull();
      bench.lastAt = bench.now;
      expect(bench.check.nextAt(config)).toBe(bench.now);
      bench.check.run(config);
      expect(bench.kinds).toEqual(['source.silent', 'source.back']);
    }));
});
