import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftMessage } from '../../../src/outbox/state/acceptance.ts';
import { claimMessages, type ClaimRules } from '../../../src/outbox/send/claim.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { Pace, type PastSend } from '../../../src/outbox/send/pace.ts';
import { Queue } from '../../../src/outbox/send/queue.ts';
import type { Ready } from '../../../src/outbox/send/ready-rows.ts';
import { HOUR, MINUTE, SECOND, START, allRows, countRows, draft, empty, past, queue, rowOf, rowsFrom } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const UNCAPPED = { perRecipient: null };

const paceOf = (...sends: readonly PastSend[]): Pace =>
  new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: START, past: past(sends) });

interface Situation {
  readonly policy?: ClaimRules['policy'];
  readonly pace?: Pace;
  readonly now?: number;
  readonly cursor?: number;
  /** Messages whose calls are under way, with their receivers. */
  readonly inFlight?: ReadonlyMap<number, string | null>;
  readonly capacity?: number;
  readonly calls?: number;
}

/** A queue as a new object opens it. */
function openQueue(sql: SqlStorage, { cursor = 0, inFlight = new Map() }: Situation = {}): Queue {
  const queue = new Queue({ sql, cursor, isInFlight: (seq) => inFlight.has(seq) });
  for (const [seq, phone] of inFlight) queue.turns.hold({ seq, phone });
  return queue;
}

const claim = (
  storage: DurableObjectStorage,
  situation: Situation = {},
  queue = openQueue(storage.sql, situation),
): readonly number[] =>
  claimMessages({
    storage,
    queue,
    policy: situation.policy ?? UNCAPPED,
    pace: situation.pace ?? paceOf(),
    now: situation.now ?? START,
    capacity: situation.capacity ?? 6,
    calls: situation.calls ?? 1_000,
  }).map(({ row }) => row.seq);

const readyOf = (rows: readonly MessageRow[]): readonly Ready[] =>
  rows.map((row) => ({ row, receivedAt: START }));

const to = (...phones: readonly (string | null)[]): readonly DraftMessage[] =>
  phones.map((phone) => draft({ phone }));

describe('fresh messages', () => {
  it('are taken in the order accepted, as many as may be', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'b', 'c', 'd'));
      const waiting = openQueue(sql);
      expect(claim(storage, { capacity: 3 }, waiting)).toEqual([1, 2, 3]);
      expect(waiting.cursor).toBe(3);
    }));

  it('for one receiver are taken one at a time', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'a'));
      expect(claim(storage)).toEqual([1]);
      expect(claim(storage, { inFlight: new Map([[9, 'a']]) })).toEqual([]);
    }));

  it('without a receiver do not wait for each other', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to(null, null, null));
      expect(claim(storage)).toEqual([1, 2, 3]);
    }));

  it('whose receiver is busy are passed by those whose receiver is not, keep their turn, and cost no row', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'b'));
      const inFlight = new Map([[9, 'a']]);
      const waiting = openQueue(sql, { inFlight });
      const rows = countRows(sql);
      expect(claim(storage, { inFlight }, waiting)).toEqual([3]);
      expect(rows.written()).toBe(0);
      expect(waiting.cursor).toBe(0);
      queue(sql, START, ...to('a'));
      waiting.turns.release({ seq: 9, phone: 'a' });
      expect(claim(storage, {}, waiting)).toEqual([1]);
    }));

  it('that follow thousands to one busy receiver go at once, and those are not read again', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to(...Array.from({ length: 1_500 }, () => 'a'), 'b'));
      const waiting = openQueue(sql);
      expect(claim(storage, {}, waiting)).toEqual([1, 1_501]);
      queue(sql, START, ...to('c'));
      waiting.changed(START);
      const rows = countRows(sql);
      expect(claim(storage, {}, waiting)).toEqual([1_502]);
      expect(rows.read()).toBeLessThan(10);
    }));

  it('are not looked for again among those that were sent, or that wait for a moment', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...Array.from({ length: 5 }, () => draft({ delayMs: HOUR })));
      const waiting = openQueue(sql);
      expect(claim(storage, {}, waiting)).toEqual([]);
      expect(waiting.cursor).toBe(5);
    }));

  it('are found behind a gap in the numbers of any length', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a'));
      sql.exec('UPDATE messages SET seq = 3000000000');
      const waiting = openQueue(sql);
      expect([claim(storage, {}, waiting), claim(storage, {}, waiting)].flat()).toEqual([3_000_000_000]);
    }));

  it('that were cancelled since they were read are not sent', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'b'));
      const waiting = openQueue(sql);
      expect(claim(storage, { capacity: 1 }, waiting)).toEqual([1]);
      sql.exec("UPDATE messages SET state = 'cancelled' WHERE seq = 2");
      waiting.changed(START);
      waiting.turns.release({ seq: 1, phone: 'a' });
      expect(claim(storage, {}, waiting)).toEqual([3]);
      expect(waiting.cursor).toBe(3);
    }));
});

