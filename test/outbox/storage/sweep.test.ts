import fc from 'fast-check';
import { expect } from 'vitest';
import { commitAcceptance } from '../../../src/outbox/intake.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { lastSweptSeq, SWEEP_START, sweepStep, type SweepContext } from '../../../src/outbox/housekeeping.ts';
import { it } from '../it.ts';
import { eventSample } from '../samples.ts';
import { addMessage, column, commitContext, DAY, draftTo } from '../support.ts';

const NOW = Date.now();
const BEFORE = NOW - 30 * DAY;
const OLD = BEFORE - DAY;

/** Sweeps what is older than 30 days to the end and returns how many steps it took. `before: null`: all that is over. */
function sweep(sql: SqlStorage, extra: Partial<SweepContext> = {}): number {
  const context = { sql, now: NOW, before: BEFORE, flight: [], ...extra };
  let steps = 1;
  for (let at = sweepStep(context, SWEEP_START); at !== null; steps += 1) at = sweepStep(context, at);
  return steps;
}

const seqs = (sql: SqlStorage) => column(sql, 'SELECT seq FROM messages ORDER BY seq');
const eventIds = (sql: SqlStorage) => column(sql, 'SELECT id FROM events ORDER BY id');
const claims = (sql: SqlStorage) => column(sql, 'SELECT key FROM dedupe_claims ORDER BY key');

/** Accepts an event at `at` with messages, numbered from `nextSeq`, and says what it is called. */
function accept(sql: SqlStorage, at: number, nextSeq: number, count = 0, extra: Partial<AcceptedEvent> = {}) {
  const event = eventSample(at, extra);
  const messages = Array.from({ length: count }, () => draftTo('4915112345678'));
  commitAcceptance(commitContext(sql, nextSeq, at), { event, messages });
  return event.id;
}

/** Accepts messages about the things `a` and `b` of a list, which are sent. */
function acceptList(sql: SqlStorage, windowMs: number): void {
  const messages = ['a', 'b'].map((itemKey) => draftTo('4915112345678', { itemKey }));
  commitAcceptance(commitContext(sql, 1, OLD), {
    event: eventSample(OLD, { itemWindowMs: windowMs }),
    messages,
  });
  sql.exec("UPDATE messages SET state = 'sent'");
}

it('the claims of items and of what was signed keep their event while they hold', ({ sql }) => {
  acceptList(sql, DAY);
  accept(sql, OLD, 3, 0, { signed: { keys: ['signed:1'], windowMs: DAY } });
  expect(claims(sql)).toEqual(['#shop\na', '#shop\nb', '#shop\nsigned:1']);
  sweep(sql);
  expect([claims(sql), eventIds(sql)]).toEqual([[], []]);
  acceptList(sql, 60 * DAY);
  sweep(sql);
  expect([claims(sql).length, eventIds(sql).length]).toEqual([2, 1]);
});

it('a sweep goes on where its last bounded step stopped', ({ sql }) => {
  for (let n = 0; n < 700; n += 1) accept(sql, OLD + n, n + 1, 1);
  sql.exec("UPDATE messages SET state = CASE WHEN seq % 7 = 0 THEN 'queued' ELSE 'sent' END");
  sweepStep({ sql, now: NOW, before: BEFORE, flight: [] }, SWEEP_START);
  expect(seqs(sql)).toHaveLength(700 - 50 + Math.floor(50 / 7));
  expect(sweep(sql)).toBeGreaterThan(2);
  expect(seqs(sql)).toEqual(Array.from({ length: 100 }, (_, n) => 7 * (n + 1)));
  expect(eventIds(sql)).toHaveLength(100);
});

