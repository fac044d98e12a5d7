import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_IN_FLIGHT, MAX_WAIT_MS, type Wait } from '../../../src/outbox/send/timing.ts';
import { isDue } from '../../../src/outbox/state/states.ts';
import { Bench } from '../bench.ts';
import { allRows, ANSWERS, countRows, draft, empty, HOUR, MINUTE, rowOf, SECOND, START, UNPACED } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const FAR = START + 60 * MINUTE;

describe('when the next message goes', () => {
  it('is never while nothing waits or the account is paused, and a minute later while it is blocked', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      const { timing } = bench;
      expect(timing.nextRunAt(UNPACED)).toBeNull();
      bench.blockedReason = 'the secret GATEWAY_API_KEY is missing';
      await bench.accept(draft());
      expect(timing.nextRunAt(UNPACED)).toBe(START + MINUTE);
      expect(timing.capacity(UNPACED, START)).toBe(0);
      bench.meta.pause = { at: START, by: 'ada', reason: 'lunch' };
      expect(timing.nextRunAt(UNPACED)).toBeNull();
    }));

  it('is when the circuit probes, with one call', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      bench.meta.circuit = { ...bench.meta.circuit, probeAt: START + 30 * SECOND };
      await bench.accept(draft(), draft());
      const { timing } = bench;
      expect(timing.nextRunAt(UNPACED)).toBe(START + 30 * SECOND);
      expect(timing.capacity(UNPACED, START)).toBe(0);
      expect(timing.capacity(UNPACED, START + 30 * SECOND)).toBe(1);
    }));

  it('leaves connections free for what is in flight', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      expect(bench.open).toHaveLength(2);
      expect(bench.timing.capacity(UNPACED, START)).toBe(MAX_IN_FLIGHT - 2);
    }));

  it('is waited for if that is cheaper than an alarm, and the run may call once more', () =>
    inStorage(async ({ storage }) => {
      const rate = { perMinute: Math.ceil((2 * MINUTE) / MAX_WAIT_MS), burst: 1 };
      const bench = new Bench(storage, { rate });
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      const { timing } = bench;
      expect(timing.isWorthWaiting(bench.policy, FAR)).toBe(true);
      expect(timing.isWorthWaiting(bench.policy, START)).toBe(false);
      expect(timing.isWorthWaiting({ ...bench.policy, rate: { perMinute: 30, burst: 1 } }, FAR)).toBe(false);
      bench.calls.exhaust();
      expect(timing.isWorthWaiting(bench.policy, FAR)).toBe(false);
    }));
});

const waitOf = (bench: Bench, sql: SqlStorage, seq: number): Wait =>
  bench.timing.waitOf(rowOf(sql, seq), bench.policy, bench.now);

