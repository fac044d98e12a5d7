import { reasonsText } from '../../../src/outbox/state/event.ts';
import type { EventReason } from '../../../src/outbox/state/acceptance.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Acceptance,
  type AcceptedEvent,
  type DraftItem,
  type DraftMessage,
  bytesOf,
  MAX_EVENT_BYTES,
} from '../../../src/outbox/state/acceptance.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import { commitAcceptance, type Committed } from '../../../src/outbox/intake.ts';
import { messageId } from '../../../src/outbox/state/message.ts';
import { it } from '../it.ts';
import { itemSample } from '../samples.ts';
import {
  accepted,
  allRows,
  commitContext,
  countOf,
  draft,
  empty,
  HOUR,
  MINUTE,
  START,
  TAG,
} from '../support.ts';

/** Numbers go on behind those that are there. */
function commit(
  sql: SqlStorage,
  event: AcceptedEvent,
  messages: readonly DraftMessage[] = [],
  now = START,
): Committed {
  return commitWhole(sql, { event, messages }, now);
}

function commitWhole(sql: SqlStorage, acceptance: Acceptance, now = START): Committed {
  return commitAcceptance(commitContext(sql, allRows(sql).length + 1, now), acceptance);
}

/** How many messages were queued. */
const queuedOf = (...args: Parameters<typeof commit>): number => commit(...args).queued.length;

const isDuplicate = (...args: Parameters<typeof commit>): boolean => commit(...args).receipt.duplicate;

const keyed = (key: string, over: Partial<AcceptedEvent> = {}) =>
  accepted({ dedupe: { key, windowMs: HOUR }, ...over });

const claims = (sql: SqlStorage) =>
  sql.exec<{ key: string; event_id: string }>('SELECT key, event_id FROM dedupe_claims').toArray();

const eventRow = (sql: SqlStorage, id: string) =>
  sql
    .exec<{ reason: string | null; duplicates: number; item_keys: string; items: string; payload: string }>(
      'SELECT * FROM events WHERE id = ?',
      id,
    )
    .one();

const reasonOf = (sql: SqlStorage, id: string): string =>
  reasonsText(parseOwnJson<readonly EventReason[]>(eventRow(sql, id).reason ?? '[]'));

it('an event is kept, with its messages numbered in a row, or none if no route took it', ({ sql }) => {
  const [first, unmatched] = [accepted(), accepted({ state: 'unmatched' })];
  commit(sql, accepted(), [draft()]);
  expect(commit(sql, first, [draft(), draft({ phone: 'b' })])).toEqual({
    receipt: { event: first.id, duplicate: false, messages: [messageId(2, TAG), messageId(3, TAG)] },
    queued: allRows(sql).slice(1),
    isNew: true,
  });
  const rows = allRows(sql).slice(1);
  expect(rows.map(({ seq, event_id, phone }) => [seq, event_id, phone])).toEqual([
    [2, first.id, '4915112345601'],
    [3, first.id, 'b'],
  ]);
  const receipt = { event: unmatched.id, duplicate: false, messages: [] };
  expect(commit(sql, unmatched)).toEqual({ receipt, queued: [], isNew: true });
  expect(countOf(sql, 'events')).toBe(3);
});

it('a fresh message waits by its number or a moment of its own, and expires since its event', ({ sql }) => {
  const event = accepted({ receivedAt: START - 5_000 });
  commit(sql, event, [
    draft(),
    draft({ delayMs: MINUTE }),
    draft({ priority: 'high' }),
    draft({ priority: 'high', delayMs: MINUTE, expiresMs: MINUTE }),
  ]);
  const rows = allRows(sql).map(({ state, priority, next_at, expires_at }) => [
    state,
    priority,
    next_at,
    expires_at,
  ]);
  expect(rows).toEqual([
    ['queued', 0, null, null],
    ['queued', 0, START + MINUTE, null],
    ['queued', 1, START, null],
    ['queued', 1, START + MINUTE, START - 5_000 + MINUTE],
  ]);
});

