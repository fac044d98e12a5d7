import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitAcceptance, type Committed } from '../../../src/outbox/accept/commit.ts';
import { insertMessages } from '../../../src/outbox/accept/rows.ts';
import { retryMessage } from '../../../src/outbox/operate/operate.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { lastSweptSeq, SWEEP_START, sweepStep } from '../../../src/outbox/storage/retention.ts';
import { Reuse } from '../../../src/outbox/storage/reuse.ts';
import { messageRow, inStorage } from '../bare-outbox.ts';
import { newEventId } from '../../../src/lib/id.ts';
import { arrivalsIn, accepted, sameBytes, allRows, countRows, draft, empty, HOUR, MINUTE, START } from '../support.ts';

const DAY = 24 * HOUR;
const RETENTION = 30 * DAY;

/** Rows that were accepted at `START` have expired, and so did their claims; the last sweep was an hour ago. */
const NOW = START + RETENTION + 2 * HOUR;

/** Accepts events as an outbox does, and sweeps it, at moments that the test gives. */
class Accepting {
  readonly sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  reuse: Reuse;
  nextSeq = 1;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
    this.reuse = new Reuse(this.sql);
  }

  accept(at: number, extra: Partial<AcceptedEvent> = {}, messages = [draft()]): Committed {
    const event = accepted({ id: newId(at), receivedAt: at, ...extra });
    const { sql, nextSeq, reuse } = this;
    const context = { sql, tag: 'tag0000', now: at, nextSeq, reuse, arrivals: arrivalsIn(sql) };
    const committed = this.#storage.transactionSync(() => commitAcceptance(context, { event, messages }));
    this.nextSeq += committed.queued.length;
    return committed;
  }

  keyed = (at: number, key: string, messages = [draft()]): Committed =>
    this.accept(at, { dedupe: { key, windowMs: HOUR } }, messages);

  byHand(at: number): void {
    const { sql, nextSeq, reuse } = this;
    const context = { sql, tag: 'tag0000', now: at, nextSeq, reuse, arrivals: arrivalsIn(sql) };
    insertMessages(context, [draft()], { event: null, source: null, since: at, configVersion: 1 });
    this.nextSeq += 1;
  }

  finish(state = 'sent'): void {
    this.sql.exec('UPDATE messages SET state = ?', state);
  }

  sweep(at: number, retentionMs = RETENTION): void {
    const before = at - retentionMs - Math.min(DAY, retentionMs / 8);
    const context = { sql: this.sql, now: at, before, isSending: () => false };
    for (let from = sweepStep(context, SWEEP_START); from !== null;) from = sweepStep(context, from);
    this.reuse.swept(at, retentionMs);
  }

  restart(): void {
    this.reuse = new Reuse(this.sql);
    const { last } = this.sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.nextSeq = Math.max(last ?? 0, lastSweptSeq(this.sql)) + 1;
  }

  column(query: string): readonly unknown[] {
    return this.sql
      .exec(query)
      .toArray()
      .map((row) => Object.values(row)[0]);
  }

  get events(): readonly unknown[] {
    return this.column('SELECT id FROM events ORDER BY id');
  }

  get seqs(): readonly unknown[] {
    return this.column('SELECT seq FROM messages ORDER BY seq');
  }

  get claims(): readonly unknown[] {
    return this.column('SELECT key FROM dedupe_claims ORDER BY key');
  }
}

let ids = 0;
/** Ids of one moment are in the order of their making. */
function newId(at: number): string {
  ids += 1;
  return newEventId(at, sameBytes).slice(0, -8) + String(ids).padStart(8, '0');
}

const inOne = <T>(body: (one: Accepting) => T): Promise<T> =>
  inStorage(({ storage }) => body(new Accepting(storage)));

/** One with an expired event: its message, sent, and its claim. */
const withExpired = <T>(body: (one: Accepting) => T): Promise<T> =>
  inOne((one) => {
    one.keyed(START, 'old');
    one.finish();
    one.sweep(NOW - HOUR);
    return body(one);
  });

const items = (...keys: readonly string[]) => keys.map((itemKey) => draft({ itemKey }));

