import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftMessage } from '../../src/outbox/acceptance.ts';
import { chooseMessages, type Choice, type ClaimRules } from '../../src/outbox/claim.ts';
import type { MessageRow } from '../../src/outbox/message.ts';
import { Pace, type PastSend } from '../../src/outbox/pace.ts';
import { allRows, draft, empty, HOUR, inStorage, MINUTE, queue, rowOf, SECOND, START } from './support.ts';

const UNCAPPED = { perRecipient: null };

const paceOf = (...sends: readonly PastSend[]): Pace =>
  new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: START, sends });

const choose = (sql: SqlStorage, over: Partial<ClaimRules> = {}): Choice =>
  chooseMessages({
    sql,
    policy: UNCAPPED,
    pace: paceOf(),
    now: START,
    cursor: 0,
    inFlight: new Set(),
    busyPhones: new Set(),
    room: 6,
    ...over,
  });

const chosenSeqs = ({ chosen }: Choice): readonly number[] => chosen.map(({ seq }) => seq);

const to = (...phones: readonly (string | null)[]): readonly DraftMessage[] =>
  phones.map((phone) => draft({ phone }));

describe('fresh messages', () => {
  it('are taken in the order accepted, as many as there is room for', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to('a', 'b', 'c', 'd'));
      const choice = choose(sql, { room: 3 });
      expect(chosenSeqs(choice)).toEqual([1, 2, 3]);
      expect(choice.cursor).toBe(3);
    }));

  it('for one receiver are taken one at a time', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'a'));
      expect(chosenSeqs(choose(sql))).toEqual([1]);
      expect(chosenSeqs(choose(sql, { busyPhones: new Set(['a']) }))).toEqual([]);
    }));

  it('without a receiver do not wait for each other', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to(null, null, null));
      expect(chosenSeqs(choose(sql))).toEqual([1, 2, 3]);
    }));

  it('whose receiver is busy are passed by those whose receiver is not, and keep their turn', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'b'));
      const choice = choose(sql, { busyPhones: new Set(['a']) });
      expect(chosenSeqs(choice)).toEqual([3]);
      expect([1, 2].map((seq) => rowOf(sql, seq).next_at)).toEqual([START, START]);
      queue(sql, START, ...to('a'));
      expect(chosenSeqs(choose(sql, { cursor: choice.cursor, inFlight: new Set([3]) }))).toEqual([1]);
    }));

  it('stay where they are while nobody passes them', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a'));
      const choice = choose(sql, { busyPhones: new Set(['a']) });
      expect(choice).toEqual({ chosen: [], cursor: 0 });
      expect(rowOf(sql, 1).next_at).toBeNull();
    }));

  it('are not looked for again among those that were sent, or that wait for a moment', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...Array.from({ length: 5 }, () => draft({ delayMs: HOUR })));
      expect(choose(sql).cursor).toBe(5);
    }));

  it('are not skipped when more wait than one look takes in', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to(...Array.from({ length: 70 }, () => 'a'), 'b'));
      const choice = choose(sql, { busyPhones: new Set(['a']) });
      expect(choice).toEqual({ chosen: [], cursor: 0 });
    }));
});

describe('messages whose moment has come', () => {
  it('are taken before fresh ones, and not before their moment', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', delayMs: SECOND }), draft({ phone: 'b' }));
      expect(chosenSeqs(choose(sql, { now: START + SECOND - 1 }))).toEqual([2]);
      expect(chosenSeqs(choose(sql, { now: START + SECOND }))).toEqual([1, 2]);
    }));

  it('are taken after urgent ones', () =>
    inStorage(({ storage: { sql } }) => {
      queue(
        sql,
        START,
        draft({ phone: 'a' }),
        draft({ phone: 'b', delayMs: SECOND }),
        draft({ phone: 'c', priority: 'high' }),
        draft({ phone: 'd', priority: 'high', delayMs: MINUTE }),
      );
      expect(chosenSeqs(choose(sql, { now: START + SECOND }))).toEqual([3, 2, 1]);
    }));

  it('are not taken twice: those in flight still stand in the table', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ phone: null, priority: 'high' }));
      expect(chosenSeqs(choose(sql, { inFlight: new Set([1]) }))).toEqual([]);
    }));

  it('hold fresh ones back when there are more of them than one look takes in', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...Array.from({ length: 70 }, () => draft({ phone: 'a', delayMs: 1 })), ...to('a'));
      const choice = choose(sql, { now: START + 1, busyPhones: new Set(['a']) });
      expect(choice).toEqual({ chosen: [], cursor: 0 });
    }));

  it('go in the order accepted, although the later one’s moment came first', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', delayMs: 2 }), draft({ phone: 'a', delayMs: 1 }));
      expect(chosenSeqs(choose(sql, { now: START + 2 }))).toEqual([1]);
    }));
});

describe('a receiver that is full for the hour', () => {
  const capped = {
    policy: { perRecipient: { perHour: 1 } },
    pace: paceOf({ at: START - MINUTE, phone: 'a' }),
  };
  const opensAt = START - MINUTE + HOUR;

  it('has its messages moved to when it is not, and holds up no other', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, ...to('a', 'a', 'b'));
      const choice = choose(sql, capped);
      expect(chosenSeqs(choice)).toEqual([3]);
      expect([1, 2].map((seq) => rowOf(sql, seq).next_at)).toEqual([opensAt, opensAt]);
    }));

  it('keeps the order of its messages, also of those that there was no room to look at', () =>
    inStorage(({ storage: { sql } }) => {
      const waiting = draft({ phone: 'a', delayMs: 1 });
      queue(sql, START, waiting, draft({ phone: 'b', delayMs: 1 }), waiting);
      expect(chosenSeqs(choose(sql, { ...capped, now: START + 1, room: 1 }))).toEqual([2]);
      const after = { ...capped, now: opensAt, inFlight: new Set([2]), busyPhones: new Set(['b']), room: 1 };
      expect(chosenSeqs(choose(sql, after))).toEqual([1]);
    }));
});

