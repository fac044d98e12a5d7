import { describe, expect, it } from 'vitest';
import {
  cancelMessages,
  type CancelFilter,
  type CancelStep,
} from '../../../src/outbox/operate/cancel-many.ts';
import type { OperateContext } from '../../../src/outbox/operate/operate.ts';
import { acceptanceTo, addMessage, inOutbox, messageRow } from '../bare-outbox.ts';

const NOW = Date.now();

const contextOf = (sql: SqlStorage, extra: Partial<OperateContext> = {}): OperateContext => ({
  sql,
  now: NOW,
  by: 'ann@example.com',
  isSending: () => false,
  ...extra,
});

/** All steps of a cancellation, to its end. */
function cancelAll(context: OperateContext, filter: CancelFilter, isDryRun = false): readonly CancelStep[] {
  const steps: CancelStep[] = [];
  for (let after: number | null = 0; after !== null;) {
    const step = cancelMessages(context, filter, { after, isDryRun });
    steps.push(step);
    after = step.next;
  }
  return steps;
}

const sum = (steps: readonly CancelStep[], key: 'cancelled' | 'inFlight' | 'looked'): number =>
  steps.reduce((total, step) => total + step[key], 0);

const STATES = ['queued', 'sent', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled'] as const;

/** One message in each state, numbered from 1. */
function addOneOfEach(sql: SqlStorage): void {
  for (const [index, state] of STATES.entries())
    addMessage(sql, { seq: index + 1, state, next_at: state === 'retrying' ? NOW + 1_000 : null });
}

const statesNow = (sql: SqlStorage): readonly string[] =>
  STATES.map((_, index) => messageRow(sql, index + 1).state);

describe('cancelling many messages', () => {
  it('takes what still waits, and nothing else; it is recorded who asked and when', () =>
    inOutbox((_outbox, { sql }) => {
      addOneOfEach(sql);
      const steps = cancelAll(contextOf(sql), {});
      expect(steps).toEqual([{ cancelled: 3, inFlight: 0, looked: 7, next: null }]);
      expect(statesNow(sql)).toEqual([
        'cancelled',
        'sent',
        'cancelled',
        'cancelled',
        'dead',
        'expired',
        'cancelled',
      ]);
      const row = messageRow(sql, 3);
      expect(row).toMatchObject({ next_at: null, reason: 'cancelled by ann@example.com' });
      expect(JSON.parse(row.actions)).toEqual([{ action: 'cancel', by: 'ann@example.com', at: NOW }]);
      expect(messageRow(sql, 7).actions).toBe('[]');
    }));

  it('only counts in a dry run', () =>
    inOutbox((_outbox, { sql }) => {
      addOneOfEach(sql);
      expect(cancelAll(contextOf(sql), {}, true)).toEqual([
        { cancelled: 3, inFlight: 0, looked: 7, next: null },
      ]);
      expect(statesNow(sql)).toEqual(STATES);
    }));

  it('leaves what is in flight, and says how much that is', () =>
    inOutbox((_outbox, { sql }) => {
      addOneOfEach(sql);
      const context = contextOf(sql, { isSending: (seq) => seq === 1 });
      expect(cancelAll(context, {})).toEqual([{ cancelled: 2, inFlight: 1, looked: 7, next: null }]);
      expect(messageRow(sql, 1).state).toBe('queued');
    }));

  it.each<[string, CancelFilter, readonly number[]]>([
    ['of a state', { state: 'retrying' }, [3]],
    ['of a source', { source: 'form' }, [2]],
    ['to a phone', { phone: '4915187654321' }, [1, 3]],
    ['made since', { since: 5_000 }, [3, 4]],
    ['of all of it', { source: 'shop', phone: '4915187654321', since: 5_000, state: 'retrying' }, [3]],
    ['of a source that is not there', { source: 'none' }, []],
    ['of an event that is not there', { event: 'evt_none' }, []],
  ])('takes only those %s', (_, filter, numbers) =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, phone: '4915187654321' });
      addMessage(sql, { seq: 2, source: 'form' });
      addMessage(sql, { seq: 3, phone: '4915187654321', state: 'retrying', created_at: 6_000 });
      addMessage(sql, { seq: 4, created_at: 7_000 });
      cancelAll(contextOf(sql), filter);
      const cancelled = [1, 2, 3, 4].filter((seq) => messageRow(sql, seq).state === 'cancelled');
      expect(cancelled).toEqual(numbers);
    }),
  );

  it('takes only those of an event', () =>
    inOutbox(async (outbox, { sql }) => {
      await outbox.accept(acceptanceTo(['4915112345601']));
      const { event } = await outbox.accept(acceptanceTo(['4915112345602', '4915112345603']));
      await outbox.accept(acceptanceTo(['4915112345604']));
      const steps = cancelAll(contextOf(sql), { event });
      expect(sum(steps, 'cancelled')).toBe(2);
      const states = [1, 2, 3, 4].map((seq) => messageRow(sql, seq).state);
      expect(states.join(' ')).toBe('queued cancelled cancelled queued');
    }));

  it(
    'goes in bounded steps through 100,000 that wait, each once',
    () =>
      inOutbox((_outbox, { sql }) => {
        addMessage(sql, { seq: 1 });
        sql.exec(
          `WITH RECURSIVE n(seq) AS (SELECT 2 UNION ALL SELECT seq + 1 FROM n WHERE seq < 100000)
         INSERT INTO messages (seq, event_id, source, route, kind, phone, params, state, priority, on_uncertain, created_at, config_version)
           SELECT n.seq, m.event_id, m.source, m.route, m.kind, m.phone, m.params, m.state, m.priority, m.on_uncertain,
             m.created_at, m.config_version FROM n, messages m WHERE m.seq = 1`,
        );
        const steps = cancelAll(contextOf(sql), { source: 'shop' });
        expect(Math.max(...steps.map(({ cancelled }) => cancelled))).toBeLessThanOrEqual(1_000);
        expect(Math.max(...steps.map(({ looked }) => looked))).toBeLessThanOrEqual(5_000);
        expect(sum(steps, 'cancelled')).toBe(100_000);
        expect(sum(steps, 'looked')).toBe(100_000);
        const left = sql
          .exec<{ n: number }>("SELECT count(*) AS n FROM messages WHERE state = 'queued'")
          .one();
        expect(left.n).toBe(0);
      }),
    60_000,
  );

  it(
    'passes by what does not fit in bounded steps, too',
    () =>
      inOutbox((_outbox, { sql }) => {
        for (let seq = 1; seq <= 5_001; seq += 1) addMessage(sql, { seq, state: 'sent' });
        addMessage(sql, { seq: 5_002 });
        expect(cancelAll(contextOf(sql), {})).toEqual([
          { cancelled: 0, inFlight: 0, looked: 5_000, next: 5_000 },
          { cancelled: 1, inFlight: 0, looked: 2, next: null },
        ]);
      }),
    30_000,
  );
});

describe('an outbox', () => {
  it('counts what was cancelled, and sends what waited behind it', () =>
    inOutbox(async (outbox) => {
      await outbox.accept(acceptanceTo(['4915112345601', '4915112345602']));
      const step = outbox.cancelAll({ phone: '4915112345601' }, 'token', { after: 0, isDryRun: false });
      expect(step.cancelled).toBe(1);
      expect(outbox.metrics().totals).toMatchObject({ 'message shop cancelled': 1 });
      expect(outbox.cancelAll({}, 'token', { after: 0, isDryRun: true }).cancelled).toBe(1);
      expect(outbox.metrics().totals).toMatchObject({ 'message shop cancelled': 1 });
    }));
});