describe('an event that is accepted where others have expired', () => {
  it('overwrites one of them, with its message and its claim', () =>
    withExpired((one) => {
      const { receipt } = one.keyed(NOW, 'new');
      expect([one.events, one.seqs, one.claims]).toEqual([[receipt.event], [2], ['shop\nnew']]);
    }));

  it('has exactly the rows that it would have in an empty outbox', () =>
    inOne((one) => {
      const old = { type: 'a', reason: 'b', stored: false };
      const replay = { of: 'evt_1', by: 'token' };
      one.accept(START, { ...old, replay, dedupe: { key: 'old', windowMs: HOUR } }, [
        draft({ forget: true, priority: 'high', delayMs: 5, expiresMs: 9, onUncertain: 'hold' }),
      ]);
      one.sql.exec('UPDATE events SET duplicates = 7');
      one.sql.exec(
        `UPDATE messages SET state = 'dead', reason = 'x', tries = 4, refusals = 3, attempts = '[{"n":1,"at":5}]', sent_at = 8,
           actions = '[1]', next_at = NULL`,
      );
      one.sweep(NOW - HOUR);
      const event = accepted({ id: newId(NOW), receivedAt: NOW, dedupe: { key: 'new', windowMs: HOUR } });
      one.accept(NOW, event);
      const tables = ['events', 'messages', 'dedupe_claims'];
      const rows = tables.map((table) => one.sql.exec(`SELECT * FROM ${table}`).toArray());
      for (const table of tables) one.sql.exec(`DELETE FROM ${table}`);
      one.nextSeq = 2;
      one.accept(NOW, event);
      expect(rows).toEqual(tables.map((table) => one.sql.exec(`SELECT * FROM ${table}`).toArray()));
      expect(rows.map(({ length }) => length)).toEqual([1, 1, 1]);
    }));

  it.each(['sent', 'dead', 'expired', 'cancelled'])(
    'costs three rows, and nothing is left to delete, when those were %s',
    (state) =>
      inOne((one) => {
        const EVENTS = 200;
        for (let n = 0; n < EVENTS; n += 1) one.keyed(START + n, `old-${n}`);
        one.finish(state);
        one.sweep(NOW - HOUR);
        const rows = countRows(one.sql);
        for (let n = 0; n < EVENTS; n += 1) one.keyed(NOW + n, `new-${n}`);
        expect(rows.written()).toBe(3 * EVENTS);
        expect(rows.read()).toBeLessThan(20 * EVENTS);
        rows.reset();
        one.sweep(NOW + HOUR + 2 * DAY);
        // The one row has the time of the sweep.
        expect(rows.written()).toBe(1);
        expect([one.events.length, one.seqs.length, one.claims.length]).toEqual([EVENTS, EVENTS, EVENTS]);
      }),
  );

  it('overwrites the claims that it needs, and deletes the others with their event', () =>
    inOne((one) => {
      const windowMs = HOUR;
      one.accept(START, { dedupe: { key: 'a', windowMs } }, items('b', 'c', 'd'));
      one.accept(START, {}, items('e'));
      one.finish();
      one.sweep(NOW - HOUR);
      one.keyed(NOW, 'f');
      expect(one.claims).toEqual(['#shop\ne', 'shop\nf']);
      one.accept(NOW, { dedupe: { key: 'g', windowMs } }, items('h', 'i'));
      expect(one.claims).toEqual(['#shop\nh', '#shop\ni', 'shop\nf', 'shop\ng']);
      expect(one.seqs).toEqual([4, 5, 6, 7]);
    }));

  it('that has the key of an expired one is no duplicate, and has the key alone', () =>
    withExpired((one) => {
      one.keyed(START + RETENTION - DAY, 'new');
      const { receipt } = one.keyed(NOW, 'new');
      expect(receipt.duplicate).toBe(false);
      expect(one.sql.exec('SELECT event_id FROM dedupe_claims').toArray()).toEqual([
        { event_id: receipt.event },
      ]);
    }));

  it('and is there already overwrites nothing', () =>
    withExpired((one) => {
      const { receipt } = one.accept(NOW - 1, {}, []);
      const again = one.accept(NOW, { id: receipt.event }, []);
      expect(again).toMatchObject({ isNew: false, receipt: { event: receipt.event } });
      expect(one.events).toEqual([receipt.event]);
    }));

  it('by hand overwrites a message, and one that was sent by hand is overwritten', () =>
    inOne((one) => {
      one.byHand(START);
      one.finish();
      one.sweep(NOW - HOUR);
      const rows = countRows(one.sql);
      one.byHand(NOW);
      expect([one.seqs, rows.written()]).toEqual([[2], 1]);
    }));
});

