import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Acceptance,
  AcceptedEvent,
  DraftItem,
  DraftMessage,
} from '../../../src/outbox/state/acceptance.ts';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import { commitAcceptance, type Committed } from '../../../src/outbox/accept/commit.ts';
import type { RowContext } from '../../../src/outbox/accept/rows.ts';
import { bytesOf, MAX_EVENT_BYTES } from '../../../src/outbox/state/bytes.ts';
import { messageId } from '../../../src/outbox/state/message.ts';
import { accepted, allRows, arrivalsIn, draft, HOUR, MINUTE, rowOf, START, TAG } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const commit = (sql: SqlStorage, acceptance: Acceptance, over: Partial<RowContext> = {}): Committed =>
  commitAcceptance({ sql, tag: TAG, now: START, nextSeq: 1, arrivals: arrivalsIn(sql), ...over }, acceptance);

const keyed = (key: string, windowMs = HOUR) => accepted({ dedupe: { key, windowMs } });

const countOf = (sql: SqlStorage, table: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;

describe('an event with its messages', () => {
  it('is kept, and its messages are numbered in a row', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted();
      const committed = commit(sql, { event, messages: [draft(), draft({ phone: 'b' })] }, { nextSeq: 41 });
      expect(committed).toEqual({
        receipt: { event: event.id, duplicate: false, messages: [messageId(41, TAG), messageId(42, TAG)] },
        queued: allRows(sql),
        isNew: true,
      });
      expect(allRows(sql).map(({ seq, event_id, phone }) => [seq, event_id, phone])).toEqual([
        [41, event.id, '4915112345601'],
        [42, event.id, 'b'],
      ]);
    }));

  it('that no route took is kept without messages', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted({ state: 'unmatched' });
      expect(commit(sql, { event, messages: [] })).toEqual({
        receipt: { event: event.id, duplicate: false, messages: [] },
        queued: [],
        isNew: true,
      });
      expect(countOf(sql, 'events')).toBe(1);
    }));

  it('stands as a whole or not at all', () =>
    inStorage(({ storage }) => {
      const { sql } = storage;
      commit(sql, { event: accepted(), messages: [draft()] });
      const clash: Acceptance = { event: keyed('k'), messages: [draft()] };
      // The number is taken, so the last of the three writes fails.
      expect(() => storage.transactionSync(() => commit(sql, clash))).toThrow(/constraint/i);
      expect(countOf(sql, 'events')).toBe(1);
      expect(countOf(sql, 'dedupe_claims')).toBe(0);
      expect(commit(sql, clash, { nextSeq: 2 }).receipt.duplicate).toBe(false);
    }));
});

describe('a fresh message', () => {
  it('waits by its place in the sequence; a delayed or urgent one by a moment of its own', () =>
    inStorage(({ storage: { sql } }) => {
      const messages = [
        draft(),
        draft({ delayMs: MINUTE }),
        draft({ priority: 'high' }),
        draft({ priority: 'high', delayMs: MINUTE }),
      ];
      commit(sql, { event: accepted(), messages });
      expect(allRows(sql).map(({ state, priority, next_at }) => [state, priority, next_at])).toEqual([
        ['queued', 0, null],
        ['queued', 0, START + MINUTE],
        ['queued', 1, START],
        ['queued', 1, START + MINUTE],
      ]);
    }));

  it('expires by when its event was received, not by when it was committed', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted({ receivedAt: START - 5_000 });
      commit(sql, { event, messages: [draft({ expiresMs: MINUTE }), draft()] });
      expect(allRows(sql).map(({ expires_at }) => expires_at)).toEqual([START - 5_000 + MINUTE, null]);
    }));

  it('keeps its parameters as they are, Unicode and all', () =>
    inStorage(({ storage: { sql } }) => {
      const params = { message: 'Zoë "x"\n\u0000 👩‍👩‍👧', __proto__x: '1' };
      commit(sql, { event: accepted(), messages: [draft({ params, onUncertain: 'hold' })] });
      expect(JSON.parse(rowOf(sql, 1).params)).toEqual(params);
      expect(rowOf(sql, 1).on_uncertain).toBe('hold');
    }));
});

