import { describe, expect, it } from 'vitest';
import { Flight } from '../../../src/outbox/send/flight.ts';
import { draft, queue, rowOf, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const entryOf = (seq: number) => ({ seq, n: 1, at: START, phone: '4915112345601' });

/** Writes an attempt into a message's row, as its record does. */
const record = (sql: SqlStorage, seq: number): unknown =>
  sql.exec('UPDATE messages SET attempts = ? WHERE seq = ?', JSON.stringify([{ n: 1 }]), seq);

describe('calls in flight', () => {
  it('of the last claim were interrupted, unless they have a record', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft(), draft());
      record(sql, 1);
      const flight = new Flight(sql, [entryOf(1), entryOf(2)]);
      expect(flight.interrupted).toEqual([entryOf(2)]);
      expect([flight.has(1), flight.has(2), flight.size]).toEqual([false, true, 0]);
    }));

  it('of a message that was deleted meanwhile are forgotten', () =>
    inStorage(({ storage: { sql } }) => {
      expect(new Flight(sql, [entryOf(7)]).interrupted).toEqual([]);
    }));

  it('that threw go on as if the object had stopped, and the fault is thrown once', () =>
    inStorage(({ storage: { sql } }) => {
      queue(sql, START, draft());
      const flight = new Flight(sql, []);
      flight.add(entryOf(1));
      flight.interrupt(entryOf(1), new Error('a bug'));
      expect([flight.size, flight.has(1), flight.seqs()]).toEqual([0, true, [1]]);
      expect(() => flight.throwFault()).toThrow('could not be made');
      expect(() => flight.throwFault()).not.toThrow();
      flight.settled(entryOf(1));
      expect(flight.has(1)).toBe(false);
    }));

  it('that have ended are taken once', () =>
    inStorage(({ storage: { sql } }) => {
      const flight = new Flight(sql, []);
      queue(sql, START, draft());
      const call = {
        row: rowOf(sql, 1),
        receivedAt: START,
        entry: entryOf(1),
        startedAt: START,
        endedAt: START,
        result: { outcome: 'sent', detail: '', duration_ms: 1 },
      } as const;
      flight.end(call);
      expect(flight.takeEnded()).toEqual([call]);
      expect(flight.takeEnded()).toEqual([]);
    }));
});