it('a duplicate gets the first receipt and queues nothing; keys are each source’s own', ({ sql }) => {
  const event = keyed('k');
  const first = commit(sql, event, [draft()]);
  const receipt = { ...first.receipt, duplicate: true };
  expect(commit(sql, keyed('k'), [draft(), draft()])).toEqual({ receipt, queued: [], isNew: false });
  expect([countOf(sql, 'events'), countOf(sql, 'messages'), eventRow(sql, event.id).duplicates]).toEqual([
    1, 1, 1,
  ]);
  expect(isDuplicate(sql, keyed('k', { source: 'form' }))).toBe(false);
  expect([isDuplicate(sql, accepted()), isDuplicate(sql, accepted())]).toEqual([false, false]);
});

it('a key is an event’s until its window ends, and then the newer one’s', ({ sql }) => {
  const [first, second] = [keyed('k'), keyed('k', { receivedAt: START + HOUR })];
  const at = (event: AcceptedEvent, ms: number) => commit(sql, event, [], START + ms).receipt;
  at(first, 0);
  expect(at(keyed('k'), HOUR - 1)).toMatchObject({ event: first.id, duplicate: true });
  expect(at(second, HOUR)).toMatchObject({ event: second.id, duplicate: false });
  expect(at(keyed('k'), HOUR + 1)).toMatchObject({ event: second.id, duplicate: true });
});

const about = (...itemKeys: readonly string[]) => itemKeys.map((itemKey) => draft({ itemKey }));
const fact = (once: string, over: Partial<DraftMessage> = {}) => draft({ route: 'paid', once, ...over });
const signedWith = (keys: readonly string[], over: Partial<AcceptedEvent> = {}) =>
  accepted({ signed: { keys, windowMs: 2 * HOUR }, ...over });

it('an event handed in again, because its answer was lost, is committed once', ({ sql }) => {
  const dedupe = { key: 'k', windowMs: HOUR };
  for (const [event, messages] of [
    [keyed('k'), [draft(), draft()]],
    [accepted(), [draft()]],
    [accepted(), about('a', 'b')],
    [accepted(), [fact('1042')]],
    [signedWith(['s'], { dedupe }), [draft()]],
  ] as const) {
    empty(sql);
    const { receipt } = commit(sql, event, messages);
    expect(commit(sql, event, messages)).toEqual({ receipt, queued: [], isNew: false });
    expect([countOf(sql, 'messages'), eventRow(sql, event.id).duplicates]).toEqual([messages.length, 0]);
  }
});

it('an item of a list that came before makes no messages again, and the event says so', ({ sql }) => {
  const [first, second] = [accepted(), accepted()];
  commit(sql, first, about('a', 'b'));
  const { receipt, queued } = commit(sql, second, about('b', 'c', 'b'));
  expect([queued.length, receipt]).toEqual([
    1,
    { event: second.id, duplicate: false, messages: [messageId(3, TAG)] },
  ]);
  const reason = `left out 2 of its 3 messages: their items arrived before, in ${first.id}`;
  expect(reasonOf(sql, second.id)).toBe(reason);
});

it('an item may make several messages in one event, and is another elsewhere or later', ({ sql }) => {
  expect(queuedOf(sql, accepted(), about('a', 'a'))).toBe(2);
  expect(queuedOf(sql, accepted({ source: 'other' }), about('a'))).toBe(1);
  expect(queuedOf(sql, accepted(), about('a'), START + HOUR)).toBe(1);
  // It is not the same as an event of that id.
  commit(sql, keyed('k'), [draft()]);
  expect(queuedOf(sql, accepted(), about('k'))).toBe(1);
});