describe('a duplicate', () => {
  it('gets the first one’s receipt, queues nothing and is counted', () =>
    inStorage(({ storage: { sql } }) => {
      const first = commit(sql, { event: keyed('k'), messages: [draft()] });
      const again = commit(sql, { event: keyed('k'), messages: [draft(), draft()] }, { nextSeq: 2 });
      expect(again).toEqual({ receipt: { ...first.receipt, duplicate: true }, queued: [], isNew: false });
      expect(countOf(sql, 'events')).toBe(1);
      expect(countOf(sql, 'messages')).toBe(1);
      expect(sql.exec('SELECT duplicates FROM events').one()['duplicates']).toBe(1);
    }));

  it('is a source’s own affair: another source may use the same key', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: keyed('k'), messages: [] });
      const other = { ...keyed('k'), source: 'form' };
      expect(commit(sql, { event: other, messages: [] }).receipt.duplicate).toBe(false);
    }));

  it('is one until the window ends, and none from then on; the key is then the newer event’s', () =>
    inStorage(({ storage: { sql } }) => {
      const first = keyed('k', HOUR);
      commit(sql, { event: first, messages: [] });
      const early = commit(sql, { event: keyed('k'), messages: [] }, { now: START + HOUR - 1 });
      expect(early.receipt).toMatchObject({ event: first.id, duplicate: true });

      const second = { ...keyed('k', HOUR), receivedAt: START + HOUR };
      const late = commit(sql, { event: second, messages: [] }, { now: START + HOUR });
      expect(late.receipt).toMatchObject({ event: second.id, duplicate: false });
      const later = commit(sql, { event: keyed('k'), messages: [] }, { now: START + HOUR + 1 });
      expect(later.receipt).toMatchObject({ event: second.id, duplicate: true });
    }));

  it('without a dedupe key is none', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: accepted(), messages: [draft()] });
      expect(commit(sql, { event: accepted(), messages: [draft()] }, { nextSeq: 2 }).queued).toHaveLength(1);
    }));
});

describe('the same event handed in twice, because the first answer was lost', () => {
  it.each([
    ['with a key', keyed('k')],
    ['without one', accepted()],
  ])('is committed once and is no duplicate: %s', (_, event) =>
    inStorage(({ storage: { sql } }) => {
      const first = commit(sql, { event, messages: [draft(), draft()] });
      const again = commit(sql, { event, messages: [draft(), draft()] }, { nextSeq: 3 });
      expect(again).toEqual({ receipt: first.receipt, queued: [], isNew: false });
      expect(countOf(sql, 'messages')).toBe(2);
      expect(sql.exec('SELECT duplicates FROM events').one()['duplicates']).toBe(0);
    }),
  );
});

const about = (...itemKeys: string[]) => itemKeys.map((itemKey) => draft({ itemKey }));

describe('a thing of a list that came before', () => {
  it('makes no messages again, and the event says what was left out', () =>
    inStorage(({ storage: { sql } }) => {
      const first = accepted();
      commit(sql, { event: first, messages: about('a', 'b') });
      const second = accepted();
      const committed = commit(sql, { event: second, messages: about('b', 'c', 'b') }, { nextSeq: 3 });
      expect(committed.queued).toHaveLength(1);
      expect(committed.receipt).toEqual({
        event: second.id,
        duplicate: false,
        messages: [messageId(3, TAG)],
      });
      const { reason } = sql
        .exec<{ reason: string }>('SELECT reason FROM events WHERE id = ?', second.id)
        .one();
      expect(reason).toBe(`left out 2 of its 3 messages: their items arrived before, in ${first.id}`);
    }));

  it('may make several messages in one event: one a route and receiver', () =>
    inStorage(({ storage: { sql } }) => {
      expect(commit(sql, { event: accepted(), messages: about('a', 'a') }).queued).toHaveLength(2);
    }));

  it('is another thing in another source, and once its window is over', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: accepted(), messages: about('a') });
      const elsewhere = accepted({ source: 'other' });
      expect(commit(sql, { event: elsewhere, messages: about('a') }, { nextSeq: 2 }).queued).toHaveLength(1);
      const later = { nextSeq: 3, now: START + HOUR };
      expect(commit(sql, { event: accepted(), messages: about('a') }, later).queued).toHaveLength(1);
    }));

  it('is not the same as an event of that id', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: keyed('a'), messages: [draft()] });
      expect(commit(sql, { event: accepted(), messages: about('a') }, { nextSeq: 2 }).queued).toHaveLength(1);
    }));

  it('is taken when the same event is handed in again, whose answer was lost', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted();
      const first = commit(sql, { event, messages: about('a', 'b') });
      expect(commit(sql, { event, messages: about('a', 'b') }, { nextSeq: 3 }).receipt).toEqual(
        first.receipt,
      );
    }));
});

