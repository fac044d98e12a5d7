import { describe, expect, it } from 'vitest';
import type { AccountPolicy } from '../../../src/config/config.ts';
import { MAX_COUNTED, outboxGauges } from '../../../src/outbox/read/gauges.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { outboxStatus } from '../../../src/outbox/read/status.ts';
import type { OutboxStatus } from '../../../src/outbox/answers/api-status.ts';
import { Bench } from '../bench.ts';
import { addMessage, inStorage } from '../bare-outbox.ts';
import { countRows, draft, HOUR, START, TAG, UNPACED } from '../support.ts';

const level = { bytes: 1_000, maxBytes: 9_000, state: 'ok' } as const;

const statusOf = (sql: SqlStorage, bench: Bench, policy: AccountPolicy = bench.policy): OutboxStatus =>
  outboxStatus(
    { sql, tag: TAG, account: 'sales', claims: bench.claims },
    {
      meta: bench.meta,
      level,
      incidents: { open: 1, waiting: 2 },
      escapes: { state: { failures: 0 } },
      canary: { status: () => ({}) },
    },
    policy,
    bench.now,
  );

/** Many rows like this one. */
function addMany(sql: SqlStorage, message: Partial<MessageRow>): void {
  addMessage(sql, { seq: 1, ...message });
  sql.exec(
    `INSERT INTO messages SELECT value, event_id, source, route, kind, phone, params, state, reason, priority,
       on_uncertain, next_at, expires_at, tries, refusals, attempts, created_at, sent_at, config_version, actions, forget, about, says, fallback, links, escaped
       FROM messages, (WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < ?) SELECT value FROM n)`,
    MANY,
  );
}

const MANY = 60_000;
const LATER = START + HOUR;

describe('of three hundred thousand messages', () => {
  it.each([
    [{ state: 'queued' }, { queued: MANY, inexact: ['queued'] }],
    [
      { state: 'queued', next_at: LATER },
      { queued: MANY, inexact: ['queued'] },
    ],
    [
      { state: 'retrying', next_at: LATER },
      { retrying: MAX_COUNTED, inexact: ['queued', 'retrying'] },
    ],
    [{ state: 'uncertain' }, { uncertain: MAX_COUNTED, inexact: ['queued', 'uncertain'] }],
    [{ state: 'dead' }, { dead: MAX_COUNTED, inexact: ['queued', 'dead'] }],
    [{ state: 'sent' }, { queued: MANY, inexact: ['queued'] }],
  ] as const)('%j: neither status nor gauges look at more than a bounded number', (message, shown) =>
    inStorage(({ storage, storage: { sql } }) => {
      addMany(sql, message);
      const bench = new Bench(storage);
      bench.meta.pause = { at: START, by: 'token', reason: 'a rest' };
      const rows = countRows(sql);
      expect(statusOf(sql, bench)).toMatchObject(shown);
      expect(rows.read()).toBeLessThan(3 * MAX_COUNTED);
      rows.reset();
      outboxGauges({
        sql,
        tag: TAG,
        account: 'sales',
        claims: bench.claims,
        meta: bench.meta,
        now: bench.now,
      });
      expect(rows.read()).toBeLessThan(4 * MAX_COUNTED);
    }),
  );

  it('those that were sent are not taken for waiting once they were looked at', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      addMany(sql, { state: 'sent' });
      sql.exec("UPDATE messages SET state = 'queued', phone = '4915112345601' WHERE seq IN (1, 2)");
      const bench = new Bench(storage, { perRecipient: { perHour: 1 } });
      // The first goes out, and the second waits for its receiver while all the others are looked at.
      for (let turn = 0; turn < MANY / 2_000; turn += 1) await bench.wake();
      const { queued, sending } = statusOf(sql, bench);
      expect(queued + sending).toBeLessThan(10);
    }));
});

