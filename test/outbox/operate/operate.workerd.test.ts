import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelMessage,
  FORGOTTEN,
  retryMessage,
  retryMessages,
  type BulkFilter,
  type BulkFrom,
  type OperateContext,
} from '../../../src/outbox/operate/operate.ts';
import { addMessage, inOutbox, messageRow } from '../bare-outbox.ts';

const NOW = Date.now();

const contextOf = (sql: SqlStorage, extra: Partial<OperateContext> = {}): OperateContext => ({
  sql,
  now: NOW,
  by: 'token',
  isSending: () => false,
  ...extra,
});

describe('retrying one message', () => {
  it.each(['dead', 'uncertain', 'expired', 'cancelled', 'retrying'] as const)(
    'queues one that is %s at once, with its whole schedule, and records who asked and when',
    (state) =>
      inOutbox((_outbox, { sql }) => {
        addMessage(sql, {
          seq: 1,
          state,
          reason: 'gave up',
          tries: 9,
          refusals: 2,
          expires_at: 5,
          next_at: state === 'retrying' ? NOW + 60_000 : null,
        });
        expect(retryMessage(contextOf(sql, { by: 'ann@example.com' }), messageRow(sql, 1)).ok).toBe(true);
        const row = messageRow(sql, 1);
        expect(row).toMatchObject({ state: 'queued', reason: null, next_at: NOW, expires_at: null });
        expect(row).toMatchObject({ tries: 0, refusals: 0, params: '{"message":"hello"}' });
        expect(JSON.parse(row.actions)).toEqual([{ action: 'retry', by: 'ann@example.com', at: NOW }]);
      }),
  );

  it.each([
    ['sent', {}, 'sent already'],
    ['queued', {}, 'is already queued'],
    ['dead', { params: FORGOTTEN, forget: 1 }, 'stores no payloads'],
    ['dead', { attempts: `[${' '.repeat(500_000)}]` }, 'too many attempts'],
  ] as const)('refuses one that is %s (%o), says why and changes nothing', (state, extra, why) =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state, ...extra });
      const before = messageRow(sql, 1);
      const result = retryMessage(contextOf(sql), before);
      expect(result.ok ? '' : result.error).toContain(why);
      expect(messageRow(sql, 1)).toEqual(before);
    }),
  );

  it('refuses one whose call is under way, whatever its row says', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'retrying', next_at: 5 });
      const result = retryMessage(contextOf(sql, { isSending: (seq) => seq === 1 }), messageRow(sql, 1));
      expect(result).toEqual({ ok: false, error: 'is being sent right now' });
      expect(messageRow(sql, 1).state).toBe('retrying');
    }));
});

describe('cancelling one message', () => {
  it.each(['queued', 'retrying', 'uncertain', 'dead'] as const)(
    'takes one that is %s out of delivery',
    (state) =>
      inOutbox((_outbox, { sql }) => {
        addMessage(sql, { seq: 1, state, next_at: 5 });
        expect(cancelMessage(contextOf(sql), messageRow(sql, 1)).ok).toBe(true);
        const row = messageRow(sql, 1);
        expect(row).toMatchObject({ state: 'cancelled', next_at: null, reason: 'cancelled by token' });
        expect(JSON.parse(row.actions)).toEqual([{ action: 'cancel', by: 'token', at: NOW }]);
        expect(row.params).toBe('{"message":"hello"}');
      }),
  );

  it.each(['sent', 'expired', 'cancelled'] as const)('refuses one that is %s', (state) =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state });
      expect(cancelMessage(contextOf(sql), messageRow(sql, 1))).toEqual({
        ok: false,
        error: `is ${state} already`,
      });
      expect(messageRow(sql, 1)).toMatchObject({ state, actions: '[]' });
    }),
  );

  it('refuses one whose call is under way: it cannot be called back', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1 });
      expect(cancelMessage(contextOf(sql, { isSending: () => true }), messageRow(sql, 1)).ok).toBe(false);
      expect(messageRow(sql, 1).state).toBe('queued');
    }));

  it('forgets the parameters of a source that keeps no payloads, after which a retry says why it cannot', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'dead', forget: 1 });
      expect(cancelMessage(contextOf(sql), messageRow(sql, 1)).ok).toBe(true);
      expect(messageRow(sql, 1).params).toBe(FORGOTTEN);
      const retried = retryMessage(contextOf(sql), messageRow(sql, 1));
      expect(retried.ok ? '' : retried.error).toContain('stores no payloads');
    }));
});