/** Expects that all that is there before the event of now is there after it. */
const expectAllKept = (one: Accepting): void => {
  const before = [one.events, one.seqs, one.claims];
  one.keyed(NOW, `new-${one.nextSeq}`);
  const after = [one.events, one.seqs, one.claims];
  before.forEach((kept, table) => expect(after[table]).toEqual(expect.arrayContaining([...kept])));
};

describe('nothing is overwritten', () => {
  it.each(['queued', 'retrying', 'uncertain'])('of an event with a message that is %s', (state) =>
    inOne((one) => {
      one.keyed(START, 'old');
      one.finish(state);
      one.sweep(NOW - HOUR);
      expectAllKept(one);
    }),
  );

  it('that is younger than the retention', () =>
    inOne((one) => {
      one.keyed(NOW - RETENTION, 'old');
      one.finish();
      one.sweep(NOW - HOUR);
      expectAllKept(one);
    }));

  it('of an event whose claim is in force', () =>
    inOne((one) => {
      const { receipt } = one.accept(START, { dedupe: { key: 'k', windowMs: NOW - START + 1 } }, []);
      one.sweep(NOW - HOUR);
      expectAllKept(one);
      expect(one.keyed(NOW, 'k').receipt).toMatchObject({ duplicate: true, event: receipt.event });
    }));

  it('of an event with the claim of an item in force', () =>
    inOne((one) => {
      one.accept(START, { itemWindowMs: NOW - START + 1 }, [draft({ itemKey: 'a' })]);
      one.finish();
      one.sweep(NOW - HOUR);
      expect(one.accept(NOW, {}, [draft({ itemKey: 'a' })]).queued).toEqual([]);
      expect(one.claims).toEqual(['#shop\na']);
      expect(one.events).toHaveLength(2);
    }));

  it('before the first sweep, which says how long rows are kept', () =>
    inOne((one) => {
      one.keyed(START, 'old');
      one.finish();
      expectAllKept(one);
    }));

  it('after a rollback: what newer code wrote into the row would count for the new one', () =>
    withExpired((one) => {
      one.sql.exec("ALTER TABLE messages ADD COLUMN added TEXT NOT NULL DEFAULT 'default'");
      one.sql.exec("UPDATE messages SET added = 'of the first message'");
      one.sql.exec('UPDATE store_version SET version = version + 1');
      one.restart();
      one.keyed(NOW, 'new');
      expect(one.column('SELECT added FROM messages ORDER BY seq')).toEqual([
        'of the first message',
        'default',
      ]);
      expect([one.events.length, one.claims.length]).toEqual([2, 2]);
    }));

  it('that was tried since, though it is old', () =>
    withExpired((one) => {
      one.sql.exec('UPDATE messages SET attempts = ?', JSON.stringify([{ n: 1, at: NOW - 2 * HOUR }]));
      one.keyed(NOW, 'new');
      expect(one.seqs).toEqual([1, 2]);
    }));

  it('that a person retried after it was listed', () =>
    inOne((one) => {
      for (const key of ['a', 'b', 'c']) one.keyed(START, key);
      one.finish('dead');
      one.sweep(NOW - HOUR);
      const [, second] = one.events;
      one.keyed(NOW, 'd');
      const context = { sql: one.sql, now: NOW, by: 'token', isSending: () => false };
      expect(retryMessage(context, messageRow(one.sql, 2)).ok).toBe(true);
      one.keyed(NOW, 'e');
      one.keyed(NOW, 'f');
      expect(one.events).toContain(second);
      expect(messageRow(one.sql, 2)).toMatchObject({ event_id: second, state: 'queued' });
      expect(one.seqs).toEqual([2, 4, 5, 6]);
    }));
});