describe('a message older than its route’s `expires`', () => {
  it('is marked, with the reason, and not sent', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ phone: 'a', expiresMs: MINUTE }), draft({ phone: 'a' }));
      expect(chosenSeqs(choose(sql, { now: START + MINUTE }))).toEqual([2]);
      expect(rowOf(sql, 1)).toMatchObject({
        state: 'expired',
        next_at: null,
        reason: "older than the route's `expires`",
      });
    }));

  it('is sent in its last millisecond', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ expiresMs: MINUTE }));
      expect(chosenSeqs(choose(sql, { now: START + MINUTE - 1 }))).toEqual([1]);
    }));

  it('expires as a retry, too', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft({ expiresMs: MINUTE }));
      sql.exec("UPDATE messages SET state = 'retrying', next_at = ?", START + 2 * MINUTE);
      expect(chosenSeqs(choose(sql, { now: START + 2 * MINUTE }))).toEqual([]);
      expect(rowOf(sql, 1)).toMatchObject({ state: 'expired', next_at: null });
    }));
});

/** One step of a trip through an outbox. */
type Step =
  | { readonly do: 'accept'; readonly drafts: readonly DraftMessage[] }
  | { readonly do: 'claim'; readonly room: number }
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
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim'), room: fc.integer({ min: 1, max: 6 }) }) },
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
  readonly #sql: SqlStorage;
  readonly #policy: ClaimRules['policy'];
  readonly #pace = paceOf();
  readonly #inFlight = new Map<number, string | null>();
  readonly #wasTried = new Set<number>();
  readonly #newestPlain = new Map<string, number>();
  #now = START;
  #cursor = 0;
  #writtenCursor = 0;

  constructor(sql: SqlStorage, policy: ClaimRules['policy']) {
    this.#sql = sql;
    this.#policy = policy;
  }

  take(step: Step): void {
    if (step.do === 'accept') queue(this.#sql, this.#now, ...step.drafts);
    else if (step.do === 'claim') this.#claim(Math.min(step.room, 6 - this.#inFlight.size));
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
    throw new Error('something is still open after so many turns');
  }

  #claim(room: number): void {
    if (room <= 0) return;
    const { chosen, cursor } = chooseMessages({
      sql: this.#sql,
      policy: this.#policy,
      pace: this.#pace,
      now: this.#now,
      cursor: this.#cursor,
      inFlight: new Set(this.#inFlight.keys()),
      busyPhones: new Set([...this.#inFlight.values()].filter((phone) => phone !== null)),
      room,
    });
    expect(chosen.length).toBeLessThanOrEqual(room);
    expect(cursor).toBeGreaterThanOrEqual(this.#cursor);
    this.#cursor = cursor;
    if (chosen.length > 0) this.#writtenCursor = cursor;
    for (const { seq } of chosen) this.#send(rowOf(this.#sql, seq));
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
    this.#inFlight.delete(seq);
    if (wait === null)
      this.#sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", seq);
    else this.#retry(seq, wait);
  }

  #retry(seq: number, wait: number): void {
    const sql = "UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = ?";
    this.#sql.exec(sql, this.#now + wait, seq);
  }

  /** A new object knows the last written cursor; what was in flight is uncertain and tried again. */
  #crash(): void {
    for (const seq of this.#inFlight.keys()) this.#retry(seq, SECOND);
    this.#inFlight.clear();
    this.#cursor = this.#writtenCursor;
  }

  #waitForNext(): void {
    const nexts = allRows(this.#sql).flatMap(({ next_at }) => (next_at === null ? [] : [next_at]));
    const next = Math.min(...nexts.filter((at) => at > this.#now));
    if (Number.isFinite(next)) this.#now = next;
  }

  #expectNothingLost(): void {
    const rows = allRows(this.#sql);
    const lost = rows.filter(
      (row) => isOpen(row) && row.next_at === null && row.seq <= this.#cursor && !this.#inFlight.has(row.seq),
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
    inStorage(({ storage: { sql } }) => {
      fc.assert(
        fc.property(trips, ({ steps, perHour }) => {
          empty(sql);
          const model = new Model(sql, policyOf(perHour));
          for (const one of steps)
            model.take(one.do === 'accept' ? { ...one, drafts: one.drafts.map(named) } : one);
          model.finish();
          expect(new Set(allRows(sql).map(({ state }) => state))).not.toContain('queued');
        }),
        { numRuns: 300 },
      );
    }));

  it.each([null, 10])('hundreds to few receivers all leave, in order (cap %s)', (perHour) =>
    inStorage(({ storage: { sql } }) => {
      const model = new Model(sql, policyOf(perHour));
      const phones = Array.from({ length: 150 }, (_, index) => (index % 47 === 0 ? 'b' : 'a'));
      model.take({ do: 'accept', drafts: to(...phones) });
      model.take({ do: 'claim', room: 2 });
      model.take({ do: 'accept', drafts: to('c', 'a', 'b', 'c') });
      model.finish();
      expect(allRows(sql).every(({ state }) => state === 'sent')).toBe(true);
    }),
  );
});
