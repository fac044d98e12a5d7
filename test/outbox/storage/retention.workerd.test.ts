import { arrivalsIn } from '../support.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitAcceptance } from '../../../src/outbox/accept/commit.ts';
import {
  lastSweptSeq,
  SWEEP_START,
  sweepStep,
  type RetentionContext,
} from '../../../src/outbox/storage/retention.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { addMessage, draftTo, eventOf, inOutbox } from '../bare-outbox.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.now();
const BEFORE = NOW - 30 * DAY;
const OLD = BEFORE - DAY;

const contextOf = (sql: SqlStorage, extra: Partial<RetentionContext> = {}): RetentionContext => ({
  sql,
  now: NOW,
  before: BEFORE,
  isSending: () => false,
  ...extra,
});

/** Sweeps to the end and returns how many steps it took. */
function sweep(context: RetentionContext): number {
  let position = sweepStep(context, SWEEP_START);
  let steps = 1;
  for (; position !== null; steps += 1) position = sweepStep(context, position);
  return steps;
}

const seqs = (sql: SqlStorage): number[] =>
  sql
    .exec<{ seq: number }>('SELECT seq FROM messages ORDER BY seq')
    .toArray()
    .map(({ seq }) => seq);
const eventIds = (sql: SqlStorage): string[] =>
  sql
    .exec<{ id: string }>('SELECT id FROM events ORDER BY id')
    .toArray()
    .map(({ id }) => id);
const claims = (sql: SqlStorage): string[] =>
  sql
    .exec<{ key: string }>('SELECT key FROM dedupe_claims ORDER BY key')
    .toArray()
    .map(({ key }) => key);

/** Accepts an event at `at` with N messages, numbered from `nextSeq`, and says what it is called. */
function accept(
  sql: SqlStorage,
  at: number,
  nextSeq: number,
  messages = 0,
  extra: Partial<AcceptedEvent> = {},
): string {
  const event = eventOf(at, extra);
  const drafts = Array.from({ length: messages }, () => draftTo('4915112345678'));
  commitAcceptance(
    { sql, tag: 'tag0000', now: at, nextSeq, arrivals: arrivalsIn(sql) },
    { event, messages: drafts },
  );
  return event.id;
}

/** Accepts messages about the things `a` and `b` of a list. */
function acceptList(sql: SqlStorage, at: number, nextSeq: number, windowMs: number): void {
  const messages = ['a', 'b'].map((itemKey) => ({ ...draftTo('4915112345678'), itemKey }));
  const event = eventOf(at, { itemWindowMs: windowMs });
  commitAcceptance({ sql, tag: 'tag0000', now: at, nextSeq, arrivals: arrivalsIn(sql) }, { event, messages });
  sql.exec("UPDATE messages SET state = 'sent'");
}

describe('the claims of things in a list', () => {
  it('go with the event that made them', () =>
    inOutbox((_, { sql }) => {
      acceptList(sql, OLD, 1, DAY);
      expect(claims(sql)).toEqual(['#shop\na', '#shop\nb']);
      sweep(contextOf(sql));
      expect([claims(sql), eventIds(sql)]).toEqual([[], []]);
    }));

  it('go together with those of what was signed once', () =>
    inOutbox((_, { sql }) => {
      accept(sql, OLD, 1, 0, { signed: { keys: ['signed:1'], windowMs: DAY } });
      expect(claims(sql)).toEqual(['#shop\nsigned:1']);
      sweep(contextOf(sql));
      expect([claims(sql), eventIds(sql)]).toEqual([[], []]);
    }));

  it('that still hold keep their event', () =>
    inOutbox((_, { sql }) => {
      acceptList(sql, OLD, 1, 60 * DAY);
      sweep(contextOf(sql));
      expect([claims(sql).length, eventIds(sql).length]).toEqual([2, 1]);
    }));
});