const fact = (once: string, over: Partial<DraftMessage> = {}) => draft({ route: 'paid', once, ...over });
const reasonOf = (sql: SqlStorage, id: string): string | null =>
  sql.exec<{ reason: string | null }>('SELECT reason FROM events WHERE id = ?', id).one().reason;

const of = (itemKey: string, once: string) => [fact(once, { itemKey })];

describe('a fact that its route reports once', () => {
  it('is reported to each receiver by the first event; a later one says which that was', () =>
    inStorage(({ storage: { sql } }) => {
      const first = accepted();
      const both = [fact('1042'), fact('1042', { phone: 'b' })];
      expect(commit(sql, { event: first, messages: both }).queued).toHaveLength(2);
      expect(countOf(sql, 'dedupe_claims')).toBe(1);
      const second = accepted({ reason: 'another reason' });
      const messages = [...both, fact('1043'), draft()];
      const committed = commit(sql, { event: second, messages }, { nextSeq: 3 });
      expect(committed).toMatchObject({ isNew: true, receipt: { event: second.id, duplicate: false } });
      expect(committed.queued).toHaveLength(2);
      expect(reasonOf(sql, second.id)).toBe(
        `another reason\nleft out 2 of its 4 messages: their \`once\` value arrived before, in ${first.id}`,
      );
    }));

  it('is each route’s and each source’s own, and neither an item’s id nor an event’s', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: keyed('1042'), messages: [fact('1042'), draft({ itemKey: '1042' })] });
      const [, claim = ''] = claims(sql).map(({ key }) => key.split('\n')[1]);
      expect(claim).toMatch(/^once:[\da-f]{64}$/);
      const others: readonly Acceptance[] = [
        { event: accepted(), messages: [fact('1042', { route: 'shipped' })] },
        { event: accepted({ source: 'other' }), messages: [fact('1042')] },
        { event: keyed(claim), messages: [draft({ itemKey: 'paid\n1042' })] },
      ];
      others.forEach((acceptance, at) =>
        expect(commit(sql, acceptance, { nextSeq: 3 + at }).queued).toHaveLength(1),
      );
    }));

  it('is reported again once its window is over', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: accepted(), messages: [fact('1042')] });
      const early = { nextSeq: 2, now: START + HOUR - 1 };
      expect(commit(sql, { event: accepted(), messages: [fact('1042')] }, early).queued).toHaveLength(0);
      const late = { nextSeq: 2, now: START + HOUR };
      expect(commit(sql, { event: accepted(), messages: [fact('1042')] }, late).queued).toHaveLength(1);
    }));

  it('about an item with an id has to be new, and the item too', () =>
    inStorage(({ storage: { sql } }) => {
      const reported = [
        of('a', '1'),
        of('b', '1'),
        of('a', '2'),
        of('c', '3'),
        of('b', '4'),
        of('d', '2'),
      ].map(
        (messages, at) => commit(sql, { event: accepted(), messages }, { nextSeq: 1 + at }).queued.length,
      );
      // An item that is left out claims nothing: it was not reported.
      expect(reported).toEqual([1, 0, 0, 1, 1, 1]);
    }));

  it('is reported when the same event is handed in again, whose answer was lost', () =>
    inStorage(({ storage: { sql } }) => {
      const acceptance = { event: accepted(), messages: [fact('1042')] };
      const first = commit(sql, acceptance);
      expect(commit(sql, acceptance, { nextSeq: 2 })).toEqual({
        receipt: first.receipt,
        queued: [],
        isNew: false,
      });
    }));

  it('waits for one notification', () =>
    inStorage(({ storage: { sql } }) => {
      const items: readonly DraftItem[] = [
        {
          route: 'paid',
          index: 1,
          phones: ['4915112345601'],
          key: null,
          isResolved: false,
          group: null,
          flapping: null,
          inhibitedBy: [],
          value: '{}',
          once: '1042',
        },
      ];
      expect(commit(sql, { event: accepted(), messages: [], items }).receipt.waiting).toBe(1);
      const second = accepted();
      expect(commit(sql, { event: second, messages: [], items }).receipt).not.toHaveProperty('waiting');
      expect(reasonOf(sql, second.id)).toContain('left out 1 of its 1 messages');
    }));

  it('is in no row as a text', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, {
        event: accepted({ stored: false }),
        messages: [fact('ada@example.com', { params: {} })],
      });
      const rows = ['events', 'messages', 'dedupe_claims'].map((table) =>
        sql.exec(`SELECT * FROM ${table}`).toArray(),
      );
      expect(JSON.stringify(rows)).not.toContain('ada');
    }));

  it('is reported by the first of any events that have it', () => {
    const facts = fc.array(fc.record({ route: fc.constantFrom('paid', 'sent'), once: fc.nat(3) }), {
      maxLength: 4,
    });
    return fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 12 }), (events) =>
        inStorage(({ storage: { sql } }) => {
          const known = new Set<string>();
          let nextSeq = 1;
          for (const one of events) {
            const messages = one.map(({ route, once }) => fact(String(once), { route }));
            const { queued } = commit(sql, { event: accepted(), messages }, { nextSeq });
            const names = one.map(({ route, once }) => `${route} ${once}`);
            expect(queued).toHaveLength(names.filter((name) => !known.has(name)).length);
            for (const name of names) known.add(name);
            nextSeq += queued.length;
          }
          expect(countOf(sql, 'dedupe_claims')).toBe(known.size);
        }),
      ),
      { numRuns: 25 },
    );
  });
});