describe('an account’s status', () => {
  it('of a new account shows nothing but its pace, and what its incidents count', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { rate: { perMinute: 30, burst: 5 } });
      expect(statusOf(sql, bench)).toEqual({
        account: 'sales',
        queued: 0,
        retrying: 0,
        sending: 0,
        uncertain: 0,
        dead: 0,
        waiting: 2,
        open_incidents: 1,
        circuit: { state: 'closed', failures: 0 },
        paused: null,
        rate: { per_minute: 30, burst: 5 },
        storage: { bytes: 1_000, max_bytes: 9_000, state: 'ok' },
        drain_seconds: 0,
      });
    }));

  it('counts each open message once, also while it is being sent', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [0] });
      await bench.accept(
        draft({ phone: 'a' }),
        draft({ phone: 'b', priority: 'high' }),
        draft({ phone: 'a' }),
        draft({ phone: 'c', delayMs: HOUR }),
        draft({ phone: 'd' }),
      );
      await bench.answer(5, 'unreachable');
      await bench.wake();
      expect(statusOf(sql, bench)).toMatchObject({ sending: 3, queued: 2, retrying: 0 });
      bench.restart();
      expect(statusOf(sql, bench)).toMatchObject({ sending: 3, queued: 2, retrying: 0 });
    }));

  it('counts what waits for a retry, a person, or nothing any more', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(
        draft({ phone: 'a' }),
        draft({ phone: 'b', onUncertain: 'hold' }),
        draft({ phone: 'c' }),
        draft({ phone: 'd' }),
      );
      await bench.answer(1, 'unreachable');
      await bench.answer(2, 'uncertain');
      await bench.answer(3, 'rejected');
      await bench.answer(4, 'sent');
      expect(statusOf(sql, bench)).toMatchObject({
        queued: 0,
        retrying: 1,
        uncertain: 1,
        dead: 1,
        sending: 0,
      });
    }));

  it('says why it is paused, since when and by whom', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.pause = { at: START, by: 'gateway', reason: 'not your key' };
      expect(statusOf(sql, bench).paused).toEqual({
        since: new Date(START).toISOString(),
        by: 'gateway',
        reason: 'not your key',
      });
    }));

  it('says when an open circuit is probed', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.circuit = { failures: 5, probeAt: START };
      expect(statusOf(sql, bench).circuit).toEqual({
        state: 'open',
        failures: 5,
        probe_at: new Date(START).toISOString(),
      });
    }));

  it('says what holds up its messages: a pause, the gateway, or receivers who got enough', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 1 } });
      expect(statusOf(sql, bench)).not.toHaveProperty('waits_for');
      await bench.accept(draft(), draft());
      await bench.answer(1, 'sent');
      const until = new Date(START + HOUR).toISOString();
      expect(statusOf(sql, bench).waits_for).toEqual({ for: 'receiver', until });
      // There is nothing to try an open circuit with before then.
      bench.meta.circuit = { failures: 5, probeAt: START - 1_500_000 };
      expect(statusOf(sql, bench).waits_for).toEqual({ for: 'receiver', until });
      const probeAt = START + 2 * HOUR;
      bench.meta.circuit = { failures: 5, probeAt };
      const probe = new Date(probeAt).toISOString();
      expect(statusOf(sql, bench).waits_for).toEqual({ for: 'circuit', until: probe });
      bench.meta.pause = { at: START, by: 'anna', reason: 'a rest' };
      expect(statusOf(sql, bench).waits_for).toEqual({ for: 'pause' });
    }));

  it('names the last failure of the gateway', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.circuit = { failures: 1, probeAt: null, last: { at: START, detail: 'it failed' } };
      expect(statusOf(sql, bench).circuit).toEqual({
        state: 'closed',
        failures: 1,
        last_error: { at: new Date(START).toISOString(), detail: 'it failed' },
      });
    }));

  it('counts the caps of receivers, and names who is at theirs', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 2 } });
      await bench.accept(...Array.from({ length: 4 }, () => draft()));
      expect(statusOf(sql, bench)).toMatchObject({ queued: 3, drain_seconds: 3_600 });
      for (const seq of [1, 2]) await bench.answer(seq, 'sent');
      const at = new Date(START + HOUR).toISOString();
      expect(statusOf(sql, bench)).toMatchObject({
        receivers_at_cap: { receivers: 1, messages: 2, per_hour: 2, next_at: at, last_at: at },
        drain_seconds: 3_600,
      });
      expect(statusOf(sql, bench)).not.toHaveProperty('drain_at_least');
      bench.restart();
      expect(statusOf(sql, bench)).toMatchObject({ queued: 2, drain_seconds: 0, drain_at_least: true });
    }));

  it('reports how long the queue takes at the account’s pace', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const pause = { at: START, by: 'token', reason: 'a rest' };
      bench.meta.pause = pause;
      await bench.accept(...Array.from({ length: 31 }, () => draft()));
      bench.meta.pause = null;
      const paced = { ...UNPACED, rate: { perMinute: 30, burst: 5 } };
      expect(statusOf(sql, bench, paced).drain_seconds).toBe(60);
      expect(statusOf(sql, bench, UNPACED)).toMatchObject({ rate: null, drain_seconds: 0 });
      bench.meta.pause = pause;
      expect(statusOf(sql, bench, paced).drain_seconds).toBeNull();
    }));
});
