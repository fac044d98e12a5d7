import { describe, expect, it } from 'vitest';
import { MAX_IN_FLIGHT, MAX_WAIT_MS } from '../../../src/outbox/send/timing.ts';
import { Bench } from '../bench.ts';
import { draft, inStorage, MINUTE, SECOND, START, UNPACED } from '../support.ts';

const FAR = START + 60 * MINUTE;

describe('when the next message goes', () => {
  it('is never while nothing waits or the account is paused, and a minute later while it is blocked', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      const { timing } = bench.dispatch;
      expect(timing.nextRunAt(UNPACED)).toBeNull();
      bench.blockedReason = 'the secret GATEWAY_API_KEY is missing';
      await bench.accept(draft());
      expect(timing.nextRunAt(UNPACED)).toBe(START + MINUTE);
      expect(timing.capacity(UNPACED, START)).toBe(0);
      bench.meta.pause = { at: START, by: 'ada', reason: 'lunch' };
      expect(timing.nextRunAt(UNPACED)).toBeNull();
    }));

  it('is when the circuit probes, with one call', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      bench.meta.circuit = { ...bench.meta.circuit, probeAt: START + 30 * SECOND };
      await bench.accept(draft(), draft());
      const { timing } = bench.dispatch;
      expect(timing.nextRunAt(UNPACED)).toBe(START + 30 * SECOND);
      expect(timing.capacity(UNPACED, START)).toBe(0);
      expect(timing.capacity(UNPACED, START + 30 * SECOND)).toBe(1);
    }));

  it('leaves connections free for what is in flight', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      expect(bench.open).toHaveLength(2);
      expect(bench.dispatch.timing.capacity(UNPACED, START)).toBe(MAX_IN_FLIGHT - 2);
    }));

  it('is waited for if that is cheaper than an alarm, and the run may call once more', () =>
    inStorage(async ({ storage: { sql } }) => {
      const rate = { perMinute: Math.ceil((2 * MINUTE) / MAX_WAIT_MS), burst: 1 };
      const bench = new Bench(sql, { rate });
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      const { timing } = bench.dispatch;
      expect(timing.isWorthWaiting(bench.policy, FAR)).toBe(true);
      expect(timing.isWorthWaiting(bench.policy, START)).toBe(false);
      expect(timing.isWorthWaiting({ ...bench.policy, rate: { perMinute: 30, burst: 1 } }, FAR)).toBe(false);
      bench.calls.exhaust();
      expect(timing.isWorthWaiting(bench.policy, FAR)).toBe(false);
    }));
});