const signedWith = (keys: readonly string[], over: Partial<AcceptedEvent> = {}) =>
  accepted({ signed: { keys, windowMs: 2 * HOUR }, ...over });
const claims = (sql: SqlStorage) =>
  sql.exec<{ key: string; event_id: string }>('SELECT key, event_id FROM dedupe_claims').toArray();

describe('what was signed once', () => {
  it('makes one event, whatever key another one with it has', () =>
    inStorage(({ storage: { sql } }) => {
      const first = commit(sql, { event: signedWith(['s']), messages: [draft()] });
      for (const dedupe of [null, { key: 'forged', windowMs: HOUR }]) {
        const again = commit(
          sql,
          { event: signedWith(['s'], { dedupe }), messages: [draft()] },
          { nextSeq: 2 },
        );
        const reason = 'everything that its sender signed has arrived before';
        const receipt = { ...first.receipt, duplicate: true, reason };
        expect(again).toEqual({ receipt, queued: [], isNew: false });
      }
      expect(sql.exec('SELECT duplicates FROM events').one()['duplicates']).toBe(2);
      expect(claims(sql)).toHaveLength(1);
    }));

  it('is as good as the key of an event that came before with another signature', () =>
    inStorage(({ storage: { sql } }) => {
      const dedupe = { key: 'k', windowMs: HOUR };
      const first = signedWith(['s1'], { dedupe });
      commit(sql, { event: first, messages: [] });
      const anew = commit(sql, { event: signedWith(['s2'], { dedupe }), messages: [] });
      expect(anew.receipt).toEqual({ event: first.id, duplicate: true, messages: [] });
      const forged = signedWith(['s2'], { dedupe: { key: 'forged', windowMs: HOUR } });
      expect(commit(sql, { event: forged, messages: [] }).receipt).toMatchObject({
        event: first.id,
        duplicate: true,
      });
      const row = sql.exec<{ item_keys: string; duplicates: number }>('SELECT * FROM events').one();
      expect([row.duplicates, JSON.parse(row.item_keys)]).toEqual([2, ['s1', 's2']]);
      expect(new Set(claims(sql).map(({ event_id }) => event_id))).toEqual(new Set([first.id]));
    }));

  it('lasts for its own window, not for that of the key', () =>
    inStorage(({ storage: { sql } }) => {
      const first = signedWith(['s'], { dedupe: { key: 'k', windowMs: HOUR } });
      commit(sql, { event: first, messages: [] });
      const late = commit(sql, { event: signedWith(['s']), messages: [] }, { now: START + 2 * HOUR - 1 });
      expect(late.receipt).toMatchObject({ event: first.id, duplicate: true });
      const later = commit(sql, { event: signedWith(['s']), messages: [] }, { now: START + 2 * HOUR });
      expect(later.receipt.duplicate).toBe(false);
    }));

  it('in a list is a duplicate once nothing of it is new', () =>
    inStorage(({ storage: { sql } }) => {
      const first = signedWith(['a']);
      commit(sql, { event: first, messages: [] });
      const second = signedWith(['a', 'b']);
      expect(commit(sql, { event: second, messages: [] }).receipt).toMatchObject({ duplicate: false });
      expect(commit(sql, { event: signedWith(['b', 'a']), messages: [] }).receipt.duplicate).toBe(true);
      expect(claims(sql)).toHaveLength(2);
    }));

  it('is no duplicate of itself when the same event is handed in again, whose answer was lost', () =>
    inStorage(({ storage: { sql } }) => {
      const event = signedWith(['s'], { dedupe: { key: 'k', windowMs: HOUR } });
      const first = commit(sql, { event, messages: [draft()] });
      expect(commit(sql, { event, messages: [draft()] }, { nextSeq: 2 }).receipt).toEqual(first.receipt);
      expect(sql.exec('SELECT duplicates FROM events').one()['duplicates']).toBe(0);
    }));

  it('costs an event without it no row', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, { event: keyed('k'), messages: [draft()] });
      expect(claims(sql)).toHaveLength(1);
    }));
});