const held = (phone: string): DraftMessage => draft({ phone, onUncertain: 'hold' });

describe('a claim', () => {
  it('takes no more than the run may call for; a message that is held looks twice before its call', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, held('a'), held('b'), ...to('c', 'd', 'e', 'f'));
      expect(claim(storage, { calls: 8 })).toEqual([1, 2]);
      expect(claim(storage, { calls: 9 })).toEqual([1, 2, 3]);
      expect(claim(storage, { calls: 2 })).toEqual([]);
    }));
});

describe('messages whose moment has come', () => {
  it('are taken in their turn, and not before their moment', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', delayMs: SECOND }), draft({ phone: 'b' }));
      expect(claim(storage, { now: START + SECOND - 1 })).toEqual([2]);
      expect(claim(storage, { now: START + SECOND })).toEqual([2, 1]);
    }));

  it('are taken after urgent ones', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(
        sql,
        START,
        draft({ phone: 'a' }),
        draft({ phone: 'b', delayMs: SECOND }),
        draft({ phone: 'c', priority: 'high' }),
        draft({ phone: 'd', priority: 'high', delayMs: MINUTE }),
      );
      expect(claim(storage, { now: START + SECOND })[0]).toBe(3);
      expect(claim(storage, { now: START + SECOND })).toEqual([3, 1, 2]);
    }));

  it('are not taken twice: those in flight still stand in the table', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ phone: null, priority: 'high' }));
      expect(claim(storage, { inFlight: new Map([[1, null]]) })).toEqual([]);
    }));

  it('are found when the moment was set behind the clock’s, and when the clock went back', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'b'));
      const waiting = openQueue(sql);
      expect(claim(storage, { capacity: 1, now: START + HOUR }, waiting)).toEqual([1]);
      sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 1", START);
      waiting.turns.release({ seq: 1, phone: 'a' });
      waiting.dueAt(START, 0);
      expect(claim(storage, { now: START + HOUR }, waiting)).toEqual([2, 1]);
      sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 1", START + 1);
      waiting.turns.release({ seq: 1, phone: 'a' });
      expect(claim(storage, { now: START + 1 }, waiting)).toEqual([1]);
    }));

  it('go in the order accepted, although the later one’s moment came first', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', delayMs: 2 }), draft({ phone: 'a', delayMs: 1 }));
      expect(claim(storage, { now: START + 2 })).toEqual([1]);
    }));

  it('go behind all others to their receiver when the gateway forbade them', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a'));
      sql.exec(
        `UPDATE messages SET state = 'retrying', next_at = ?, attempts = '[{"n":1,"outcome":"forbidden"}]' WHERE seq = 1`,
        START,
      );
      const waiting = openQueue(sql);
      waiting.load(START);
      expect(claim(storage, {}, waiting)).toEqual([2]);
    }));
});

describe('a receiver that is full for the hour', () => {
  const capped = {
    policy: { perRecipient: { perHour: 1 } },
    pace: paceOf({ at: START - MINUTE, phone: 'a' }),
  };
  const opensAt = START - MINUTE + HOUR;

  it('has its messages wait until it is not, holds up no other, and costs no row', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'b'));
      const waiting = openQueue(sql);
      const rows = countRows(sql);
      expect(claim(storage, capped, waiting)).toEqual([3]);
      expect(waiting.nextAt(START)).toBe(opensAt);
      expect(waiting.turns.opensAt).toBe(opensAt);
      expect(rows.written()).toBe(0);
      expect(claim(storage, { ...capped, now: opensAt - 1 }, waiting)).toEqual([]);
      expect(claim(storage, { ...capped, now: opensAt }, waiting)).toEqual([1]);
    }));

  it('is looked at again at once when the limit is lifted, its messages in order and before newer ones', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a'));
      const waiting = openQueue(sql);
      expect(claim(storage, capped, waiting)).toEqual([]);
      waiting.accepted(readyOf(rowsFrom('shop', sql, START, ...to('a'))));
      waiting.turns.reopen(START, true);
      for (const seq of [1, 2, 3]) {
        expect(claim(storage, {}, waiting)).toEqual([seq]);
        waiting.turns.release({ seq, phone: 'a' });
      }
    }));
});

