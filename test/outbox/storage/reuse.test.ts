import fc from 'fast-check';
import { expect } from 'vitest';
import type { EventRow } from '../../../src/outbox/read/views.ts';
import { retryMessage } from '../../../src/outbox/operate/operate.ts';
import { it } from '../it.ts';
import { accepted, allRows, DAY, draft, empty, endsIn, HOUR, MINUTE, rowOf, START } from '../support.ts';
import { Accepting, newId, NOW, RETENTION } from './accepting.ts';

const items = (...keys: readonly string[]) => keys.map((itemKey) => draft({ itemKey }));

/** One with an expired event: its message, sent, and its claim. */
function expired(storage: DurableObjectStorage, state = 'sent', ...keys: readonly string[]): Accepting {
  empty(storage.sql);
  const one = new Accepting(storage);
  for (const key of ['old', ...keys]) one.keyed(START, key);
  one.finish(state);
  one.sweep(NOW - HOUR);
  return one;
}

it('an event that overwrites another has exactly the rows that it has in an empty outbox', ({ storage }) => {
  const one = new Accepting(storage);
  const old = { type: 'a', reason: 'b', stored: false, replay: { of: 'evt_1', by: 'token' } };
  one.accept(START, { ...old, dedupe: { key: 'old', windowMs: HOUR } }, [
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
});

it('an event overwrites the claims that it needs, and deletes the others with their event', ({ storage }) => {
  const one = new Accepting(storage);
  one.accept(START, { dedupe: { key: 'a', windowMs: HOUR } }, items('b', 'c', 'd'));
  one.accept(START, {}, items('e'));
  one.finish();
  one.sweep(NOW - HOUR);
  one.keyed(NOW, 'f');
  expect(one.claims).toEqual(['#shop\ne', 'shop\nf']);
  one.accept(NOW, { dedupe: { key: 'g', windowMs: HOUR } }, items('h', 'i'));
  expect(one.claims).toEqual(['#shop\nh', '#shop\ni', 'shop\nf', 'shop\ng']);
  expect(one.seqs).toEqual([4, 5, 6, 7]);
});

it('nothing is overwritten after a rollback: newer code wrote into the row', ({ storage }) => {
  const one = expired(storage);
  one.sql.exec("ALTER TABLE messages ADD COLUMN added TEXT NOT NULL DEFAULT 'default'");
  one.sql.exec("UPDATE messages SET added = 'of the first message'");
  one.sql.exec('UPDATE store_version SET version = version + 1');
  one.restart();
  one.keyed(NOW, 'new');
  expect(one.column('SELECT added FROM messages ORDER BY seq')).toEqual(['of the first message', 'default']);
  expect([one.events.length, one.claims.length]).toEqual([2, 2]);
});

it('a message that a person retried after it was listed is not overwritten', ({ storage, sql }) => {
  const one = expired(storage, 'dead', 'b', 'c');
  const [, second] = one.events;
  one.keyed(NOW, 'd');
  const context = { ...endsIn(sql), sql, now: NOW, by: 'token', isSending: () => false };
  expect(retryMessage(context, rowOf(sql, 2)).ok).toBe(true);
  one.keyed(NOW, 'e');
  one.keyed(NOW, 'f');
  expect(one.events).toContain(second);
  expect(rowOf(sql, 2)).toMatchObject({ event_id: second, state: 'queued' });
  expect(one.seqs).toEqual([2, 4, 5, 6]);
});

it('what has expired since is found some minutes later', ({ storage }) => {
  const one = new Accepting(storage);
  for (let n = 0; n < 40; n += 1) one.accept(START + n * MINUTE);
  one.finish();
  one.sweep(NOW - HOUR);
  const at = START + RETENTION + MINUTE / 2;
  for (let n = 0; n < 40; n += 1) one.accept(at + n * MINUTE);
  expect(one.seqs.length).toBeLessThanOrEqual(40 + 6);
});

const steps = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant('accept') },
    { weight: 3, arbitrary: fc.constant('end') },
    { weight: 3, arbitrary: fc.constant('wait') },
    { weight: 2, arbitrary: fc.constantFrom('retry', 'again', 'by hand', 'sweep', 'sweep', 'restart') },
  ),
  key: fc.constantFrom(null, null, null, 'a', 'b', 'c', 'd'),
  messages: fc.nat(3),
  windowDays: fc.constantFrom(1, 3, 40),
  state: fc.constantFrom('sent', 'sent', 'dead', 'uncertain', 'retrying', 'cancelled'),
  share: fc.integer({ min: 1, max: 3 }),
  pick: fc.nat(),
  hours: fc.constantFrom(1, 20, 100, 400),
});
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

const isWaiting = (state: string | undefined): boolean => state === 'queued' || state === 'retrying';

/** The contents that an outbox must still have, by the simplest rules. */
class Model {
  now = START;
  readonly events = new Map<string, { readonly at: number; readonly seqs: readonly number[] }>();
  readonly messages = new Map<
    number,
    { readonly event: string | null; readonly at: number; state: string }
  >();
  readonly claims = new Map<string, { readonly event: string; readonly until: number }>();
  readonly one: Accepting;
  /** The events with a message that waited after the last step. */
  readonly #held = new Set<string>();