describe('an event that is repeated without end, signed anew each time', () => {
  it('does not outgrow its row, and none of its signatures makes another event', () =>
    inStorage(({ storage: { sql } }) => {
      const first = keyed('always the same');
      commit(sql, { event: first, messages: [] });
      const signatures = Array.from({ length: 2_000 }, (_, n) => `signed:${String(n).padStart(64, '0')}`);
      for (const signature of signatures) {
        const signed = { keys: [signature], windowMs: HOUR };
        commit(sql, { event: { ...keyed('always the same'), signed }, messages: [] });
      }
      const row = sql.exec<{ item_keys: string; duplicates: number }>('SELECT * FROM events').one();
      expect(row.duplicates).toBe(2_000);
      expect(row.item_keys.length).toBeLessThanOrEqual(60_100);
      for (const signature of [signatures[0], signatures.at(-1)]) {
        const signed = { keys: [signature ?? ''], windowMs: HOUR };
        const { receipt } = commit(sql, { event: { ...keyed('another key'), signed }, messages: [] });
        expect(receipt).toMatchObject({ event: first.id, duplicate: true });
      }
    }));
});

describe('the items of a storm', () => {
  const phones = Array.from({ length: 10 }, (_, at) => `49151123456${at + 10}`);
  const items = Array.from({ length: 1_000 }, (_, at): DraftItem => ({
    route: 'on-call',
    index: at + 1,
    phones,
    key: `${at}`.padEnd(100, '漢'),
    isResolved: false,
    group: '[]',
    flapping: null,
    inhibitedBy: [],
    value: '{}',
  }));

  it('all wait, and as many are shown as the row of the event has space for', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted({ payload: JSON.stringify('x'.repeat(1_000_000)) });
      const { receipt } = commit(sql, { event, messages: [], items });
      expect(receipt.waiting).toBe(10_000);
      const kept = sql
        .exec<{ items: string; payload: string }>('SELECT items, payload FROM events WHERE id = ?', event.id)
        .one();
      const bytes = bytesOf([kept.items, kept.payload]);
      expect(bytes).toBeLessThanOrEqual(MAX_EVENT_BYTES);
      expect(bytes).toBeGreaterThan(MAX_EVENT_BYTES - 1_000);
      const shown = parseOwnJson<readonly (readonly unknown[])[]>(kept.items);
      expect(shown.slice(0, 2).map(([route, index, , phone]) => [route, index, phone])).toEqual([
        ['on-call', 1, phones[0]],
        ['on-call', 1, phones[1]],
      ]);
    }));

  it('are all shown where they fit', () =>
    inStorage(({ storage: { sql } }) => {
      const event = accepted();
      commit(sql, { event, messages: [], items: items.map((item, at) => ({ ...item, key: `key-${at}` })) });
      const { shown } = sql
        .exec<{ shown: number }>(
          'SELECT json_array_length(items) AS shown FROM events WHERE id = ?',
          event.id,
        )
        .one();
      expect(shown).toBe(10_000);
    }));
});