describe('the search for expired rows', () => {
  it('is over with two statements where there are none', () =>
    inOne((one) => {
      one.keyed(NOW - DAY, 'a');
      one.sweep(NOW - HOUR);
      one.restart();
      const rows = countRows(one.sql);
      one.keyed(NOW, 'b');
      expect(rows.read()).toBeLessThan(5);
      rows.reset();
      one.accept(NOW + 1);
      // The row that it reads is the place for its id.
      expect([rows.read(), rows.written()]).toEqual([1, 2]);
    }));

  it('goes on after a restart, with the retention of the last sweep', () =>
    withExpired((one) => {
      one.restart();
      one.keyed(NOW, 'new');
      expect(one.seqs).toEqual([2]);
    }));

  it('finds what has expired since, some minutes later', () =>
    inOne((one) => {
      for (let n = 0; n < 40; n += 1) one.accept(START + n * MINUTE);
      one.finish();
      one.sweep(NOW - HOUR);
      const at = START + RETENTION + MINUTE / 2;
      for (let n = 0; n < 40; n += 1) one.accept(at + n * MINUTE);
      expect(one.seqs.length).toBeLessThanOrEqual(40 + 6);
    }));

  it('uses the keys of the tables', () =>
    inOne((one) => {
      for (let n = 0; n < 100; n += 1) one.keyed(START, `old-${n}`);
      const plans: string[] = [];
      one.finish();
      one.sweep(NOW - HOUR);
      const exec = one.sql.exec.bind(one.sql);
      one.sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
        const plan = exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...values).toArray();
        plans.push(...plan.map(({ detail }) => detail));
        return exec<Row>(query, ...values);
      };
      one.keyed(NOW, 'new');
      const scans = plans.filter((plan) => /^SCAN (events|messages|dedupe_claims)/.test(plan));
      expect(plans.length).toBeGreaterThan(5);
      expect(scans).toEqual([]);
    }));
});

type Step =
  | {
      readonly do: 'accept';
      readonly key: number | null;
      readonly messages: number;
      readonly windowDays: number;
    }
  | { readonly do: 'end'; readonly state: string; readonly share: number }
  | { readonly do: 'retry' | 'again'; readonly pick: number }
  | { readonly do: 'by hand' | 'sweep' | 'restart' }
  | { readonly do: 'wait'; readonly hours: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      key: fc.option(fc.nat(5)),
      messages: fc.nat(3),
      windowDays: fc.constantFrom(1, 3, 40),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      state: fc.constantFrom('sent', 'sent', 'dead', 'uncertain', 'retrying', 'cancelled'),
      share: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.record({ do: fc.constantFrom('retry' as const, 'again' as const), pick: fc.nat() }),
  fc.record({
    do: fc.constantFrom('by hand' as const, 'sweep' as const, 'sweep' as const, 'restart' as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 20, 100, 400) }),
  },
);

interface ModelEvent {
  readonly at: number;
  readonly seqs: readonly number[];
}

interface ModelMessage {
  readonly event: string | null;
  readonly at: number;
  state: string;
}

/** The contents that an outbox must still have, by the simplest rules. */
class Model {
  now = START;
  readonly events = new Map<string, ModelEvent>();
  readonly messages = new Map<number, ModelMessage>();
  readonly claims = new Map<string, { readonly event: string; readonly until: number }>();

  readonly one: Accepting;
  /** The events with a message that waited after the last step. */
  readonly #held = new Set<string>();

  constructor(one: Accepting) {
    this.one = one;
  }

  run(step: Step): void {
    const { one } = this;
    if (step.do === 'accept') this.#accept(step);
    else if (step.do === 'end') this.#end(step.state, step.share);
    else if (step.do === 'retry') this.#retry(step.pick);
    else if (step.do === 'again') this.#again(step.pick);
    else if (step.do === 'sweep') one.sweep(this.now);
    else if (step.do === 'restart') one.restart();
    else if (step.do === 'wait') this.now += step.hours * HOUR;
    else {
      this.messages.set(one.nextSeq, { event: null, at: this.now, state: 'queued' });
      one.byHand(this.now);
    }
  }

