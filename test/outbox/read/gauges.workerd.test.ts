import { describe, expect, it } from 'vitest';
import { MAX_COUNTED, outboxGauges } from '../../../src/outbox/read/gauges.ts';
import { Bench } from '../bench.ts';
import { addMessage, inStorage } from '../bare-outbox.ts';
import { countRows, draft, HOUR, MINUTE, SECOND, START, TAG } from '../support.ts';

const gaugesOf = (bench: Bench, sql: SqlStorage) =>
  outboxGauges({
    sql,
    tag: TAG,
    account: 'default',
    claims: bench.claims,
    meta: bench.meta,
    now: bench.now,
  });

const to = (...phones: readonly string[]) => phones.map((phone) => draft({ phone }));

describe('the queue', () => {
  it('is counted by what its messages wait for, those in flight once', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [HOUR] });
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f'));
      await bench.answer(1, 'sent');
      await bench.answer(2, 'busy');
      await bench.answer(3, 'rejected');
      // Two more, one behind its receiver, and one that waits for its moment.
      await bench.accept(draft({ phone: 'g' }), draft({ phone: 'g' }), draft({ delayMs: HOUR, phone: 'h' }));
      expect(gaugesOf(bench, sql).queue).toEqual({
        queued: 2,
        retrying: 1,
        sending: 4,
        uncertain: 0,
        dead: 1,
      });
    }));

  it('of a million is not counted one by one', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.pause = { at: START, by: 'token', reason: 'a rest' };
      addMessage(sql, { seq: 1 });
      sql.exec(
        `INSERT INTO messages SELECT value, event_id, source, route, kind, phone, params, state, reason, priority,
           on_uncertain, next_at, expires_at, tries, refusals, attempts, created_at, sent_at, config_version, actions, forget, about, says, fallback, links, escaped
           FROM messages, (WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < ?) SELECT value FROM n)`,
        MAX_COUNTED + 10,
      );
      const rows = countRows(sql);
      expect(gaugesOf(bench, sql).queue.queued).toBe(MAX_COUNTED + 10);
      expect(rows.read()).toBeLessThan(100);
    }));
});

describe('the oldest message', () => {
  it('is none of an empty queue', () =>
    inStorage(({ storage, storage: { sql } }) => {
      expect(gaugesOf(new Bench(storage), sql).oldestMs).toEqual({ queued: 0, retrying: 0 });
    }));

  it('waits since it was accepted, or since its moment came', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.meta.pause = { at: START, by: 'token', reason: 'a rest' };
      await bench.accept(draft({ delayMs: MINUTE }));
      bench.now += MINUTE + SECOND;
      // Its moment was a second ago, not a minute.
      expect(gaugesOf(bench, sql).oldestMs.queued).toBe(SECOND);
      await bench.accept(draft());
      bench.now += MINUTE;
      expect(gaugesOf(bench, sql).oldestMs.queued).toBe(MINUTE + SECOND);
    }));

  it('that waits for its moment does not count', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ delayMs: HOUR }));
      await bench.pass(MINUTE);
      expect(gaugesOf(bench, sql).oldestMs.queued).toBe(0);
    }));

  it('that is tried again is as old as it is, and counts apart', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [HOUR] });
      await bench.accept(draft());
      await bench.answer(1, 'busy');
      bench.now += MINUTE;
      expect(gaugesOf(bench, sql).oldestMs).toEqual({ queued: 0, retrying: MINUTE });
    }));
});

describe('the account', () => {
  it('is paused, and its circuit open, or not', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      expect(gaugesOf(bench, sql)).toMatchObject({ paused: false, circuitOpen: false });
      bench.meta.pause = { at: START, by: 'token', reason: 'a rest' };
      bench.meta.circuit = { failures: 5, probeAt: START };
      expect(gaugesOf(bench, sql)).toMatchObject({ paused: true, circuitOpen: true });
    }));
});