  constructor(one: Accepting) {
    this.one = one;
  }

  take(step: Step): void {
    const { one } = this;
    if (step.act === 'accept') this.#accept(step);
    else if (step.act === 'end') this.#end(step);
    else if (step.act === 'retry') this.#retry(step);
    else if (step.act === 'again') this.#again(step);
    else if (step.act === 'sweep') one.sweep(this.now);
    else if (step.act === 'restart') one.restart();
    else if (step.act === 'wait') this.now += step.hours * HOUR;
    else {
      this.messages.set(one.nextSeq, { event: null, at: this.now, state: 'queued' });
      one.byHand(this.now);
    }
  }

  #accept({ key, messages, windowDays }: Step): void {
    this.now += 1;
    const { one, now } = this;
    const claim = this.claims.get(key ?? '');
    const seqs = Array.from({ length: messages }, (_, index) => one.nextSeq + index);
    const windowMs = windowDays * DAY;
    const dedupe = key === null ? null : { key, windowMs };
    const drafts = seqs.map(() => draft());
    const { receipt } = one.accept(now, { dedupe }, drafts);
    const isRepeated = claim !== undefined && claim.until > now;
    expect(receipt.duplicate).toBe(isRepeated);
    if (isRepeated) return expect(receipt.event).toBe(claim.event);
    // No number is ever given twice.
    for (const seq of seqs) expect(this.messages.has(seq)).toBe(false);
    for (const seq of seqs) this.messages.set(seq, { event: receipt.event, at: now, state: 'queued' });
    this.events.set(receipt.event, { at: now, seqs });
    if (key !== null) this.claims.set(key, { event: receipt.event, until: now + windowMs });
  }

  /** Calls end for some of the messages that wait. */
  #end({ state, share }: Step): void {
    for (const [seq, message] of this.messages) {
      if (seq % share !== 0 || !isWaiting(message.state)) continue;
      message.state = state;
      const attempts = JSON.stringify([{ n: 1, at: this.now }]);
      this.one.sql.exec('UPDATE messages SET state = ?, attempts = ? WHERE seq = ?', state, attempts, seq);
    }
  }

  #retry({ pick }: Step): void {
    const dead = allRows(this.one.sql).filter(({ state }) => state === 'dead');
    const row = dead[pick % dead.length];
    if (row === undefined) return;
    const { sql } = this.one;
    retryMessage({ ...endsIn(sql), sql, now: this.now, by: 'token', isSending: () => false }, row);
    const message = this.messages.get(row.seq);
    if (message !== undefined) message.state = 'queued';
  }

  /** The Worker repeats a call whose answer was lost. */
  #again({ pick }: Step): void {
    const young = [...this.events].filter(([, { at }]) => at > this.now - RETENTION);
    const id = young[pick % young.length]?.[0];
    if (id !== undefined) expect(this.one.accept(this.now, { id }, []).isNew).toBe(false);
  }

  expectKept(): void {
    const { one, now } = this;
    const events = one.sql.exec<EventRow>('SELECT * FROM events').toArray();
    const stored = new Map(events.map((row) => [row.id, row]));
    for (const [id, { at, seqs }] of this.events) {
      const isClaimed = [...this.claims.values()].some(({ event, until }) => event === id && until > now);
      const waits = seqs.some((seq) => isWaiting(this.messages.get(seq)?.state));
      const row = stored.get(id);
      if (row === undefined) expect([id, at > now - RETENTION || isClaimed]).toEqual([id, false]);
      else expect([row.received_at, row.message_count]).toEqual([at, seqs.length]);
      if (row !== undefined && seqs.length > 0) expect(row.first_message).toBe(seqs[0]);
      // A message that is retried when its event has gone is sent without it.
      if (this.#held.has(id) && waits) expect(row).toBeDefined();
      if (row !== undefined && waits) this.#held.add(id);
      else this.#held.delete(id);
    }
    const rows = new Map(allRows(one.sql).map((row) => [row.seq, row]));
    for (const [seq, { event, at, state }] of this.messages) {
      const row = rows.get(seq);
      if (row === undefined) expect([seq, at > now - RETENTION || isWaiting(state)]).toEqual([seq, false]);
      else expect([row.event_id, row.created_at, row.state]).toEqual([event, at, state]);
    }
    expect([...stored.keys()].filter((id) => !this.events.has(id))).toEqual([]);
    expect([...rows.keys()].filter((seq) => !this.messages.has(seq))).toEqual([]);
    expect(one.column('SELECT key FROM dedupe_claims WHERE event_id NOT IN (SELECT id FROM events)')).toEqual(
      [],
    );
  }
}

it('in any order, all that has not expired or waits is there', ({ storage }) => {
  let overwritten = 0;
  fc.assert(
    fc.property(fc.array(steps, { minLength: 20, maxLength: 60 }), (list) => {
      empty(storage.sql);
      const model = new Model(new Accepting(storage));
      for (const step of list) {
        model.take(step);
        model.expectKept();
      }
      overwritten += model.events.size - model.one.events.length;
    }),
    { numRuns: 100 },
  );
  // The runs are random, some 50 to 100 rows in all; none at all would mean that nothing was tested.
  expect(overwritten).toBeGreaterThan(0);
});
