import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SendBlocks } from '../../../src/outbox/send/send-blocks.ts';
import { countRows, HOUR, inStorage, MINUTE, START } from '../support.ts';

type Send = readonly [at: number, receiver: number | null];

function sendsOf(blocks: SendBlocks, since: number): readonly Send[] {
  const sends: Send[] = [];
  blocks.read(since, (at, receiver) => sends.push([at, receiver]));
  return sends;
}

const blocksIn = (sql: SqlStorage): readonly { last_at: number; bytes: number }[] =>
  sql
    .exec<{ last_at: number; bytes: number }>(
      'SELECT last_at, length(sends) AS bytes FROM send_blocks ORDER BY id',
    )
    .toArray();

/** Adds sends as a checkpoint does, and returns what it keeps. */
function add(blocks: SendBlocks, ...sends: readonly Send[]): readonly number[] {
  const open = blocks.with(sends);
  blocks.keep(open);
  return open;
}

/** One send each ms. */
function fill(blocks: SendBlocks, from: number, to: number): void {
  for (let n = from; n <= to; n += 1) add(blocks, [START + n, n]);
}

describe('the sends of an hour in blocks', () => {
  it('are a row for every 256', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR, []);
      fill(blocks, 1, 600);
      expect(blocksIn(sql)).toEqual([
        { last_at: START + 256, bytes: 4_096 },
        { last_at: START + 512, bytes: 4_096 },
      ]);
      expect(sendsOf(blocks, 0)).toHaveLength(600);
    }));

  it('cost two rows for 256, once old ones are deleted', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR, []);
      for (let n = 1; n <= 768; n += 1) add(blocks, [START + n * MINUTE, 1]);
      const rows = countRows(sql);
      for (let n = 769; n <= 1_024; n += 1) add(blocks, [START + n * MINUTE, 1]);
      expect(rows.written()).toBe(2);
      expect(blocksIn(sql)).toHaveLength(1);
    }));

  it('give what comes after a moment, in order, of a status without a receiver', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR, []);
      add(blocks, [START, 7], [START, null]);
      add(blocks, [START + 5, 8]);
      expect(sendsOf(blocks, START - 1)).toEqual([
        [START, 7],
        [START, null],
        [START + 5, 8],
      ]);
      expect(sendsOf(blocks, START)).toEqual([[START + 5, 8]]);
    }));

  it('of a transaction that failed are not there', () =>
    inStorage(({ storage, storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR, []);
      fill(blocks, 1, 255);
      const failing = (): void =>
        storage.transactionSync(() => {
          blocks.with([[START + 256, 256]]);
          throw new Error('the disk is full');
        });
      expect(failing).toThrow('full');
      expect([sendsOf(blocks, 0).length, blocksIn(sql)]).toEqual([255, []]);
    }));

  it('of a clock that was more than an hour ahead are forgotten with the next block', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR, []);
      const ahead = START + 400 * 24 * HOUR;
      for (let n = 1; n <= 256; n += 1) add(blocks, [ahead, n]);
      expect(blocksIn(sql)).toHaveLength(1);
      fill(blocks, 257, 512);
      expect(blocksIn(sql)).toEqual([{ last_at: START + 512, bytes: 4_096 }]);
    }));

  it('are all there, whatever a claim sends and wherever the object restarts', () =>
    inStorage(({ storage: { sql } }) => {
      const claims = fc.array(fc.record({ sends: fc.nat(6), repeat: fc.nat(200) }), { maxLength: 12 });
      fc.assert(
        fc.property(claims, (trip) => {
          sql.exec('DELETE FROM send_blocks');
          let open: readonly number[] = [];
          const all: Send[] = [];
          let at = START;
          for (const { sends, repeat } of trip) {
            const blocks = new SendBlocks(sql, HOUR, open);
            for (let again = 0; again < repeat; again += 1) {
              at += 1;
              const sent = Array.from({ length: sends }, (_, index): Send => [at, at * 10 + index]);
              all.push(...sent);
              open = add(blocks, ...sent);
            }
          }
          expect(sendsOf(new SendBlocks(sql, HOUR, open), 0)).toEqual(all);
        }),
        { numRuns: 50 },
      );
    }));
});
