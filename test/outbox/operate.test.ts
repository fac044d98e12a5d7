import fc from 'fast-check';
import { expect } from 'vitest';
import {
  cancelMessage,
  cancelMessages,
  retryMessage,
  retryMessages,
  type Act,
  type BulkFilter,
  type CancelFilter,
  type CancelStep,
} from '../../src/outbox/operate.ts';
import type { OutboxParts } from '../../src/outbox/parts.ts';
import { FORGOTTEN, type MessageRow } from '../../src/outbox/state/message.ts';
import { Bench } from './bench.ts';
import { it } from './it.ts';
import { addMany, addMessage, column, empty, rowOf } from './support.ts';

const NOW = Date.now();
const BY = 'ann@example.com';

/** An outbox whose calls under way are these. */
function partsOf(storage: DurableObjectStorage, ...sending: readonly number[]): OutboxParts {
  const { parts } = Object.assign(new Bench(storage), { now: NOW });
  Object.assign(parts.claims.flight, { has: (seq: number) => sending.includes(seq) });
  return parts;
}

type Row = Partial<MessageRow>;

/** A row as it is after a call for its only message, and why that was refused, if it was. */
function after(storage: DurableObjectStorage, act: Act, row: Row, ...sending: readonly number[]) {
  const { sql } = storage;
  empty(sql);
  addMessage(sql, { ...row, seq: 1 });
  const before = rowOf(sql, 1);
  const result = act(partsOf(storage, ...sending), before, BY);
  if (!result.ok) expect(rowOf(sql, 1)).toEqual(before);
  return { row: rowOf(sql, 1), why: result.ok ? null : result.error };
}

it('a retry queues a message at once, with its whole schedule, and says who asked', ({ storage }) => {
  for (const state of ['dead', 'uncertain', 'expired', 'cancelled', 'retrying'] as const) {
    const next_at = state === 'retrying' ? NOW + 60_000 : null;
    const old = { reason: 'gave up', tries: 9, refusals: 2, expires_at: 5, next_at };
    const { row, why } = after(storage, retryMessage, { state, ...old });
    expect([state, why]).toEqual([state, null]);
    expect(row).toMatchObject({ state: 'queued', reason: null, next_at: NOW, expires_at: null });
    expect(row).toMatchObject({ tries: 0, refusals: 0, params: '{"message":"hello"}' });
    expect(JSON.parse(row.actions)).toEqual([{ action: 'retry', by: BY, at: NOW }]);
  }
});

it('a retry that cannot be is refused, says why and changes nothing', ({ storage }) => {
  const refused: readonly (readonly [Row, string, ...number[]])[] = [
    [{ state: 'sent' }, 'sent already'],
    [{ state: 'queued' }, 'is already queued'],
    [{ state: 'dead', params: FORGOTTEN, forget: 1 }, 'stores no payloads'],
    [{ state: 'dead', attempts: `[${' '.repeat(500_000)}]` }, 'too many attempts'],
    [{ state: 'retrying', next_at: 5 }, 'is being sent right now', 1],
  ];
  for (const [row, why, ...sending] of refused)
    expect(after(storage, retryMessage, row, ...sending).why).toContain(why);
});

it('a cancellation takes a message out of delivery, unless it is over or under way', ({ storage }) => {
  for (const state of ['queued', 'retrying', 'uncertain', 'dead'] as const) {
    const { row, why } = after(storage, cancelMessage, { state, next_at: 5 });
    expect([state, why]).toEqual([state, null]);
    expect(row).toMatchObject({
      state: 'cancelled',
      next_at: null,
      reason: JSON.stringify({ code: 'cancelled', params: { by: BY } }),
    });
    expect(JSON.parse(row.actions)).toEqual([{ action: 'cancel', by: BY, at: NOW }]);
    expect(row.params).toBe('{"message":"hello"}');
  }
  for (const state of ['sent', 'expired', 'cancelled'] as const)
    expect(after(storage, cancelMessage, { state }).why).toBe(`is ${state} already`);
  expect(after(storage, cancelMessage, { state: 'queued' }, 1).why).not.toBeNull();
  const forgotten = after(storage, cancelMessage, { state: 'dead', forget: 1 }).row;
  expect(forgotten.params).toBe(FORGOTTEN);
  expect(after(storage, retryMessage, forgotten).why).toContain('stores no payloads');
});