describe('any run of actions', () => {
  it('records exactly those that were done, and leaves the message queued with a moment, or cancelled without', () =>
    inOutbox((_outbox, { sql }) => {
      let seq = 0;
      fc.assert(
        fc.property(
          fc.constantFrom('queued', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled', 'sent'),
          fc.array(fc.constantFrom('retry' as const, 'cancel' as const), { minLength: 1, maxLength: 8 }),
          (state, actions) => {
            seq += 1;
            addMessage(sql, { seq, state });
            const done = actions.filter((action) => {
              const act = action === 'retry' ? retryMessage : cancelMessage;
              return act(contextOf(sql), messageRow(sql, seq)).ok;
            });
            const row = messageRow(sql, seq);
            expect(JSON.parse(row.actions)).toEqual(done.map((action) => ({ action, by: 'token', at: NOW })));
            const last = done.at(-1);
            expect(row.state).toBe(last === undefined ? state : last === 'retry' ? 'queued' : 'cancelled');
            if (last !== undefined) expect(row.next_at).toBe(last === 'retry' ? NOW : null);
            if (state === 'sent') expect(done).toEqual([]);
          },
        ),
      );
    }));
});

const states = (sql: SqlStorage, state: string): number[] =>
  sql
    .exec<{ seq: number }>('SELECT seq FROM messages WHERE state = ? ORDER BY seq', state)
    .toArray()
    .map(({ seq }) => seq);

const from = (after: number, isDryRun = false): BulkFrom => ({ after, isDryRun });

describe('retrying many', () => {
  const all: BulkFilter = { state: 'dead' };

  it('takes those of a receiver, and of an event', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'dead', phone: '4930' });
      addMessage(sql, { seq: 2, state: 'dead' });
      const of = (filter: object) =>
        retryMessages(contextOf(sql), { state: 'dead', ...filter }, from(0, true)).retried;
      expect(of({ phone: '4930' })).toBe(1);
      expect(of({ event: 'evt_1' })).toBe(0);
      sql.exec(
        `INSERT INTO events (id, source, state, received_at, payload, headers, query, first_message, message_count,
           config_version) VALUES ('evt_1', 'shop', 'routed', 1, '', '', '', 2, 1, 1)`,
      );
      expect(of({ event: 'evt_1' })).toBe(1);
      expect(of({ event: "evt_1' OR 1=1 --" })).toBe(0);
    }));

  it('only counts in a dry run, without those whose calls are under way', () =>
    inOutbox((_outbox, { sql }) => {
      for (let seq = 1; seq <= 3; seq += 1) addMessage(sql, { seq, state: 'dead', phone: `493000${seq}` });
      addMessage(sql, { seq: 4, state: 'dead', phone: '4930001' });
      const context = { ...contextOf(sql), isSending: (seq: number) => seq === 2 };
      expect(retryMessages(context, all, from(0, true))).toEqual({
        retried: 3,
        phones: ['4930001', '4930003', '4930001'],
        next: null,
      });
      expect(states(sql, 'dead')).toEqual([1, 2, 3, 4]);
    }));

  it('takes those of the state, source and time, and no others', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'dead', created_at: 100 });
      addMessage(sql, { seq: 2, state: 'dead', created_at: 200, source: 'form' });
      addMessage(sql, { seq: 3, state: 'dead', created_at: 200 });
      addMessage(sql, { seq: 4, state: 'uncertain', created_at: 200 });
      addMessage(sql, { seq: 5, state: 'dead', created_at: 200, params: FORGOTTEN });
      const filter: BulkFilter = { state: 'dead', source: 'shop', since: 200 };
      expect(retryMessages(contextOf(sql), filter, from(0))).toEqual({ retried: 1, next: null });
      expect(states(sql, 'queued')).toEqual([3]);
    }));

  it('takes a thousand a step, oldest first, and goes on where it stopped', () =>
    inOutbox((_outbox, { sql }) => {
      for (let seq = 1; seq <= 2_300; seq += 1) addMessage(sql, { seq, state: 'dead' });
      const context = contextOf(sql);
      expect(retryMessages(context, all, from(0))).toEqual({ retried: 1_000, next: 1_000 });
      expect(states(sql, 'queued').at(-1)).toBe(1_000);
      expect(retryMessages(context, all, from(1_000))).toEqual({ retried: 1_000, next: 2_000 });
      expect(retryMessages(context, all, from(2_000))).toEqual({ retried: 300, next: null });
      expect(states(sql, 'dead')).toEqual([]);
    }));

  it('does not take up again what died again meanwhile, in place of those behind it', () =>
    inOutbox((_outbox, { sql }) => {
      for (let seq = 1; seq <= 1_500; seq += 1) addMessage(sql, { seq, state: 'dead' });
      const { next } = retryMessages(contextOf(sql), all, from(0));
      sql.exec("UPDATE messages SET state = 'dead' WHERE state = 'queued'");
      expect(retryMessages(contextOf(sql), all, from(next ?? 0))).toEqual({ retried: 500, next: null });
      expect(states(sql, 'queued')[0]).toBe(1_001);
    }));

  it('passes over one that is being sent', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'retrying', next_at: 5 });
      addMessage(sql, { seq: 2, state: 'retrying', next_at: 5 });
      const context = contextOf(sql, { isSending: (seq) => seq === 1 });
      expect(retryMessages(context, { state: 'retrying' }, from(0))).toEqual({ retried: 1, next: null });
      expect(states(sql, 'retrying')).toEqual([1]);
    }));

  it('finds a few among many by the index', () =>
    inOutbox((_outbox, { sql }) => {
      for (let seq = 1; seq <= 2_000; seq += 1)
        addMessage(sql, { seq, state: seq % 1_000 === 0 ? 'dead' : 'sent' });
      let rowsRead = 0;
      const counting = new Proxy(sql, {
        get: (target, key) =>
          key === 'exec'
            ? (...args: Parameters<SqlStorage['exec']>) => {
                const cursor = target.exec(...args);
                const rows = cursor.toArray();
                rowsRead += cursor.rowsRead;
                return { toArray: () => rows };
              }
            : (Reflect.get(target, key) as unknown),
      });
      expect(retryMessages(contextOf(counting), all, from(0)).retried).toBe(2);
      expect(rowsRead).toBeLessThan(20);
    }));
});
