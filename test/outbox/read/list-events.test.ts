import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newEventId } from '../../../src/lib/id.ts';
import { commitAcceptance } from '../../../src/outbox/accept/commit.ts';
import { listEvents } from '../../../src/outbox/read/list-events.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { accepted, arrivalsIn, HOUR, sameBytes, START, TAG } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { idsOf, walk } from './pages.ts';

const PAGE_SCAN = 20_000;

const commitAll = (sql: SqlStorage, ...events: readonly AcceptedEvent[]): void => {
  for (const event of events)
    commitAcceptance(
      { sql, tag: TAG, now: START, nextSeq: 1, arrivals: arrivalsIn(sql) },
      { event, messages: [] },
    );
};
const eventAt = (time: number, over: Partial<AcceptedEvent> = {}): AcceptedEvent =>
  accepted({ id: newEventId(time, sameBytes), receivedAt: time, ...over });

describe('a list of events', () => {
  it('is newest first, page by page', () =>
    inStorage(({ storage: { sql } }) => {
      const events = [0, 1, 2, 3, 4].map((second) => eventAt(START + second));
      commitAll(sql, ...events);
      const walked = walk((cursor) => listEvents({ sql, tag: TAG }, { limit: 2, cursor }));
      expect(walked.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toReversed());
    }));

  it('can be narrowed down by source, state, type and time', () =>
    inStorage(({ storage: { sql } }) => {
      const paid = eventAt(START, { source: 'form' });
      const failed = eventAt(START + HOUR, { state: 'failed', reason: 'no phone' });
      const untyped = eventAt(START + 2 * HOUR, { type: null });
      commitAll(sql, paid, failed, untyped);
      const list = (filter: object) => idsOf(listEvents({ sql, tag: TAG }, { limit: 10, ...filter }));
      expect(list({ source: 'form' })).toEqual([paid.id]);
      expect(list({ state: 'failed' })).toEqual([failed.id]);
      expect(list({ type: 'order.paid' })).toEqual([failed.id, paid.id]);
      expect(list({ since: START + HOUR })).toEqual([untyped.id, failed.id]);
      expect(list({ since: START + HOUR + 1 })).toEqual([untyped.id]);
      expect(list({ since: START + HOUR, source: 'form' })).toEqual([]);
    }));

  it('says nothing of payloads', () =>
    inStorage(({ storage: { sql } }) => {
      commitAll(sql, eventAt(START, { payload: '"a secret"' }));
      expect(JSON.stringify(listEvents({ sql, tag: TAG }, { limit: 10 }))).not.toContain('a secret');
    }));

  it('answers in steps when little of much is asked for', () =>
    inStorage(({ storage: { sql } }) => {
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO events (id, source, type, state, received_at, payload, headers, query, first_message,
           message_count, config_version)
         SELECT 'evt_' || printf('%026d', i), 'shop', NULL, CASE i WHEN 5 THEN 'failed' ELSE 'routed' END, ?,
           '{}', '{}', '{}', 1, 0, 1 FROM n`,
        PAGE_SCAN + 10,
        START,
      );
      const first = listEvents({ sql, tag: TAG }, { limit: 10, state: 'failed' });
      expect(first.items).toEqual([]);
      expect(first.next_cursor).not.toBeNull();
      const walked = walk((cursor) => listEvents({ sql, tag: TAG }, { limit: 10, state: 'failed', cursor }));
      expect(walked).toHaveLength(1);
    }));

  it('is oldest first where that is asked for, and ends before a time', () =>
    inStorage(({ storage: { sql } }) => {
      const events = [0, 1, 2, 3, 4].map((second) => eventAt(START + second));
      commitAll(sql, ...events);
      const walked = walk((cursor) =>
        listEvents({ sql, tag: TAG }, { limit: 2, cursor, isOldestFirst: true, until: START + 4 }),
      );
      expect(walked.map(({ id }) => id)).toEqual(events.slice(0, 4).map(({ id }) => id));
    }));
});

const found = (sql: SqlStorage, text: string, filter: object = {}) =>
  idsOf(listEvents({ sql, tag: TAG }, { limit: 10, text, ...filter }));
const holding = (value: unknown, time = START): AcceptedEvent =>
  eventAt(time, { payload: JSON.stringify(value) });

describe('a search of payloads', () => {
  it('finds a text in keys, texts and numbers, in upper and lower case, newest first', () =>
    inStorage(({ storage: { sql } }) => {
      const [name, key, amount] = [
        holding({ name: 'Jürgen MÜLLER' }),
        holding({ müllerName: 1 }, START + 1),
        holding({ total: 12_950 }, START + 2),
      ];
      commitAll(sql, name, key, amount);
      expect(found(sql, 'Müller')).toEqual([key.id, name.id]);
      expect(found(sql, '1295')).toEqual([amount.id]);
      expect(found(sql, 'nobody')).toEqual([]);
    }));

  it('takes what is not letters for what it is', () =>
    inStorage(({ storage: { sql } }) => {
      const texts = ['100 % sure', 'a_b_c', 'say "hi"', 'C:\\temp', 'one\nnote', "it's"];
      const events = texts.map((text, second) => holding({ text }, START + second));
      commitAll(sql, ...events);
      for (const [at, text] of texts.entries()) expect(found(sql, text)).toEqual([events[at]?.id]);
      for (const text of ['100 _', 'aXb', '%%%', 'nnote', '"text":', '.*.'])
        expect([text, found(sql, text)]).toEqual([text, []]);
    }));

  it('finds a text in subjects, which are shown in place of payloads', () =>
    inStorage(({ storage: { sql } }) => {
      const [one, other] = [
        { ...holding({ cents: 4_900 }), subject: '#1042 Ada €49.00' },
        { ...holding({ cents: 4_900 }, START + 1), subject: '#1043 Grace €49.00' },
      ];
      commitAll(sql, one, other);
      expect(found(sql, '€49')).toEqual([other.id, one.id]);
      expect(found(sql, '1042 ADA')).toEqual([one.id]);
      expect(listEvents({ sql, tag: TAG }, { limit: 1 }).items[0]?.subject).toBe('#1043 Grace €49.00');
    }));

  it('finds a part of any text, and its quoted form in no other', () =>
    inStorage(({ storage: { sql } }) => {
      const text = fc.string({ unit: fc.constantFrom('a', 'n', '"', '\\', '\n', 'ä', '%', "'") });
      fc.assert(
        fc.property(text, text, (whole, part) => {
          fc.pre(part !== '');
          sql.exec('DELETE FROM events');
          const event = holding({ '': whole });
          commitAll(sql, event);
          expect(found(sql, part)).toEqual(whole.includes(part) ? [event.id] : []);
        }),
      );
    }));

  it('keeps to the other filters, and does not see what is not kept', () =>
    inStorage(({ storage: { sql } }) => {
      const shop = holding({ name: 'Ada' });
      const form = { ...holding({ name: 'Ada' }, START + 1), source: 'form' };
      const bare = eventAt(START + 2, { payload: 'null', stored: false });
      commitAll(sql, shop, form, bare);
      expect(found(sql, 'ada', { source: 'shop' })).toEqual([shop.id]);
      expect(found(sql, 'ada', { since: START + 1 })).toEqual([form.id]);
      expect(found(sql, 'ada', { limit: 1 })).toEqual([form.id]);
    }));

  it('reads a bounded number of payloads for a page, says how many, and goes on', () =>
    inStorage(({ storage: { sql } }) => {
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO events (id, source, type, state, received_at, payload, headers, query, first_message,
           message_count, config_version)
         SELECT 'evt_' || printf('%026d', i), 'shop', NULL, 'routed', 1,
           CASE i WHEN 3 THEN '"here"' ELSE '"no"' END, '{}', '{}', 1, 0, 1 FROM n`,
      );
      const first = listEvents({ sql, tag: TAG }, { limit: 10, text: 'here' });
      expect(first).toMatchObject({ items: [], searched: { events: 2_000, bytes: 8_000 } });
      const walked = walk((cursor) => listEvents({ sql, tag: TAG }, { limit: 10, text: 'here', cursor }));
      expect(walked).toHaveLength(1);
    }));

  it('reads few payloads where they are large, and at least one', () =>
    inStorage(({ storage: { sql } }) => {
      const large = 'x'.repeat(1_500_000);
      commitAll(sql, ...[0, 1, 2, 3, 4].map((second) => holding(large, START + second)));
      const first = listEvents({ sql, tag: TAG }, { limit: 10, text: 'here' });
      expect(first.searched?.events).toBe(3);
      expect(first.next_cursor).not.toBeNull();
    }));
});