it('any run of actions records those that were done, and leaves the last one’s state', ({ storage, sql }) => {
  const states = fc.constantFrom('queued', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled', 'sent');
  const actions = fc.array(fc.constantFrom('retry', 'cancel'), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(states, actions, (state, list) => {
      empty(sql);
      addMessage(sql, { seq: 1, state });
      const act = { retry: retryMessage, cancel: cancelMessage };
      const done = list.filter((action) => act[action](partsOf(storage), rowOf(sql, 1), BY).ok);
      const row = rowOf(sql, 1);
      expect(JSON.parse(row.actions)).toEqual(done.map((action) => ({ action, by: BY, at: NOW })));
      const last = done.at(-1);
      expect(row.state).toBe(last === undefined ? state : last === 'retry' ? 'queued' : 'cancelled');
      if (last !== undefined) expect(row.next_at).toBe(last === 'retry' ? NOW : null);
      if (state === 'sent') expect(done).toEqual([]);
    }),
  );
});

const inState = (sql: SqlStorage, state: string) =>
  column(sql, 'SELECT seq FROM messages WHERE state = ? ORDER BY seq', state);

const retry = (parts: OutboxParts, filter: BulkFilter, isDryRun = false, from = 0) =>
  retryMessages(parts, filter, BY, { after: from, isDryRun });

/** An event with the messages 1 and 2. */
const addEvent = (sql: SqlStorage): unknown =>
  sql.exec(
    `INSERT INTO events (id, source, state, received_at, payload, headers, query, first_message, message_count,
       config_version) VALUES ('evt_1', 'shop', 'routed', 1, '', '', '', 1, 2, 1)`,
  );

it('retrying many takes those of the filters, and no others', ({ storage, sql }) => {
  const dead = { state: 'dead', created_at: 200 } as const;
  addEvent(sql);
  addMessage(sql, { seq: 1, ...dead, created_at: 100, phone: '4930' });
  addMessage(sql, { seq: 2, ...dead, source: 'form' });
  addMessage(sql, { seq: 3, ...dead });
  addMessage(sql, { seq: 4, ...dead, state: 'uncertain' });
  addMessage(sql, { seq: 5, ...dead, params: FORGOTTEN });
  const count = (filter: object) => retry(partsOf(storage), { state: 'dead', ...filter }, true).retried;
  const filters = [{ phone: '4930' }, { event: 'evt_1' }, { event: "evt_1' OR 1=1 --" }, { event: 'evt_2' }];
  expect(filters.map(count)).toEqual([1, 2, 0, 0]);
  const filter: BulkFilter = { state: 'dead', source: 'shop', since: 200 };
  expect(retry(partsOf(storage), filter)).toEqual({ retried: 1, next: null });
  expect(inState(sql, 'queued')).toEqual([3]);
});

it('retrying many only counts in a dry run, and passes over what is under way', ({ storage, sql }) => {
  for (const seq of [1, 2, 3, 4]) addMessage(sql, { seq, state: 'dead', phone: `493000${seq % 3}` });
  const phones = ['4930001', '4930000', '4930001'];
  expect(retry(partsOf(storage, 2), { state: 'dead' }, true)).toEqual({ retried: 3, phones, next: null });
  expect(inState(sql, 'dead')).toEqual([1, 2, 3, 4]);
  expect(retry(partsOf(storage, 2), { state: 'dead' })).toEqual({ retried: 3, next: null });
  expect(inState(sql, 'dead')).toEqual([2]);
});

it('retrying many takes a thousand a step, oldest first, none of them twice', ({ storage, sql }) => {
  addMany(sql, 2_300, { state: 'dead' });
  const step = (from: number) => retry(partsOf(storage), { state: 'dead' }, false, from);
  expect(step(0)).toEqual({ retried: 1_000, next: 1_000 });
  expect(inState(sql, 'queued').at(-1)).toBe(1_000);
  sql.exec("UPDATE messages SET state = 'dead' WHERE state = 'queued'");
  expect(step(1_000)).toEqual({ retried: 1_000, next: 2_000 });
  expect(step(2_000)).toEqual({ retried: 300, next: null });
  expect(inState(sql, 'queued')[0]).toBe(1_001);
});

/** All steps of a cancellation, to its end. */
function cancelAll(parts: OutboxParts, filter: CancelFilter, isDryRun = false): readonly CancelStep[] {
  const steps: CancelStep[] = [];
  for (let from: number | null = 0; from !== null; from = steps.at(-1)?.next ?? null)
    steps.push(cancelMessages(parts, filter, BY, { after: from, isDryRun }));
  return steps;
}

it('cancelling many takes what waits, says who asked, and leaves what is in flight', ({ storage, sql }) => {
  const states = ['queued', 'sent', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled'] as const;
  states.forEach((state, at) =>
    addMessage(sql, { seq: at + 1, state, next_at: state === 'retrying' ? NOW : null }),
  );
  const now = () => states.map((_, at) => rowOf(sql, at + 1).state);
  const done = { cancelled: 3, inFlight: 0, looked: 7, next: null };
  expect(cancelAll(partsOf(storage), {}, true)).toEqual([done]);
  expect(now()).toEqual(states);
  expect(cancelAll(partsOf(storage, 1), {})).toEqual([{ ...done, cancelled: 2, inFlight: 1 }]);
  expect(now()).toEqual(['queued', 'sent', 'cancelled', 'cancelled', 'dead', 'expired', 'cancelled']);
  expect(rowOf(sql, 3)).toMatchObject({
    next_at: null,
    reason: JSON.stringify({ code: 'cancelled', params: { by: BY } }),
  });
  expect(JSON.parse(rowOf(sql, 3).actions)).toEqual([{ action: 'cancel', by: BY, at: NOW }]);
  expect(rowOf(sql, 7).actions).toBe('[]');
});

it('cancelling many takes only those of the filters', ({ storage, sql }) => {
  const phone = '4915187654321';
  const rows: readonly (readonly [CancelFilter, readonly number[]])[] = [
    [{ state: 'retrying' }, [3]],
    [{ source: 'form' }, [2]],
    [{ phone }, [1, 3]],
    [{ since: 5_000 }, [3, 4]],
    [{ event: 'evt_1' }, [1, 2]],
    [{ source: 'shop', phone, since: 5_000, state: 'retrying' }, [3]],
    [{ source: 'none' }, []],
    [{ event: 'evt_none' }, []],
  ];
  addEvent(sql);
  for (const [filter, seqs] of rows) {
    sql.exec('DELETE FROM messages');
    addMessage(sql, { seq: 1, phone });
    addMessage(sql, { seq: 2, source: 'form' });
    addMessage(sql, { seq: 3, phone, state: 'retrying', created_at: 6_000 });
    addMessage(sql, { seq: 4, created_at: 7_000 });
    cancelAll(partsOf(storage), filter);
    expect([filter, inState(sql, 'cancelled')]).toEqual([filter, seqs]);
  }
});

it('cancelling many goes in bounded steps through all that wait, each once', ({ storage, sql }) => {
  addMany(sql, 5_001, { state: 'sent' });
  addMany(sql, 2_500, {}, 5_002);
  const steps = cancelAll(partsOf(storage), { source: 'shop' });
  expect(steps[0]).toEqual({ cancelled: 0, inFlight: 0, looked: 5_000, next: 5_000 });
  expect(Math.max(...steps.map(({ cancelled }) => cancelled))).toBeLessThanOrEqual(1_000);
  const sum = (key: 'cancelled' | 'looked') => steps.reduce((all, step) => all + step[key], 0);
  expect([sum('cancelled'), sum('looked')]).toEqual([2_500, 7_501]);
  expect(inState(sql, 'queued')).toEqual([]);
});

it.for<[string, MessageRow['state'], (parts: OutboxParts) => number]>([
  ['retried', 'dead', (parts) => retry(parts, { state: 'dead' }).retried],
  ['cancelled', 'queued', (parts) => cancelAll(parts, {}).length],
  ['counted', 'queued', (parts) => cancelAll(parts, {}, true).length],
])('large messages are never in memory together when they are %s', ([, state, body], { storage, sql }) => {
  const large = 700_000;
  addMany(sql, 12, { state, params: JSON.stringify({ message: 'x'.repeat(large) }) });
  const exec = sql.exec.bind(sql);
  let largest = 0;
  sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
    const cursor = exec<Row>(query, ...values);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = () => {
      const rows = toArray();
      largest = Math.max(largest, JSON.stringify(rows).length);
      return rows;
    };
    return cursor;
  };
  expect(body(partsOf(storage))).toBeGreaterThan(0);
  expect(largest).toBeLessThan(2 * large);
});