describe('a message older than its route’s `expires`', () => {
  it('is marked, with the reason, and not sent', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', expiresMs: MINUTE }), draft({ phone: 'a' }));
      expect(claim(storage, { now: START + MINUTE })).toEqual([2]);
      expect(rowOf(sql, 1)).toMatchObject({
        state: 'expired',
        next_at: null,
        reason: "older than the route's `expires`",
      });
    }));

  it('is sent in its last millisecond', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ expiresMs: MINUTE }));
      expect(claim(storage, { now: START + MINUTE - 1 })).toEqual([1]);
    }));

  it('expires as a retry, too', () =>
    inStorage(({ storage, storage: { sql } }) => {
      queue(sql, START, draft({ expiresMs: MINUTE }));
      sql.exec("UPDATE messages SET state = 'retrying', next_at = ?", START + 2 * MINUTE);
      expect(claim(storage, { now: START + 2 * MINUTE })).toEqual([]);
      expect(rowOf(sql, 1)).toMatchObject({ state: 'expired', next_at: null });
    }));

  it('in thousands is marked in steps, so that what comes in meanwhile is served', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const old = Array.from({ length: 300 }, () => draft({ phone: 'a', expiresMs: MINUTE }));
      queue(sql, START, ...old, draft({ phone: 'a' }));
      const waiting = openQueue(sql);
      expect(claim(storage, { now: START + MINUTE }, waiting)).toEqual([]);
      expect(waiting.nextAt(START + MINUTE)).toBe(START + MINUTE);
      expect(claim(storage, { now: START + MINUTE }, waiting)).toEqual([301]);
    }));
});

/** One step of a trip through an outbox. */
type Step =
  | { readonly do: 'accept'; readonly drafts: readonly DraftMessage[] }
  | { readonly do: 'claim'; readonly capacity: number }
  | { readonly do: 'answer'; readonly which: number; readonly wait: number | null }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'crash' };

