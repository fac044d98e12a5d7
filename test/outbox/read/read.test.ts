import { reasonText, type Reason } from '../../../src/lib/reason.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import { commitAcceptance } from '../../../src/outbox/intake.ts';
import { messageId, messageSeq } from '../../../src/outbox/state/message.ts';
import { listMessages, readMessage, type MessageFilter } from '../../../src/outbox/read/read.ts';
import { listEvents, readEvent } from '../../../src/outbox/read/events.ts';
import { pack, type DraftMessage } from '../../../src/outbox/state/acceptance.ts';
import { Bench } from '../bench.ts';
import { it } from '../it.ts';
import { accepted, addMany, column, commitContext, draft, queue, START, TAG, to } from '../support.ts';
import { idsOf, walk } from './pages.ts';

/** A reader of an outbox. */
function reader({ claims }: Bench, sql: SqlStorage) {
  const context = { sql, tag: TAG, account: 'sales', claims };
  const list = (filter: Partial<MessageFilter> = {}) => listMessages(context, { limit: 10, ...filter });
  return {
    list,
    /** The numbers of the first page. */
    seqs: (filter: Partial<MessageFilter> = {}) => seqsOf(idsOf(list(filter))),
    all: (filter: Partial<MessageFilter> = {}) =>
      seqsOf(walk((cursor) => list({ limit: 200, ...filter, cursor })).map(({ id }) => id)),
    message: (id: string) => readMessage(context, id),
    event: (id: string) => readEvent(context, id),
  };
}

const idOf = (seq: number): string => messageId(seq, TAG);
const seqsOf = (ids: readonly string[]) => ids.map((id) => messageSeq(id, TAG));

/** An event with messages from this number on. */
function commit(
  sql: SqlStorage,
  nextSeq: number,
  messages: readonly DraftMessage[],
  source = 'shop',
): string {
  const event = accepted({ payload: '{"a":1}', source });
  return commitAcceptance(commitContext(sql, nextSeq), { event, messages }).receipt.event;
}

it('a payload that was compressed is read and searched as any other, and no copy of it is kept', ({
  rig,
  sql,
}) => {
  const payload = JSON.stringify({ list: Array.from({ length: 50_000 }, (_, n) => `é ${n}`), end: 'needle' });
  const event = accepted({ payload: pack(payload) });
  commitAcceptance(commitContext(sql), { event, messages: [] });
  expect(column(sql, 'SELECT octet_length(payload) FROM events')[0]).toBeLessThan(payload.length / 2);
  expect(reader(rig, sql).event(event.id)?.payload).toBe(payload);
  const found = (text: string) => idsOf(listEvents({ sql, tag: TAG }, { limit: 10, text }));
  expect([found('needle'), found('nothing')]).toEqual([[event.id], []]);
});

it('a list of messages can be narrowed down, and never takes a filter for SQL', ({ rig, sql }) => {
  queue(sql, START, ...to('a', 'b'));
  const event = commit(sql, 3, to('a', 'b'), 'form');
  sql.exec("UPDATE messages SET state = 'dead' WHERE seq IN (1, 3)");
  const filters: readonly (readonly [Partial<MessageFilter>, readonly number[]])[] = [
    [{ phone: 'a' }, [3, 1]],
    [{ source: 'form' }, [4, 3]],
    [{ event }, [4, 3]],
    [{ event, phone: 'a' }, [3]],
    [{ event: 'evt_unknown' }, []],
    [{ state: 'dead' }, [3, 1]],
    [{ state: 'dead', source: 'form' }, [3]],
    [{ state: 'queued' }, [4, 2]],
    [{ phone: "' OR 1=1 --", source: "'); DROP TABLE messages; --" }, []],
    [{}, [4, 3, 2, 1]],
  ];
  const { seqs } = reader(rig, sql);
  for (const [filter, found] of filters) expect([filter, seqs(filter)]).toEqual([filter, found]);
});

it('a message has a sentence, a code and values for its reason, and so have its attempts', ({ rig, sql }) => {
  queue(sql, START, ...to('a'));
  const reasons: readonly (readonly [Reason, string])[] = [
    [
      { code: 'busy', params: { status: '429', attempts: '2', words: 'later' } },
      'the gateway answered 429: it asks to try again later: later; gave up after 2 attempts',
    ],
    [
      { code: 'no-answer', params: { cause: 'timed-out' } },
      'no answer in time; the gateway may have received the call',
    ],
    [{ code: 'cancelled', params: { by: 'Ada' } }, 'cancelled by Ada'],
    [
      { code: 'fallback-refused', params: { error: 'no' }, before: { code: 'expired' } },
      "older than the route's `expires`; its fallback was refused: no",
    ],
  ];
  for (const [reason, text] of reasons) {
    const { code, params } = reason;
    const attempt = { n: 1, at: START, duration_ms: 1, outcome: 'busy', code, params };
    sql.exec(
      'UPDATE messages SET reason = ?, attempts = ?',
      JSON.stringify(reason),
      JSON.stringify([attempt]),
    );
    const message = reader(rig, sql).message(idOf(1));
    expect(message).toMatchObject({ code, reason: text, ...(params && { reason_params: params }) });
    expect(message?.attempts[0]).toMatchObject({ code, detail: reasonText({ code, params: params ?? {} }) });
  }
  sql.exec('UPDATE messages SET reason = NULL');
  expect(reader(rig, sql).message(idOf(1))).not.toHaveProperty('code');
});