it('a fact is reported once to each receiver; a later event says which one did', ({ sql }) => {
  const first = accepted();
  const both = [fact('1042'), fact('1042', { phone: 'b' })];
  expect(queuedOf(sql, first, both)).toBe(2);
  expect(countOf(sql, 'dedupe_claims')).toBe(1);
  const second = accepted({ reasons: [{ code: 'left-out', message: 'another reason' }] });
  expect(commit(sql, second, [...both, fact('1043'), draft()])).toMatchObject({
    isNew: true,
    receipt: { event: second.id, duplicate: false },
    queued: [{}, {}],
  });
  const why = `left out 2 of its 4 messages: their \`once\` value arrived before, in ${first.id}`;
  expect(reasonOf(sql, second.id)).toBe(`another reason\n${why}`);
});

it('a fact is each route’s and source’s own, no item’s id or event’s, and in no row', ({ sql }) => {
  const paid = fact('ada@example.com', { params: {} });
  const item = draft({ itemKey: 'ada', params: {} });
  commit(sql, keyed('ada', { stored: false, dedupe: null }), [paid]);
  const rows = ['events', 'messages', 'dedupe_claims'].map((table) =>
    sql.exec(`SELECT * FROM ${table}`).toArray(),
  );
  expect(JSON.stringify(rows)).not.toContain('ada');
  const [claim = ''] = claims(sql).map(({ key }) => key.split('\n')[1]);
  expect(claim).toMatch(/^once:[\da-f]{64}$/);
  expect(queuedOf(sql, accepted(), [{ ...paid, route: 'shipped' }])).toBe(1);
  expect(queuedOf(sql, accepted({ source: 'other' }), [paid])).toBe(1);
  expect(queuedOf(sql, keyed(claim), [{ ...item, itemKey: 'paid\nada@example.com' }])).toBe(1);
});

it('a fact is reported again once its window is over', ({ sql }) => {
  const at = (ms: number): number => queuedOf(sql, accepted(), [fact('1042')], START + ms);
  expect([at(0), at(HOUR - 1), at(HOUR)]).toEqual([1, 0, 1]);
});

it('a fact about an item has to be new, and the item too; what is left out claims nothing', ({ sql }) => {
  const reported = ['a 1', 'b 1', 'a 2', 'c 3', 'b 4', 'd 2'].map((text) => {
    const [itemKey = '', once = ''] = text.split(' ');
    return queuedOf(sql, accepted(), [fact(once, { itemKey })]);
  });
  expect(reported).toEqual([1, 0, 0, 1, 1, 1]);
});

it('a fact waits for one notification', ({ sql }) => {
  const items = [{ ...itemSample(['4915112345601'], '{}'), route: 'paid', once: '1042' }];
  const [first, second] = [accepted(), accepted()];
  expect(commitWhole(sql, { event: first, messages: [], items }).receipt.waiting).toBe(1);
  expect(commitWhole(sql, { event: second, messages: [], items }).receipt).not.toHaveProperty('waiting');
  expect(reasonOf(sql, second.id)).toContain('left out 1 of its 1 messages');
});

it('a fact is reported by the first of any events that have it', ({ sql }) => {
  const one = fc.record({ route: fc.constantFrom('paid', 'sent'), once: fc.nat(3).map(String) });
  fc.assert(
    fc.property(fc.array(fc.array(one, { maxLength: 4 }), { maxLength: 12 }), (events) => {
      empty(sql);
      const known = new Set<string>();
      for (const facts of events) {
        const names = facts.map(({ route, once }) => `${route} ${once}`);
        const fresh = names.filter((name) => !known.has(name)).length;
        expect(
          queuedOf(
            sql,
            accepted(),
            facts.map(({ route, once }) => fact(once, { route })),
          ),
        ).toBe(fresh);
        for (const name of names) known.add(name);
      }
      expect(countOf(sql, 'dedupe_claims')).toBe(known.size);
    }),
  );
});

it('what was signed once makes one event, whatever key another one with it has', ({ sql }) => {
  const event = signedWith(['s']);
  const first = commit(sql, event, [draft()]);
  const reason = 'everything that its sender signed has arrived before';
  const receipt = { ...first.receipt, duplicate: true, reason };
  for (const dedupe of [null, { key: 'forged', windowMs: HOUR }])
    expect(commit(sql, signedWith(['s'], { dedupe }), [draft()])).toEqual({
      receipt,
      queued: [],
      isNew: false,
    });
  expect([eventRow(sql, event.id).duplicates, claims(sql).length]).toEqual([2, 1]);
});