const drafts: fc.Arbitrary<DraftMessage> = fc
  .record({
    phone: fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', null),
    delayMs: fc.constantFrom(0, 0, 0, 0, 5 * SECOND),
    priority: fc.constantFrom('normal', 'normal', 'normal', 'high'),
    expiresMs: fc.constantFrom(null, null, null, 10 * MINUTE),
  })
  .map(draft);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('accept'), drafts: fc.array(drafts, { maxLength: 5 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim'), capacity: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer'),
      which: fc.nat(5),
      wait: fc.constantFrom(null, null, 0, SECOND, MINUTE),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait'),
      ms: fc.oneof(fc.nat(10), fc.nat(MINUTE), fc.nat(2 * HOUR)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
);

const isOpen = ({ state }: MessageRow): boolean => state === 'queued' || state === 'retrying';

/** An outbox around the choice, as simple as can be: it says whatever goes wrong by throwing. */
class Model {
  readonly #storage: DurableObjectStorage;
  readonly #policy: ClaimRules['policy'];
  readonly #pace = paceOf();
  readonly #inFlight = new Map<number, string | null>();
  readonly #wasTried = new Set<number>();
  readonly #newestPlain = new Map<string, number>();
  #queue: Queue;
  #now = START;
  #writtenCursor = 0;

  constructor(storage: DurableObjectStorage, policy: ClaimRules['policy']) {
    this.#storage = storage;
    this.#policy = policy;
    this.#queue = this.#open();
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }

  #open(): Queue {
    return new Queue({
      sql: this.#sql,
      cursor: this.#writtenCursor,
      isInFlight: (seq) => this.#inFlight.has(seq),
    });
  }

  take(step: Step): void {
    if (step.do === 'accept') this.#accept(step.drafts);
    else if (step.do === 'claim') this.#claim(Math.min(step.capacity, 6 - this.#inFlight.size));
    else if (step.do === 'answer') this.#answer([...this.#inFlight.keys()][step.which], step.wait);
    else if (step.do === 'wait') this.#now += step.ms;
    else this.#crash();
    this.#expectNothingLost();
  }

  /** Answers and claims until nothing is open, as a gateway in good health would have it. */
  finish(): void {
    for (let turn = 0; turn < 2_000; turn += 1) {
      for (const seq of this.#inFlight.keys()) this.#answer(seq, null);
      if (!allRows(this.#sql).some(isOpen)) return;
      this.#claim(6);
      if (this.#inFlight.size === 0) this.#waitForNext();
      this.#expectNothingLost();
    }
    throw new Error('something is still open after N turns');
  }

  #accept(accepted: readonly DraftMessage[]): void {
    this.#queue.accepted(readyOf(rowsFrom('shop', this.#sql, this.#now, ...accepted)));
  }

  #claim(capacity: number): void {
    if (capacity <= 0) return;
    const before = this.#queue.cursor;
    const chosen = claimMessages({
      storage: this.#storage,
      queue: this.#queue,
      policy: this.#policy,
      pace: this.#pace,
      now: this.#now,
      capacity,
      calls: 1_000,
    });
    expect(chosen.length).toBeLessThanOrEqual(capacity);
    expect(this.#queue.cursor).toBeGreaterThanOrEqual(before);
    if (chosen.length > 0) this.#writtenCursor = this.#queue.cursor;
    for (const { row } of chosen) this.#send(row);
  }

  #send(row: MessageRow): void {
    const { seq, phone } = row;
    expect(isOpen(row)).toBe(true);
    expect(this.#inFlight.has(seq)).toBe(false);
    expect(row.next_at ?? 0).toBeLessThanOrEqual(this.#now);
    expect(row.expires_at ?? Infinity).toBeGreaterThan(this.#now);
    if (phone !== null) {
      expect([...this.#inFlight.values()]).not.toContain(phone);
      expect(this.#pace.nextSendToAt(this.#policy.perRecipient, phone, this.#now)).toBeLessThanOrEqual(
        this.#now,
      );
      this.#expectOrder(row, phone);
    }
    this.#wasTried.add(seq);
    this.#inFlight.set(seq, phone);
    this.#pace.record({ at: this.#now, phone }, null, 0);
  }

  /** Retries, delayed and urgent messages aside, a receiver gets its messages as they were accepted. */
  #expectOrder({ seq, priority, route }: MessageRow, phone: string): void {
    if (priority === 1 || route === 'delayed' || this.#wasTried.has(seq)) return;
    expect(seq).toBeGreaterThan(this.#newestPlain.get(phone) ?? 0);
    this.#newestPlain.set(phone, seq);
  }

  #answer(seq: number | undefined, wait: number | null): void {
    if (seq === undefined) return;
    const phone = this.#inFlight.get(seq) ?? null;
    this.#inFlight.delete(seq);
    this.#queue.turns.release({ seq, phone });
    if (wait === null)
      this.#sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", seq);
    else this.#retry(seq, wait);
  }

  #retry(seq: number, wait: number): void {
    const sql = "UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = ?";
    this.#sql.exec(sql, this.#now + wait, seq);
    this.#queue.dueAt(this.#now + wait, rowOf(this.#sql, seq).priority === 1 ? 1 : 0);
  }

  /** A new object knows the last written cursor; what was in flight is uncertain and tried again. */
  #crash(): void {
    for (const seq of this.#inFlight.keys()) this.#retry(seq, SECOND);
    this.#inFlight.clear();
    this.#queue = this.#open();
  }

  #waitForNext(): void {
    this.#now = this.#queue.nextAt(this.#now) ?? this.#now;
  }

  #expectNothingLost(): void {
    const rows = allRows(this.#sql);
    const lost = rows.filter(
      (row) =>
        isOpen(row) && row.next_at === null && row.seq <= this.#queue.cursor && !this.#inFlight.has(row.seq),
    );
    expect(lost).toEqual([]);
    expect(rows.filter((row) => !isOpen(row) && row.next_at !== null)).toEqual([]);
  }
}

const policyOf = (perHour: number | null) => ({ perRecipient: perHour === null ? null : { perHour } });
const named = (one: DraftMessage): DraftMessage => ({
  ...one,
  route: one.delayMs > 0 ? 'delayed' : 'plain',
});

describe('whatever is accepted, answered, put off and interrupted, and whenever', () => {
  const trips = fc.record({
    steps: fc.array(step, { maxLength: 40 }),
    perHour: fc.constantFrom(null, 1, 2, 5),
  });
  it('no message is lost, sent beside another to its receiver, or before one that was accepted earlier', () =>
    inStorage(({ storage, storage: { sql } }) => {
      fc.assert(
        fc.property(trips, ({ steps, perHour }) => {
          empty(sql);
          const model = new Model(storage, policyOf(perHour));
          for (const one of steps)
            model.take(one.do === 'accept' ? { ...one, drafts: one.drafts.map(named) } : one);
          model.finish();
          expect(new Set(allRows(sql).map(({ state }) => state))).not.toContain('queued');
        }),
        { numRuns: 300 },
      );
    }));

  it.each([null, 10])('hundreds to few receivers all leave, in order (cap %s)', (perHour) =>
    inStorage(({ storage, storage: { sql } }) => {
      const model = new Model(storage, policyOf(perHour));
      const phones = Array.from({ length: 150 }, (_, index) => (index % 47 === 0 ? 'b' : 'a'));
      model.take({ do: 'accept', drafts: to(...phones) });
      model.take({ do: 'claim', capacity: 2 });
      model.take({ do: 'accept', drafts: to('c', 'a', 'b', 'c') });
      model.finish();
      expect(allRows(sql).every(({ state }) => state === 'sent')).toBe(true);
    }),
  );
});
