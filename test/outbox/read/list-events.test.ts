import fc from 'fast-check';
import { expect } from 'vitest';
import { newEventId } from '../../../src/lib/id.ts';
import { commitAcceptance } from '../../../src/outbox/intake.ts';
import { listEvents } from '../../../src/outbox/read/events.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { it } from '../it.ts';
import { accepted, commitContext, draft, HOUR, sameBytes, START, TAG } from '../support.ts';
import { idsOf, walk } from './pages.ts';

type Filter = Partial<Parameters<typeof listEvents>[1]>;

const list = (sql: SqlStorage, filter: Filter = {}) =>
  listEvents({ sql, tag: TAG }, { limit: 10, ...filter });
const ids = (sql: SqlStorage, filter: Filter = {}) => idsOf(list(sql, filter));

const eventAt = (after: number, over: Partial<AcceptedEvent> = {}): AcceptedEvent =>
  accepted({ id: newEventId(START + after, sameBytes), receivedAt: START + after, ...over });

/** Returns the events' ids. */
const commitAll = (sql: SqlStorage, ...events: readonly AcceptedEvent[]): readonly string[] =>
  events.map((event) => commitAcceptance(commitContext(sql), { event, messages: [] }).receipt.event);

/** Many events, of which this one has a state or a payload of its own. */
const fill = (
  sql: SqlStorage,
  count: number,
  special: { at: number; state?: string; payload?: string },
): unknown =>
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO events (id, source, type, state, received_at, payload, headers, query, first_message,
       message_count, config_version)
     SELECT 'evt_' || printf('%026d', i), 'shop', NULL, iif(i = ?2, ?3, 'routed'), 1, iif(i = ?2, ?4, '"no"'),
       '{}', '{}', 1, 0, 1 FROM n`,
    count,
    special.at,
    special.state ?? 'routed',
    special.payload ?? '"no"',
  );

it('a list of events is newest first, page by page, or oldest first and up to a time', ({ sql }) => {
  const events = commitAll(sql, ...[0, 1, 2, 3, 4].map((second) => eventAt(second)));
  const all = (filter: Filter) =>
    walk((cursor) => list(sql, { limit: 2, cursor, ...filter })).map(({ id }) => id);
  expect(all({})).toEqual(events.toReversed());
  expect(all({ isOldestFirst: true, until: START + 4 })).toEqual(events.slice(0, 4));
});

it('a list of events can be narrowed down by source, state, type and time', ({ sql }) => {
  const [paid = '', failed = '', untyped = ''] = commitAll(
    sql,
    eventAt(0, { source: 'form' }),
    eventAt(HOUR, { state: 'failed', reasons: [{ code: 'number', message: 'no phone' }] }),
    eventAt(2 * HOUR, { type: null }),
  );
  const filters: readonly (readonly [Filter, readonly string[]])[] = [
    [{ source: 'form' }, [paid]],
    [{ state: 'failed' }, [failed]],
    [{ type: 'order.paid' }, [failed, paid]],
    [{ since: START + HOUR }, [untyped, failed]],
    [{ since: START + HOUR + 1 }, [untyped]],
    [{ since: START + HOUR, source: 'form' }, []],
  ];
  for (const [filter, found] of filters) expect([filter, ids(sql, filter)]).toEqual([filter, found]);
});

it('a list of events says nothing of payloads, and shows subjects', ({ sql }) => {
  commitAll(sql, eventAt(0, { payload: '"a secret"', subject: '#1043' }));
  const page = list(sql);
  expect(JSON.stringify(page)).not.toContain('a secret');
  expect(page.items[0]).toMatchObject({ subject: '#1043' });
  expect(page.items[0]).not.toHaveProperty('counts');
});

it('a list of events answers in steps when little of much is asked for', ({ sql }) => {
  fill(sql, 20_010, { at: 5, state: 'failed' });
  const first = list(sql, { state: 'failed' });
  expect(first.items).toEqual([]);
  expect(first.next_cursor).not.toBeNull();
  expect(walk((cursor) => list(sql, { state: 'failed', cursor }))).toHaveLength(1);
});

const holding = (value: unknown, after = 0, over: Partial<AcceptedEvent> = {}): AcceptedEvent =>
  eventAt(after, { payload: JSON.stringify(value), ...over });

it('a search finds keys, texts, numbers and subjects, in upper and lower case', ({ sql }) => {
  const [name, key, amount, subject] = commitAll(
    sql,
    holding({ name: 'Jürgen MÜLLER' }),
    holding({ müllerName: 1 }, 1),
    holding({ total: 12_950 }, 2),
    holding({ cents: 4_900 }, 3, { subject: '#1042 Ada €49.00' }),
  );
  const texts = ['Müller', '1295', 'nobody', '€49', '1042 ADA'];
  expect(texts.map((text) => ids(sql, { text }))).toEqual([[key, name], [amount], [], [subject], [subject]]);
});

it('a search takes what is not letters for what it is', ({ sql }) => {
  const texts = ['100 % sure', 'a_b_c', 'say "hi"', 'C:\\temp', 'one\nnote', "it's"];
  const events = commitAll(sql, ...texts.map((text, second) => holding({ text }, second)));
  for (const [at, text] of texts.entries()) expect(ids(sql, { text })).toEqual([events[at]]);
  for (const text of ['100 _', 'aXb', '%%%', 'nnote', '"text":', '.*.'])
    expect([text, ids(sql, { text })]).toEqual([text, []]);
});

it('a search finds a part of any text, and its quoted form in no other', ({ sql }) => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'n', '"', '\\', '\n', 'ä', '%', "'") });
  fc.assert(
    fc.property(texts, texts, (whole, text) => {
      fc.pre(text !== '');
      sql.exec('DELETE FROM events');
      const found = commitAll(sql, holding({ '': whole }));
      expect(ids(sql, { text })).toEqual(whole.includes(text) ? found : []);
    }),
  );
});

it('a search keeps to the other filters, and does not see what is not kept', ({ sql }) => {
  const [shop, form] = commitAll(
    sql,
    holding({ name: 'Ada' }),
    holding({ name: 'Ada' }, 1, { source: 'form' }),
    eventAt(2, { payload: 'null', stored: false }),
  );
  const text = 'ada';
  expect(ids(sql, { text, source: 'shop' })).toEqual([shop]);
  expect(ids(sql, { text, since: START + 1 })).toEqual([form]);
  expect(ids(sql, { text, limit: 1 })).toEqual([form]);
});

it('a search reads a bounded number of payloads for a page, says how many, and goes on', ({ sql }) => {
  fill(sql, 2_500, { at: 3, payload: '"here"' });
  expect(list(sql, { text: 'here' })).toMatchObject({ items: [], searched: { events: 2_000, bytes: 8_000 } });
  expect(walk((cursor) => list(sql, { text: 'here', cursor }))).toHaveLength(1);
  // Few where they are large, and at least one.
  commitAll(sql, ...[0, 1, 2, 3, 4].map((second) => holding('x'.repeat(1_500_000), second)));
  const first = list(sql, { text: 'here' });
  expect(first.searched?.events).toBe(3);
  expect(first.next_cursor).not.toBeNull();
});

/** Commits an event with messages in these states. */
function commitWith(sql: SqlStorage, at: number, ...states: readonly string[]): void {
  const nextSeq = 1 + at * 10_000;
  commitAcceptance(commitContext(sql, nextSeq), { event: eventAt(at), messages: states.map(() => draft()) });
  for (const [index, state] of states.entries())
    sql.exec('UPDATE messages SET state = ? WHERE seq = ?', state, nextSeq + index);
}

/** Sent, failed and waiting, as text; the newest event first. */
const countsIn = (sql: SqlStorage) =>
  list(sql, { isCounted: true }).items.map(({ counts }) => counts && Object.values(counts).join(' '));

it('an event in a list counts its messages sent, given up, and to come', ({ sql }) => {
  commitWith(sql, 0);
  commitWith(sql, 1, 'sent', 'sent', 'dead', 'expired', 'queued', 'retrying', 'uncertain');
  commitWith(sql, 2, 'cancelled', 'superseded');
  expect(countsIn(sql)).toEqual(['0 0 0', '2 2 3', '0 0 0']);
  expect(list(sql, { isCounted: true }).items[1]?.counts).toEqual({ sent: 2, failed: 2, waiting: 3 });
});

it('counts have a fallback for its dead message, and not what others took', ({ sql }) => {
  commitWith(sql, 0, 'dead', 'sent');
  // As the recorder links them.
  sql.exec(`UPDATE messages SET fallback = '{"by":2}' WHERE seq = 1`);
  expect(countsIn(sql)).toEqual(['1 0 0']);
  commitWith(sql, 1, 'dead', 'superseded', 'dead');
  sql.exec(`UPDATE messages SET fallback = '{"to":{"account":"sales","message":"msg_1"}}' WHERE seq > 10000`);
  sql.exec(`UPDATE messages SET fallback = '{"to":{"account":"sales"}}' WHERE seq = 10003`);
  expect(countsIn(sql)).toEqual(['0 0 1', '1 0 0']);
  const taken = { account: 'sales', message: 'msg_1' };
  expect(list(sql, { isCounted: true }).items[0]?.elsewhere).toEqual([taken, taken]);
});

it('counts end where a page would read more than 5,000 messages', ({ sql }) => {
  commitWith(sql, 0, 'sent');
  commitWith(sql, 1);
  sql.exec('UPDATE events SET message_count = 5001 WHERE received_at = ?', START + 1);
  commitWith(sql, 2, 'sent');
  expect(countsIn(sql)).toEqual(['1 0 0', undefined, undefined]);
});
