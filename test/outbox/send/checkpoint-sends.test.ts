import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counters } from '../../../src/outbox/counters/counters.ts';
import { Checkpoint } from '../../../src/outbox/send/checkpoint.ts';
import { receiverKey } from '../../../src/outbox/send/receiver-history.ts';
import { countRows, HOUR, MINUTE, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

type Send = readonly [at: number, receiver: number | null];

const phoneOf = (receiver: number): string => `49151${receiver}`;

function sendsOf(checkpoint: Checkpoint, since: number): readonly Send[] {
  const sends: Send[] = [];
  checkpoint.readSends(since, (at, receiver) => sends.push([at, receiver]));
  return sends;
}

const blocksIn = (sql: SqlStorage): readonly { last_at: number; bytes: number }[] =>
  sql
    .exec<{ last_at: number; bytes: number }>(
      'SELECT last_at, length(sends) AS bytes FROM send_blocks ORDER BY id',
    )
    .toArray();

/** As they are read: receivers are known by their keys. */
const keyed = (sends: readonly Send[]): readonly Send[] =>
  sends.map(([at, receiver]) => [at, receiver === null ? null : receiverKey(phoneOf(receiver))]);

/** Claims sends in one commit. */
function add(checkpoint: Checkpoint, ...sends: readonly Send[]): void {
  const claimed = sends.map(([at, receiver]) => ({
    seq: 1,
    n: 1,
    at,
    phone: receiver === null ? null : phoneOf(receiver),
  }));
  const progress = { at: START, cursor: 0, tokens: 1, flight: [] };
  checkpoint.write(progress, claimed, new Counters({ totals: {}, nextSeq: 1 }));
}

/** One send each ms. */
function fill(blocks: Checkpoint, from: number, to: number): void {
  for (let n = from; n <= to; n += 1) add(blocks, [START + n, n]);
}

describe('the sends of an hour in blocks', () => {
  it('are a row for every 256', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const blocks = new Checkpoint(storage);
      fill(blocks, 1, 600);
      expect(blocksIn(sql)).toEqual([
        { last_at: START + 256, bytes: 4_096 },
        { last_at: START + 512, bytes: 4_096 },
      ]);
      expect(sendsOf(blocks, 0)).toHaveLength(600);
    }));

  it('cost two rows beside the checkpoint for 256, once old ones are deleted', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const blocks = new Checkpoint(storage);
      for (let n = 1; n <= 768; n += 1) add(blocks, [START + n * MINUTE, 1]);
      const rows = countRows(sql);
      for (let n = 769; n <= 1_024; n += 1) add(blocks, [START + n * MINUTE, 1]);
      expect(rows.written()).toBe(256 + 2);
      expect(blocksIn(sql)).toHaveLength(1);
    }));

  it('give what comes after a moment, in order, of a status without a receiver', () =>
    inStorage(({ storage }) => {
      const blocks = new Checkpoint(storage);
      add(blocks, [START, 7], [START, null]);
      add(blocks, [START + 5, 8]);
      const all: readonly Send[] = [
        [START, 7],
        [START, null],
        [START + 5, 8],
      ];
      expect(sendsOf(blocks, START - 1)).toEqual(keyed(all));
      expect(sendsOf(blocks, START)).toEqual(keyed(all.slice(2)));
    }));

  it('of a clock that was more than an hour ahead are forgotten with the next block', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const blocks = new Checkpoint(storage);
      const ahead = START + 400 * 24 * HOUR;
      for (let n = 1; n <= 256; n += 1) add(blocks, [ahead, n]);
      expect(blocksIn(sql)).toHaveLength(1);
      fill(blocks, 257, 512);
      expect(blocksIn(sql)).toEqual([{ last_at: START + 512, bytes: 4_096 }]);
    }));

  it('are all there, whatever a claim sends and wherever the object restarts', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const claims = fc.array(fc.record({ sends: fc.nat(6), repeat: fc.nat(90) }), { maxLength: 12 });
      fc.assert(
        fc.property(claims, (trip) => {
          sql.exec('DELETE FROM send_blocks');
          sql.exec('DELETE FROM checkpoint');
          const all: Send[] = [];
          let at = START;
          for (const { sends, repeat } of trip) {
            const blocks = new Checkpoint(storage);
            for (let again = 0; again < repeat; again += 1) {
              at += 1;
              const sent = Array.from({ length: sends }, (_, index): Send => [at, at * 10 + index]);
              all.push(...sent);
              add(blocks, ...sent);
            }
          }
          expect(sendsOf(new Checkpoint(storage), 0)).toEqual(keyed(all));
        }),
        { numRuns: 30 },
      );
    }));
});
