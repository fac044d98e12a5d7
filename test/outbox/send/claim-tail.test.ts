import { describe, expect, it } from 'vitest';
import { ClaimTail, type After, type Anchor } from '../../../src/outbox/send/claim-tail.ts';
import type { InFlight } from '../../../src/outbox/send/in-flight.ts';
import { draft, inStorage, queue, START } from '../support.ts';

const ANCHOR: Anchor = { id: 7, newest: 2, flight: [{ seq: 1, n: 2, at: START - 1, phone: 'a' }] };

const entry = (seq: number, over: Partial<InFlight> = {}): InFlight => ({
  seq,
  n: 1,
  at: START,
  phone: '4915112345601',
  ...over,
});

const after = (over: Partial<After> = {}): After => ({ at: START, cursor: 3, tokens: 4, newest: 6, ...over });

/** Writes the text of a claim into a message's row, as its record does. */
const into = (sql: SqlStorage, seq: number) => (text: string) =>
  void sql.exec('UPDATE messages SET next_claim = ? WHERE seq = ?', text, seq);

const mark = (sql: SqlStorage, seq: number, tokens: number): unknown =>
  sql.exec('UPDATE messages SET claimed = ? WHERE seq = ?', tokens, seq);

const full = (): never => {
  throw new Error('disk full');
};

const messages = (sql: SqlStorage, count: number): unknown =>
  queue(sql, START, ...Array.from({ length: count }, () => draft()));

describe('claims in rows of messages', () => {
  it('are none at first', () =>
    inStorage(({ storage: { sql } }) => {
      messages(sql, 6);
      const tail = new ClaimTail(sql, ANCHOR);
      expect([tail.entries, tail.after]).toEqual([[], null]);
    }));

  it('are found by the messages that say so, if these came after the log’s newest row', () =>
    inStorage(({ storage: { sql } }) => {
      messages(sql, 6);
      for (const seq of [2, 3, 5]) mark(sql, seq, 10 - seq);
      const tail = new ClaimTail(sql, ANCHOR);
      expect(tail.entries).toEqual([entry(3), entry(5)]);
      expect(tail.after).toEqual({ at: START, cursor: 0, tokens: 5, newest: 5 });
    }));

  it('are found from claim to claim, wherever these are, in the order in which they were made', () =>
    inStorage(({ storage: { sql } }) => {
      messages(sql, 6);
      const tail = new ClaimTail(sql, ANCHOR);
      // Number 1 was in flight already, number 2 is claimed by the first, and so on.
      tail.ride([entry(2)], after({ tokens: 3 }), into(sql, 1));
      tail.ride([entry(6), entry(4)], after({ at: START + 1, tokens: 1 }), into(sql, 2));
      tail.ride([entry(5)], after({ at: START + 2, tokens: 0, cursor: 5 }), into(sql, 6));
      const restarted = new ClaimTail(sql, ANCHOR);
      expect(restarted.entries).toEqual([entry(2), entry(6), entry(4), entry(5)]);
      expect(restarted.entries).toEqual(tail.entries);
      expect(restarted.after).toEqual(after({ at: START + 2, tokens: 0, cursor: 5 }));
    }));

  it('go on after a restart, also in the row of a message that was claimed when it was accepted', () =>
    inStorage(({ storage: { sql } }) => {
      messages(sql, 6);
      mark(sql, 3, 4);
      new ClaimTail(sql, ANCHOR).ride([entry(4)], after({ newest: 3 }), into(sql, 3));
      const again = new ClaimTail(sql, ANCHOR);
      again.ride([entry(5)], after({ newest: 3, tokens: 2 }), into(sql, 4));
      mark(sql, 6, 1);
      const last = new ClaimTail(sql, ANCHOR);
      expect(last.entries.map(({ seq }) => seq)).toEqual([3, 6, 4, 5]);
      // The newest number then was 3, so the claim of number 6 came later.
      expect(last.after).toMatchObject({ tokens: 1, cursor: 3, newest: 6 });
    }));

  it('are over with the next row of the log', () =>
    inStorage(({ storage: { sql } }) => {
      messages(sql, 6);
      mark(sql, 5, 4);
      const tail = new ClaimTail(sql, ANCHOR);
      tail.ride([entry(2)], after(), into(sql, 1));
      const next = { id: 8, newest: 6, flight: [entry(2), entry(5)] };
      tail.anchored(next);
      for (const one of [tail, new ClaimTail(sql, { ...next, flight: [...next.flight, entry(1)] })])
        expect([one.entries, one.after]).toEqual([[], null]);
    }));

  it('whose text could not be written are none', () =>
    inStorage(({ storage: { sql } }) => {
      const tail = new ClaimTail(sql, ANCHOR);
      expect(() => tail.ride([entry(2)], after(), full)).toThrow('disk full');
      expect([tail.entries, tail.after]).toEqual([[], null]);
    }));

  it('are 32 messages at most, among 512, so that a restart reads few rows', () =>
    inStorage(({ storage: { sql } }) => {
      const tail = new ClaimTail(sql, ANCHOR);
      expect([513, 514].map((newest) => tail.mayFollow(newest))).toEqual([true, false]);
      tail.add(
        Array.from({ length: 31 }, (_, index) => entry(index)),
        after(),
      );
      expect(tail.mayFollow(6)).toBe(true);
      tail.add([entry(31)], after());
      expect(tail.mayFollow(6)).toBe(false);
    }));
});