describe('what a sweep deletes', () => {
  it.each(['sent', 'dead', 'uncertain', 'expired', 'cancelled'] as const)(
    'an old message that is %s',
    (state) =>
      inOutbox((_outbox, { sql }) => {
        addMessage(sql, { seq: 1, state, created_at: BEFORE - 1 });
        addMessage(sql, { seq: 2, state, created_at: BEFORE });
        sweep(contextOf(sql));
        expect(seqs(sql)).toEqual([2]);
      }),
  );

  it('not one that can still be sent, however old, nor its event', () =>
    inOutbox((_outbox, { sql }) => {
      const queued = accept(sql, OLD, 1, 2);
      const retrying = accept(sql, OLD, 3, 1);
      accept(sql, OLD, 4, 1);
      sql.exec("UPDATE messages SET state = 'sent' WHERE seq IN (1, 4)");
      sql.exec("UPDATE messages SET state = 'retrying', next_at = 5 WHERE seq = 3");
      sweep(contextOf(sql));
      expect(seqs(sql)).toEqual([2, 3]);
      expect(eventIds(sql)).toEqual([queued, retrying].sort());
    }));

  it('not one whose call is under way, whatever its row says', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'dead', created_at: OLD });
      addMessage(sql, { seq: 2, state: 'dead', created_at: OLD });
      sweep(contextOf(sql, { isSending: (seq) => seq === 1 }));
      expect(seqs(sql)).toEqual([1]);
    }));

  it('not an event whose claim still holds: a late duplicate must find it', () =>
    inOutbox((_outbox, { sql }) => {
      const id = accept(sql, OLD, 1, 0, { dedupe: { key: 'k', windowMs: NOW - OLD + 1 } });
      sweep(contextOf(sql));
      expect(eventIds(sql)).toEqual([id]);
      sweep(contextOf(sql, { now: NOW + 1 }));
      expect([...eventIds(sql), ...claims(sql)]).toEqual([]);
    }));

  it('never the claim of another event that has the same key by now', () =>
    inOutbox((_outbox, { sql }) => {
      accept(sql, OLD, 1, 0, { dedupe: { key: 'k', windowMs: 1_000 } });
      const later = accept(sql, NOW - DAY, 1, 0, { dedupe: { key: 'k', windowMs: 1_000 } });
      sweep(contextOf(sql));
      expect(eventIds(sql)).toEqual([later]);
      expect(claims(sql)).toEqual(['shop\nk']);
    }));

  it('in steps of a bounded size, each of which goes on where the last one stopped', () =>
    inOutbox((_outbox, { sql }) => {
      for (let n = 0; n < 700; n += 1) accept(sql, OLD + n, n + 1, 1);
      sql.exec("UPDATE messages SET state = CASE WHEN seq % 7 = 0 THEN 'queued' ELSE 'sent' END");
      const first = sweepStep(contextOf(sql), SWEEP_START);
      expect(seqs(sql)).toHaveLength(700 - 200 + Math.floor(200 / 7));
      expect(first?.seq).toBe(200);
      expect(sweep(contextOf(sql))).toBeGreaterThan(2);
      expect(seqs(sql)).toEqual(Array.from({ length: 100 }, (_, n) => 7 * (n + 1)));
      expect(eventIds(sql)).toHaveLength(100);
    }));

  it('exactly what is old and final, of any mixture', () =>
    inOutbox((_outbox, { sql }) => {
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
          for (const { seq, state, age } of rows)
            addMessage(sql, { seq, state, created_at: NOW - age * DAY });
          const sending = new Set(rows.filter((row) => row.isSending).map(({ seq }) => seq));
          sweep(contextOf(sql, { isSending: (seq) => sending.has(seq) }));
          const kept = rows.filter(
            ({ state, age, isSending }) =>
              age <= 30 || isSending || state === 'queued' || state === 'retrying',
          );
          expect(seqs(sql)).toEqual(kept.map(({ seq }) => seq));
        }),
      );
    }));
});

describe('numbers of deleted messages', () => {
  it('are remembered when the newest is deleted, so that none is given twice', () =>
    inOutbox((_outbox, { sql }) => {
      expect(lastSweptSeq(sql)).toBe(0);
      for (const seq of [7, 8, 9]) addMessage(sql, { seq, state: 'cancelled', created_at: OLD });
      sweep(contextOf(sql));
      expect(seqs(sql)).toEqual([]);
      expect(lastSweptSeq(sql)).toBe(9);
    }));

  it('cost no row while a younger message stands', () =>
    inOutbox((_outbox, { sql }) => {
      addMessage(sql, { seq: 1, state: 'sent', created_at: OLD });
      addMessage(sql, { seq: 2, state: 'sent', created_at: NOW });
      sweep(contextOf(sql));
      expect(lastSweptSeq(sql)).toBe(0);
    }));
});