  #accept({ key, messages, windowDays }: Extract<Step, { do: 'accept' }>): void {
    this.now += 1;
    const { one, now } = this;
    const name = key === null ? null : `key-${key}`;
    const claim = name === null ? undefined : this.claims.get(name);
    const first = one.nextSeq;
    const dedupe = name === null ? null : { key: name, windowMs: windowDays * DAY };
    const { receipt } = one.accept(
      now,
      { dedupe },
      Array.from({ length: messages }, () => draft()),
    );
    const isRepeated = claim !== undefined && claim.until > now;
    expect([receipt.duplicate, isRepeated && claim.event === receipt.event]).toEqual([
      isRepeated,
      isRepeated,
    ]);
    if (isRepeated) return;
    const seqs = Array.from({ length: messages }, (_, index) => first + index);
    // No number is ever given twice.
    for (const seq of seqs) expect(this.messages.has(seq)).toBe(false);
    for (const seq of seqs) this.messages.set(seq, { event: receipt.event, at: now, state: 'queued' });
    this.events.set(receipt.event, { at: now, seqs });
    if (name !== null) this.claims.set(name, { event: receipt.event, until: now + windowDays * DAY });
  }

  /** Calls end for some of the messages that wait. */
  #end(state: string, share: number): void {
    for (const [seq, message] of this.messages) {
      if (seq % share !== 0 || !['queued', 'retrying'].includes(message.state)) continue;
      message.state = state;
      const attempts = JSON.stringify([{ n: 1, at: this.now }]);
      this.one.sql.exec('UPDATE messages SET state = ?, attempts = ? WHERE seq = ?', state, attempts, seq);
    }
  }

  #retry(pick: number): void {
    const dead = allRows(this.one.sql).filter(({ state }) => state === 'dead');
    const row = dead[pick % dead.length];
    if (row === undefined) return;
    retryMessage({ sql: this.one.sql, now: this.now, by: 'token', isSending: () => false }, row);
    const message = this.messages.get(row.seq);
    if (message !== undefined) message.state = 'queued';
  }

  /** The Worker repeats a call whose answer was lost. */
  #again(pick: number): void {
    const young = [...this.events].filter(([, { at }]) => at > this.now - RETENTION);
    const id = young[pick % young.length]?.[0];
    if (id !== undefined) expect(this.one.accept(this.now, { id }, []).isNew).toBe(false);
  }

  expectKept(): void {
    const { one, now } = this;
    const stored = new Map(
      one.sql
        .exec<{ id: string; received_at: number; first_message: number; message_count: number }>(
          'SELECT id, received_at, first_message, message_count FROM events',
        )
        .toArray()
        .map((row) => [row.id, row]),
    );
    const rows = new Map(allRows(one.sql).map((row) => [row.seq, row]));
    for (const [id, { at, seqs }] of this.events) {
      const isClaimed = [...this.claims.values()].some(({ event, until }) => event === id && until > now);
      const isWaited = seqs.some((seq) =>
        ['queued', 'retrying'].includes(this.messages.get(seq)?.state ?? ''),
      );
      const row = stored.get(id);
      if (row === undefined) expect([id, at > now - RETENTION || isClaimed]).toEqual([id, false]);
      else expect([row.received_at, row.message_count]).toEqual([at, seqs.length]);
      if (row !== undefined && seqs.length > 0) expect(row.first_message).toBe(seqs[0]);
      // A message that is retried when its event has gone is sent without it.
      if (this.#held.has(id) && isWaited) expect(row).toBeDefined();
      if (row !== undefined && isWaited) this.#held.add(id);
      else this.#held.delete(id);
    }
    for (const [seq, { event, at, state }] of this.messages) {
      const row = rows.get(seq);
      const mustBe = at > now - RETENTION || ['queued', 'retrying'].includes(state);
      if (row === undefined) expect([seq, mustBe]).toEqual([seq, false]);
      else expect([row.event_id, row.created_at, row.state]).toEqual([event, at, state]);
    }
    expect([...stored.keys()].filter((id) => !this.events.has(id))).toEqual([]);
    expect([...rows.keys()].filter((seq) => !this.messages.has(seq))).toEqual([]);
    const orphans = one.column('SELECT key FROM dedupe_claims WHERE event_id NOT IN (SELECT id FROM events)');
    expect(orphans).toEqual([]);
  }
}

describe('an outbox in any order of what happens to it', () => {
  it('has all that has not expired or waits, gives no number twice, and knows each duplicate', () =>
    inStorage(({ storage }) => {
      let overwritten = 0;
      fc.assert(
        fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
          empty(storage.sql);
          const model = new Model(new Accepting(storage));
          for (const one of steps) {
            model.run(one);
            model.expectKept();
          }
          overwritten += model.events.size - model.one.events.length;
        }),
        { numRuns: 150 },
      );
      // The runs are random, some 90 to 170 rows in all; none at all would mean that nothing was tested.
      expect(overwritten).toBeGreaterThan(0);
    }));
});