it('what was signed is as good as the key of an event that came before with another signature', ({ sql }) => {
  const dedupe = { key: 'k', windowMs: HOUR };
  const first = signedWith(['s1'], { dedupe });
  commit(sql, first);
  const receipt = { event: first.id, duplicate: true, messages: [] };
  expect(commit(sql, signedWith(['s2'], { dedupe })).receipt).toEqual(receipt);
  const forged = signedWith(['s2'], { dedupe: { key: 'forged', windowMs: HOUR } });
  expect(commit(sql, forged).receipt).toMatchObject(receipt);
  const { duplicates, item_keys } = eventRow(sql, first.id);
  expect([duplicates, JSON.parse(item_keys)]).toEqual([2, ['s1', 's2']]);
  expect(new Set(claims(sql).map(({ event_id }) => event_id))).toEqual(new Set([first.id]));
});

it('what was signed lasts for its own window; a list is a duplicate once nothing of it is new', ({ sql }) => {
  commit(sql, signedWith(['s'], { dedupe: { key: 'k', windowMs: HOUR } }));
  const at = (ms: number): boolean => isDuplicate(sql, signedWith(['s']), [], START + ms);
  expect([at(2 * HOUR - 1), at(2 * HOUR)]).toEqual([true, false]);
  empty(sql);
  expect([['a'], ['a', 'b'], ['b', 'a']].map((keys) => isDuplicate(sql, signedWith(keys)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(claims(sql)).toHaveLength(2);
});

const signed = (n: number) => ({
  signed: { keys: [`signed:${String(n).padStart(64, '0')}`], windowMs: HOUR },
});

it('an event that is repeated without end, signed anew each time, does not outgrow its row', ({ sql }) => {
  const first = keyed('always the same');
  commit(sql, first);
  for (let n = 0; n < 900; n += 1) commit(sql, keyed('always the same', signed(n)));
  const { duplicates, item_keys } = eventRow(sql, first.id);
  expect(duplicates).toBe(900);
  expect(item_keys.length).toBeLessThanOrEqual(60_100);
  for (const n of [0, 899])
    expect(commit(sql, keyed('another key', signed(n))).receipt).toMatchObject({
      event: first.id,
      duplicate: true,
    });
});

it('the items of a storm all wait, and as many are shown as the event’s row holds', ({ sql }) => {
  const phones = Array.from({ length: 10 }, (_, at) => `49151123456${at + 10}`);
  const itemsWith = (length: number, keyOf: (at: number) => string): readonly DraftItem[] =>
    Array.from({ length }, (_, at) => ({
      ...itemSample(phones, '{}'),
      index: at + 1,
      key: keyOf(at),
      group: '[]',
    }));
  const event = accepted({ payload: JSON.stringify('x'.repeat(1_000_000)) });
  const items = itemsWith(400, (at) => `${at}`.padEnd(100, '漢'));
  expect(commitWhole(sql, { event, messages: [], items }).receipt.waiting).toBe(4_000);
  const kept = eventRow(sql, event.id);
  const bytes = bytesOf([kept.items, kept.payload]);
  expect(bytes).toBeLessThanOrEqual(MAX_EVENT_BYTES);
  expect(bytes).toBeGreaterThan(MAX_EVENT_BYTES - 1_000);
  const shown = parseOwnJson<readonly (readonly unknown[])[]>(kept.items);
  expect(shown.slice(0, 2).map(([route, index, , phone]) => [route, index, phone])).toEqual([
    ['r', 1, phones[0]],
    ['r', 1, phones[1]],
  ]);
  const small = accepted();
  commitWhole(sql, { event: small, messages: [], items: itemsWith(100, (at) => `key-${at}`) });
  expect(parseOwnJson<readonly unknown[]>(eventRow(sql, small.id).items)).toHaveLength(1_000);
});
