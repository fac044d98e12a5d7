import { describe, expect, it } from 'vitest';
import { Counters } from '../../../src/outbox/counters/counters.ts';
import { Checkpoint } from '../../../src/outbox/send/checkpoint.ts';
import { receiverKey } from '../../../src/outbox/send/receiver-history.ts';
import { countRows, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const counters = (): Counters => new Counters({ totals: {}, nextSeq: 1 });
const entryOf = (seq: number, phone: string | null = 'a') => ({ seq, n: 1, at: START, phone });

const sendsOf = (checkpoint: Checkpoint): readonly (readonly [number, number | null])[] => {
  const sends: [number, number | null][] = [];
  checkpoint.readSends(0, (at, receiver) => sends.push([at, receiver]));
  return sends;
};

describe('the checkpoint', () => {
  it('is not there before anything was claimed', () =>
    inStorage(({ storage }) => {
      const checkpoint = new Checkpoint(storage);
      expect([checkpoint.last, sendsOf(checkpoint)]).toEqual([null, []]);
    }));

  it('says after a start where the outbox stood, and what was sent to whom', () =>
    inStorage(({ storage }) => {
      const flight = [entryOf(1), entryOf(2, null)];
      new Checkpoint(storage).write({ at: START, cursor: 2, tokens: 1.5, flight }, flight, counters());
      const again = new Checkpoint(storage);
      expect(again.last).toEqual({ at: START, cursor: 2, tokens: 1.5, flight });
      expect(sendsOf(again)).toEqual([
        [START, receiverKey('a')],
        [START, null],
      ]);
    }));

  it('counts what was claimed in its commit as sent, and not what was in flight before', () =>
    inStorage(({ storage }) => {
      const checkpoint = new Checkpoint(storage);
      const progress = { at: START, cursor: 2, tokens: 1 };
      checkpoint.write({ ...progress, flight: [entryOf(1)] }, [entryOf(1)], counters());
      checkpoint.write({ ...progress, flight: [entryOf(1), entryOf(2)] }, [entryOf(2)], counters());
      expect(sendsOf(new Checkpoint(storage))).toHaveLength(2);
    }));

  it('is one row each time, and two more for 256 sends', () =>
    inStorage(({ storage }) => {
      const checkpoint = new Checkpoint(storage);
      const rows = countRows(storage.sql);
      const write = (seq: number): void =>
        checkpoint.write({ at: START, cursor: seq, tokens: 1, flight: [] }, [entryOf(seq)], counters());
      for (let seq = 1; seq <= 10; seq += 1) write(seq);
      expect(rows.written()).toBe(10);
      for (let seq = 11; seq <= 512; seq += 1) write(seq);
      expect(rows.written()).toBe(512 + 2);
      expect(storage.sql.exec('SELECT 1 FROM checkpoint').toArray()).toHaveLength(1);
    }));

  it('that cannot be written leaves all as it was: nothing counts as claimed, sent or kept', () =>
    inStorage(({ storage }) => {
      const { sql } = storage;
      const checkpoint = new Checkpoint(storage);
      const count = counters();
      count.keepNow();
      for (let seq = 1; seq <= 255; seq += 1)
        checkpoint.write({ at: START, cursor: seq, tokens: 1, flight: [] }, [entryOf(seq)], counters());
      sql.exec("CREATE TRIGGER full BEFORE INSERT ON checkpoint BEGIN SELECT RAISE(ABORT, 'disk full'); END");
      const flight = [entryOf(256)];
      const write = (): void =>
        checkpoint.write({ at: START, cursor: 256, tokens: 1, flight }, flight, count);
      expect(write).toThrow('disk full');
      expect([sendsOf(checkpoint).length, count.mustKeep]).toEqual([255, true]);
      expect(new Checkpoint(storage).last?.cursor).toBe(255);
      sql.exec('DROP TRIGGER full');
      write();
      expect(sendsOf(new Checkpoint(storage))).toHaveLength(256);
    }));
});