it('a sweep deletes exactly what is old and final and not in flight, of any mixture', ({ sql }) => {
  const message = fc.record({
    state: fc.constantFrom('queued', 'retrying', 'sent', 'dead', 'uncertain', 'expired', 'cancelled'),
    isSending: fc.boolean(),
    age: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
      sql.exec('DELETE FROM messages');
      // Numbered in the order accepted, as an outbox does.
      const rows = messages.toSorted((a, b) => b.age - a.age).map((row, at) => ({ ...row, seq: at + 1 }));
      for (const { seq, state, age } of rows) addMessage(sql, { seq, state, created_at: NOW - age * DAY });
      const flight = rows.filter((row) => row.isSending).map(({ seq }) => seq);
      sweep(sql, { flight });
      const isKept = ({ state, age, isSending }: (typeof rows)[number]): boolean =>
        age <= 30 || isSending || state === 'queued' || state === 'retrying';
      expect(seqs(sql)).toEqual(rows.filter(isKept).map(({ seq }) => seq));
    }),
  );
});

it('no number is given twice: that of the newest deleted message is remembered, and no other', ({ sql }) => {
  addMessage(sql, { seq: 1, state: 'sent', created_at: OLD });
  addMessage(sql, { seq: 2, state: 'sent', created_at: NOW });
  sweep(sql);
  expect(lastSweptSeq(sql)).toBe(0);
  sql.exec('DELETE FROM messages');
  for (const seq of [7, 8, 9]) addMessage(sql, { seq, state: 'cancelled', created_at: OLD });
  sweep(sql);
  expect([seqs(sql), lastSweptSeq(sql)]).toEqual([[], 9]);
});

const EARLY = { before: null };

it('an early sweep deletes an event whose messages are all over, with these', ({ sql }) => {
  for (const state of ['sent', 'dead', 'expired', 'cancelled', 'queued', 'retrying', 'uncertain']) {
    for (const table of ['events', 'messages']) sql.exec(`DELETE FROM ${table}`);
    const event = accept(sql, NOW, 1, 2);
    for (const without of ['unmatched', 'failed'] as const) accept(sql, NOW, 3, 0, { state: without });
    sql.exec('UPDATE messages SET state = iif(seq = 1, ?, ?)', 'sent', state);
    sweep(sql, EARLY);
    const isOver = !['queued', 'retrying', 'uncertain'].includes(state);
    expect([state, eventIds(sql), seqs(sql)]).toEqual(isOver ? [state, [], []] : [state, [event], [1, 2]]);
  }
});

it('an early sweep leaves what is in flight, and deletes what was sent by hand', ({ sql }) => {
  accept(sql, NOW, 1, 1);
  for (const [seq, state] of [
    [2, 'sent'],
    [3, 'queued'],
    [4, 'dead'],
  ] as const)
    addMessage(sql, { seq, state, source: null });
  sql.exec("UPDATE messages SET state = 'dead' WHERE seq = 1");
  sweep(sql, { ...EARLY, flight: [1, 4] });
  expect([eventIds(sql).length, seqs(sql)]).toEqual([1, [1, 3, 4]]);
});

it('an early sweep leaves a claim in force and what answers a duplicate, but no payload', ({ sql }) => {
  const first = accept(sql, NOW, 1, 1, { dedupe: { key: 'k', windowMs: DAY } });
  sql.exec("UPDATE messages SET state = 'sent'");
  sweep(sql, EARLY);
  expect([...sql.exec('SELECT id, payload, stored, duplicates FROM events').raw()].flat()).toEqual([
    first,
    'null',
    0,
    0,
  ]);
  expect(seqs(sql)).toEqual([]);
  accept(sql, NOW + 1, 2, 1, { dedupe: { key: 'k', windowMs: DAY } });
  expect([...sql.exec('SELECT id, duplicates FROM events').raw()].flat()).toEqual([first, 1]);
  expect([seqs(sql), lastSweptSeq(sql)]).toEqual([[], 1]);
});

it('an early sweep goes from the oldest to the newest in bounded steps', ({ sql }) => {
  const all = Array.from({ length: 120 }, (_, n) => accept(sql, NOW + n, 1));
  sweepStep({ sql, now: NOW, before: null, flight: [] }, SWEEP_START);
  expect(eventIds(sql)).toEqual(all.slice(50));
  expect(sweep(sql, EARLY)).toBe(3);
  expect(eventIds(sql)).toEqual([]);
});