describe('what a message waits for', () => {
  it('is a pause or a missing login, as long as they last, whatever else there is', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.blockedReason = 'the secret GATEWAY_API_KEY is missing';
      await bench.accept(draft({ delayMs: HOUR }));
      expect(waitOf(bench, sql, 1)).toEqual({
        for: 'login',
        detail: 'the secret GATEWAY_API_KEY is missing',
      });
      bench.meta.pause = { at: START, by: 'ada', reason: 'lunch' };
      expect(waitOf(bench, sql, 1)).toEqual({ for: 'pause', detail: 'ada: lunch' });
    }));

  it('is its delay, and then its turn behind the call to its receiver', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft(), draft(), draft({ delayMs: MINUTE }));
      expect(waitOf(bench, sql, 2)).toEqual({ for: 'turn' });
      expect(waitOf(bench, sql, 3)).toEqual({ for: 'delay', until: START + MINUTE });
    }));

  it('is the account’s pace', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { rate: { perMinute: 6, burst: 1 } });
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      expect(waitOf(bench, sql, 2)).toEqual({
        for: 'pace',
        until: bench.claims.pace.nextSendAt(bench.policy.rate, START),
      });
    }));

  it('is the receiver’s cap, with the hour in which its place in the line comes', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 2 } });
      await bench.accept(...Array.from({ length: 7 }, () => draft({ phone: 'a' })), draft({ phone: 'b' }));
      await bench.answer(1, 'sent');
      bench.now += MINUTE;
      await bench.answer(2, 'sent');
      const until = [3, 4, 5, 6, 7].map((seq) => waitOf(bench, sql, seq).until);
      expect(until).toEqual([1, 1, 2, 2, 3].map((hours) => START + hours * HOUR));
      expect(waitOf(bench, sql, 3)).toMatchObject({ for: 'receiver', per_hour: 2 });
    }));

  it('is the next attempt, with its number, and fewer of them when the gateway refuses', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [MINUTE, HOUR, HOUR, HOUR] });
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }));
      await bench.answer(1, 'server_error');
      await bench.answer(2, 'refused');
      const until = START + MINUTE;
      expect(waitOf(bench, sql, 1)).toEqual({ for: 'retry', until, attempt: 2, of: 5 });
      expect(waitOf(bench, sql, 2)).toEqual({ for: 'retry', until, attempt: 2, of: 3 });
    }));

  it('is the circuit, also while its probe is under way, with the last failure', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE }, retryMs: [SECOND] });
      await bench.accept(draft({ phone: 'a' }));
      await bench.answer(1, 'server_error');
      await bench.accept(draft({ phone: 'b' }));
      const { detail } = ANSWERS.server_error;
      expect(waitOf(bench, sql, 2)).toEqual({ for: 'circuit', until: START + MINUTE, detail });
      expect(waitOf(bench, sql, 1)).toMatchObject({ for: 'circuit', attempt: 2, of: 2 });
      await bench.pass(MINUTE);
      expect(bench.open).toHaveLength(1);
      const waiting = [1, 2].find((seq) => !bench.claims.flight.has(seq)) ?? 0;
      expect(waitOf(bench, sql, waiting)).toMatchObject({ for: 'circuit', detail });
      expect(waitOf(bench, sql, waiting)).not.toHaveProperty('until');
    }));

  it('is found without a row written, and again without a row read', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { rate: { perMinute: 6, burst: 1 }, perRecipient: { perHour: 1 } });
      await bench.accept(...Array.from({ length: 50 }, () => draft({ phone: 'a' })));
      const rows = allRows(sql);
      const counted = countRows(sql);
      for (const row of rows) bench.timing.waitOf(row, bench.policy, bench.now);
      expect([counted.read(), counted.written()]).toEqual([0, 0]);
    }));

  it('is what holds it: nothing goes before it may, and a receiver that is waited for is at its cap', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 30 }),
          fc.constantFrom(null, { perMinute: 6, burst: 2 }, { perMinute: 60, burst: 5 }),
          fc.constantFrom(null, { perHour: 1 }, { perHour: 3 }),
          async (steps, rate, perRecipient) => {
            empty(sql);
            const circuit = { failures: 3, probeMs: MINUTE };
            const bench = new Bench(storage, {
              rate,
              perRecipient,
              circuit,
              retryMs: [SECOND, MINUTE, HOUR],
            });
            const held = new Map<number, number>();
            for (const one of steps) {
              const before = bench.meta.circuit;
              const stopped = waits(bench, sql).filter(([, wait]) => wait.for === 'circuit');
              const made = bench.made.length;
              await one(bench);
              const sends = bench.made.slice(made);
              for (const { seq, at } of sends) expect(at).toBeGreaterThanOrEqual(held.get(seq) ?? 0);
              // An answer may close the circuit before its time.
              for (const [seq, { until = 0 }] of bench.meta.circuit === before ? stopped : [])
                for (const { at } of sends.filter((send) => send.seq === seq))
                  expect(at).toBeGreaterThanOrEqual(until);
              for (const [seq, wait] of waits(bench, sql))
                if (wait.for !== 'circuit') held.set(seq, Math.max(held.get(seq) ?? 0, wait.until ?? 0));
              for (const { seq } of sends) held.delete(seq);
            }
          },
        ),
        { numRuns: 150 },
      );
    }));
});

type Step = (bench: Bench) => Promise<unknown>;
const drafts = fc
  .record({
    phone: fc.constantFrom('a', 'a', 'a', 'b', null),
    priority: fc.constantFrom('normal' as const, 'normal' as const, 'high' as const),
    delayMs: fc.constantFrom(0, 0, 0, MINUTE),
  })
  .map(draft);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(drafts, { maxLength: 6 }).map(
    (some): Step =>
      (bench) =>
        bench.accept(...some),
  ),
  fc
    .record({
      which: fc.nat(5),
      outcome: fc.constantFrom(
        'sent' as const,
        'sent' as const,
        'refused' as const,
        'server_error' as const,
        'busy' as const,
      ),
    })
    .map(
      ({ which, outcome }): Step =>
        async (bench) =>
          bench.open[which]?.answer(ANSWERS[outcome]),
    ),
  fc.oneof(fc.nat(5 * SECOND), fc.nat(2 * HOUR)).map(
    (ms): Step =>
      (bench) =>
        bench.pass(ms),
  ),
  fc.constant<Step>((bench) => bench.passToNextRun()),
);

/** Returns what each message waits for. Fails on a wait that cannot be. */
function waits(bench: Bench, sql: SqlStorage): readonly (readonly [number, Wait])[] {
  const {
    timing,
    claims: { flight },
  } = bench;
  return allRows(sql)
    .filter(({ seq, state }) => isDue(state) && !flight.has(seq))
    .map((row) => {
      const wait = timing.waitOf(row, bench.policy, bench.now);
      const sends = bench.made.filter(({ phone, at }) => phone === row.phone && at > bench.now - HOUR);
      if (wait.for === 'receiver') expect(sends.length).toBe(wait.per_hour);
      if (wait.for === 'retry') expect([row.state, wait.until]).toEqual(['retrying', row.next_at]);
      return [row.seq, wait] as const;
    });
}
