import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitAcceptance } from '../../../src/outbox/accept/commit.ts';
import { messageId } from '../../../src/outbox/state/message.ts';
import {
  listMessages,
  readEvent,
  readMessage,
  type MessageFilter,
  type ReadContext,
} from '../../../src/outbox/read/read.ts';
import { Bench } from '../bench.ts';
import { accepted, arrivalsIn, countRows, draft, queue, START, TAG } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { idsOf, walk } from './pages.ts';

const contextOf = (storage: DurableObjectStorage, bench = new Bench(storage)): ReadContext => ({
  sql: storage.sql,
  tag: TAG,
  account: 'sales',
  claims: bench.claims,
});

const idOf = (seq: number): string => messageId(seq, TAG);

/** Many rows at once, without a round trip each: numbers 1 to `count`, all sent to nobody in particular. */
function fill(sql: SqlStorage, count: number): void {
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO messages (seq, kind, phone, params, state, priority, on_uncertain, created_at, config_version)
     SELECT i, 'text', 'x', '{}', 'sent', 0, 'retry', ?, 1 FROM n`,
    count,
    START,
  );
}

const PAGE_SCAN = 20_000;

describe('a list of messages', () => {
  it('is newest first, page by page', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...Array.from({ length: 5 }, () => draft()));
      const context = contextOf(storage);
      const first = listMessages(context, { limit: 2 });
      expect(idsOf(first)).toEqual([idOf(5), idOf(4)]);
      expect(first.next_cursor).toBe(idOf(4));
      const second = listMessages(context, { limit: 2, cursor: idOf(4) });
      expect(idsOf(second)).toEqual([idOf(3), idOf(2)]);
      const last = listMessages(context, { limit: 2, cursor: idOf(2) });
      expect(last).toMatchObject({ next_cursor: null });
      expect(idsOf(last)).toEqual([idOf(1)]);
    }));

  it('has no next page when the last one is just full', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft(), draft());
      expect(listMessages(contextOf(storage), { limit: 2 }).next_cursor).toBeNull();
    }));

  it('is empty behind a cursor that is no message’s id', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft());
      expect(listMessages(contextOf(storage), { limit: 2, cursor: 'msg_nonsense' })).toEqual({
        items: [],
        next_cursor: null,
      });
    }));

  it('can be narrowed down by receiver, source, event and state, also together', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const event = accepted();
      queue(sql, START, draft({ phone: 'a' }), draft({ phone: 'b' }));
      const messages = [draft({ phone: 'a' }), draft({ phone: 'b' })];
      commitAcceptance(
        { sql, tag: TAG, now: START, nextSeq: 3, arrivals: arrivalsIn(sql) },
        { event: { ...event, source: 'form' }, messages },
      );
      sql.exec("UPDATE messages SET state = 'dead' WHERE seq IN (1, 3)");
      const list = (filter: Partial<MessageFilter>) =>
        idsOf(listMessages(contextOf(storage), { limit: 10, ...filter }));
      expect(list({ phone: 'a' })).toEqual([idOf(3), idOf(1)]);
      expect(list({ source: 'form' })).toEqual([idOf(4), idOf(3)]);
      expect(list({ event: event.id })).toEqual([idOf(4), idOf(3)]);
      expect(list({ event: event.id, phone: 'a' })).toEqual([idOf(3)]);
      expect(list({ event: 'evt_unknown' })).toEqual([]);
      expect(list({ state: 'dead' })).toEqual([idOf(3), idOf(1)]);
      expect(list({ state: 'dead', source: 'form' })).toEqual([idOf(3)]);
      expect(list({ state: 'queued' })).toEqual([idOf(4), idOf(2)]);
    }));

  it('never takes a filter for SQL', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft());
      const filter = { limit: 10, phone: "' OR 1=1 --", source: "'); DROP TABLE messages; --" };
      expect(listMessages(contextOf(storage), filter).items).toEqual([]);
      expect(listMessages(contextOf(storage), { limit: 10 }).items).toHaveLength(1);
    }));

  it('knows what is being sent, which no row says', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { retryMs: [0] });
      await bench.accept(draft({ phone: 'a' }), draft({ phone: 'b' }), draft({ phone: 'b' }));
      await bench.answer(1, 'unreachable');
      await bench.wake();
      // Message 1 is retried at this moment, message 2 is sent, message 3 waits for its receiver.
      const list = (state: string) => idsOf(listMessages(contextOf(storage, bench), { limit: 10, state }));
      expect(list('sending')).toEqual([idOf(2), idOf(1)]);
      expect(list('queued')).toEqual([idOf(3)]);
      expect(list('retrying')).toEqual([]);
    }));

  it('finds a rare state at once, however many messages there are', () =>
    inStorage(({ storage, storage: { sql } }) => {
      fill(sql, 2 * PAGE_SCAN);
      sql.exec("UPDATE messages SET state = 'dead' WHERE seq = 7");
      const context = contextOf(storage);
      const rows = countRows(sql);
      expect(idsOf(listMessages(context, { limit: 10, state: 'dead' }))).toEqual([idOf(7)]);
      expect(rows.read()).toBeLessThan(10);
    }));

  it('answers in steps when little of much is asked for', () =>
    inStorage(({ storage, storage: { sql } }) => {
      fill(sql, 2 * PAGE_SCAN + 5);
      sql.exec("UPDATE messages SET phone = 'rare' WHERE seq IN (3, ?, ?)", PAGE_SCAN, 2 * PAGE_SCAN);
      const context = contextOf(storage);
      const first = listMessages(context, { limit: 10, phone: 'rare' });
      expect(idsOf(first)).toEqual([idOf(2 * PAGE_SCAN)]);
      expect(first.next_cursor).toBe(idOf(PAGE_SCAN + 6));
      const all = walk((cursor) => listMessages(context, { limit: 10, phone: 'rare', cursor }));
      expect(all.map(({ id }) => id)).toEqual([2 * PAGE_SCAN, PAGE_SCAN, 3].map(idOf));
    }));

  it('has every message on exactly one page, whatever the page size and filter', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const phones = ['a', 'b', 'a', 'c', 'a', 'b', 'a', 'a', 'c', 'b', 'a'];
      queue(sql, START, ...phones.map((phone) => draft({ phone })));
      const context = contextOf(storage);
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 12 }),
          fc.constantFrom(undefined, 'a', 'b', 'none'),
          (limit, phone) => {
            const walked = walk((cursor) => listMessages(context, { limit, phone, cursor }));
            const expected = phones.flatMap((one, index) =>
              phone === undefined || one === phone ? [idOf(index + 1)] : [],
            );
            expect(walked.map(({ id }) => id)).toEqual(expected.toReversed());
          },
        ),
      );
    }));
});

describe('one message', () => {
  it('is found by its id, and by no other', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft());
      const context = contextOf(storage);
      expect(readMessage(context, idOf(1))?.id).toBe(idOf(1));
      expect(readMessage(context, idOf(2))).toBeNull();
      expect(readMessage(context, messageId(1, 'zzzzzzz'))).toBeNull();
      expect(readMessage(context, '1')).toBeNull();
    }));
});

describe('one event', () => {
  it('comes with its payload and its messages, in the order accepted', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const event = accepted({ payload: '{"a":1}' });
      queue(sql, START, draft());
      const messages = [draft({ phone: 'a' }), draft({ phone: 'b' })];
      commitAcceptance(
        { sql, tag: TAG, now: START, nextSeq: 2, arrivals: arrivalsIn(sql) },
        { event, messages },
      );
      queue(sql, START, draft());
      const stored = readEvent(contextOf(storage), event.id);
      expect(stored).toMatchObject({ id: event.id, payload: '{"a":1}', stored: true });
      expect(stored?.messages.map(({ id }) => id)).toEqual([idOf(2), idOf(3)]);
    }));

  it('is null when there is none of that id', () =>
    inStorage(({ storage }) => {
      expect(readEvent(contextOf(storage), 'evt_unknown')).toBeNull();
    }));
});

describe('what one answer carries', () => {
  const LARGE = 100_000;
  const large = (count: number) =>
    Array.from({ length: count }, () => draft({ params: { message: 'é'.repeat(LARGE) } }));

  it('is bounded for a list: a page ends early, and the next one goes on', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...large(45));
      const context = contextOf(storage);
      const page = listMessages(context, { limit: 200 });
      expect(page.items.length * LARGE).toBeLessThanOrEqual(2_000_000);
      expect(page.items.length).toBeGreaterThan(5);
      const all = walk((cursor) => listMessages(context, { limit: 200, cursor }));
      expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 45 }, (_, index) => idOf(45 - index)));
    }));

  it('has at least one message, however large that is', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft(), draft({ params: { message: 'x'.repeat(1_500_000) } }), draft());
      sql.exec('UPDATE messages SET attempts = ? WHERE seq = 2', `[]${' '.repeat(400_000)}`);
      const context = contextOf(storage);
      expect(walk((cursor) => listMessages(context, { limit: 10, cursor }))).toHaveLength(3);
    }));

  it('is bounded for an event: it says how many of its messages are left out, which the list has', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const event = accepted();
      commitAcceptance(
        { sql, tag: TAG, now: START, nextSeq: 1, arrivals: arrivalsIn(sql) },
        { event, messages: large(120) },
      );
      const context = contextOf(storage);
      const shown = readEvent(context, event.id);
      const messages = shown?.messages ?? [];
      expect(messages.length * LARGE).toBeLessThanOrEqual(4_000_000);
      expect(messages.map(({ id }) => id)).toEqual(messages.map((_, index) => idOf(index + 1)));
      expect(shown?.messages_left_out).toBe(120 - messages.length);
      expect(walk((cursor) => listMessages(context, { limit: 200, cursor, event: event.id }))).toHaveLength(
        120,
      );
    }));

  it('says nothing of the kind where nothing is left out', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const event = accepted();
      commitAcceptance(
        { sql, tag: TAG, now: START, nextSeq: 1, arrivals: arrivalsIn(sql) },
        { event, messages: large(2) },
      );
      expect(readEvent(contextOf(storage), event.id)).not.toHaveProperty('messages_left_out');
    }));
});