it('a list of messages knows what is being sent, which no row says', async ({ storage, sql }) => {
  const rig = new Bench(storage, { retryMs: [0] });
  await rig.accept(...to('a', 'b', 'b'));
  await rig.answer(1, 'unreachable');
  await rig.wake();
  // Message 1 is retried at this moment, message 2 is sent, message 3 waits for its receiver.
  const states = ['sending', 'queued', 'retrying'];
  expect(states.map((state) => reader(rig, sql).seqs({ state }))).toEqual([[2, 1], [3], []]);
});

it('a list of messages answers in steps when little of much is asked for', ({ rig, sql }) => {
  addMany(sql, 40_005, { state: 'sent', phone: 'x' });
  sql.exec("UPDATE messages SET phone = 'rare' WHERE seq IN (3, 20000, 40000)");
  const { all, list, seqs } = reader(rig, sql);
  expect([seqs({ phone: 'rare' }), list({ phone: 'rare' }).next_cursor]).toEqual([[40_000], idOf(20_006)]);
  expect(all({ phone: 'rare' })).toEqual([40_000, 20_000, 3]);
});

it('every message is on exactly one page, whatever the page size and filter', ({ rig, sql }) => {
  const phones = 'abacabaacba'.split('');
  queue(sql, START, ...to(...phones));
  const { all } = reader(rig, sql);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(undefined, 'a', 'b', 'none'),
      (limit, phone) => {
        const wanted = phones.flatMap((one, at) => (phone === undefined || one === phone ? [at + 1] : []));
        expect(all({ limit, phone })).toEqual(wanted.toReversed());
      },
    ),
  );
});

it('one message is found by its id, and by no other', ({ rig, sql }) => {
  queue(sql, START, draft());
  const { list, message } = reader(rig, sql);
  const found = [idOf(1), idOf(2), messageId(1, 'zzzzzzz'), '1'].map((id) => message(id)?.id);
  expect(found).toEqual([idOf(1), undefined, undefined, undefined]);
  expect(list({ cursor: 'msg_nonsense' })).toEqual({ items: [], next_cursor: null });
});

it('one event comes with its payload and its messages, in the order accepted', ({ rig, sql }) => {
  queue(sql, START, draft());
  const id = commit(sql, 2, to('a', 'b'));
  queue(sql, START, draft());
  const stored = reader(rig, sql).event(id);
  expect(stored).toMatchObject({ id, payload: '{"a":1}', stored: true });
  expect(stored?.messages.map((one) => one.id)).toEqual([idOf(2), idOf(3)]);
  expect(stored).not.toHaveProperty('messages_left_out');
  expect(reader(rig, sql).event('evt_unknown')).toBeNull();
});

const LARGE = 100_000;
const large = (count: number) =>
  Array.from({ length: count }, () => draft({ params: { message: 'é'.repeat(LARGE) } }));

it('one answer is bounded: a page ends early, but has one message, however large that is', ({ rig, sql }) => {
  queue(sql, START, ...large(45));
  const { list, all } = reader(rig, sql);
  const page = list({ limit: 200 });
  expect(page.items.length * LARGE).toBeLessThanOrEqual(2_000_000);
  expect(page.items.length).toBeGreaterThan(5);
  expect(all()).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index));
  sql.exec('DELETE FROM messages');
  queue(sql, START, draft(), draft({ params: { message: 'x'.repeat(1_500_000) } }), draft());
  sql.exec('UPDATE messages SET attempts = ? WHERE seq = 2', `[]${' '.repeat(400_000)}`);
  expect(all()).toEqual([3, 2, 1]);
});

it('one answer of an event is bounded, and says how many messages it leaves out', ({ rig, sql }) => {
  const event = commit(sql, 1, large(60));
  const { all, event: read } = reader(rig, sql);
  const { messages = [], messages_left_out } = read(event) ?? {};
  expect(messages.length * LARGE).toBeLessThanOrEqual(4_000_000);
  expect(seqsOf(messages.map(({ id }) => id))).toEqual(messages.map((_, index) => index + 1));
  expect(messages_left_out).toBe(60 - messages.length);
  expect(all({ event })).toHaveLength(60);
});
