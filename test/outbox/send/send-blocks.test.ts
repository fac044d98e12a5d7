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

const blocksIn = (sql: SqlStorage): readonly { claim: number; last_at: number; bytes: number }[] =>
  sql
    .exec<{ claim: number; last_at: number; bytes: number }>(
      'SELECT claim, last_at, length(sends) AS bytes FROM send_blocks ORDER BY id',
    )
    .toArray();

/** A claim each ms with one send each. */
function fill(blocks: SendBlocks, from: number, to: number): void {
  for (let claim = from; claim <= to; claim += 1) blocks.add(claim, START + claim, [[START + claim, claim]]);
}

describe('the sends of an hour in blocks', () => {
  it('are a row for a thousand sends, and say up to which claim', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR);
      fill(blocks, 1, 2_500);
      expect(blocksIn(sql)).toEqual([
        { claim: 1_000, last_at: START + 1_000, bytes: 16_000 },
        { claim: 2_000, last_at: START + 2_000, bytes: 16_000 },
      ]);
      expect(blocks.claimTo).toBe(2_000);
      expect(blocks.count).toBe(2_500);
    }));

  it('cost two rows for a thousand, once old ones are deleted', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR);
      const add = (claim: number, at: number): void => blocks.add(claim, at, [[at, 1]]);
      for (let claim = 1; claim <= 3_000; claim += 1) add(claim, START + claim * MINUTE);
      const rows = countRows(sql);
      for (let claim = 3_001; claim <= 4_000; claim += 1) add(claim, START + claim * MINUTE);
      expect(rows.written()).toBe(2);
      expect(blocksIn(sql)).toHaveLength(1);
    }));

  it('give what comes after a moment, in order, of a status without a receiver', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR);
      blocks.add(1, START, [
        [START, 7],
        [START, null],
      ]);
      blocks.add(2, START + 5, [[START + 5, 8]]);
      expect(sendsOf(blocks, START - 1)).toEqual([
        [START, 7],
        [START, null],
        [START + 5, 8],
      ]);
      expect(sendsOf(blocks, START)).toEqual([[START + 5, 8]]);
    }));

  it('of a clock that was more than an hour ahead are forgotten with the next block', () =>
    inStorage(({ storage: { sql } }) => {
      const blocks = new SendBlocks(sql, HOUR);
      const ahead = START + 400 * 24 * HOUR;
      for (let claim = 1; claim <= 1_000; claim += 1) blocks.add(claim, ahead, [[ahead, claim]]);
      expect(blocksIn(sql)).toHaveLength(1);
      fill(blocks, 1_001, 2_000);
      expect(blocksIn(sql)).toEqual([{ claim: 2_000, last_at: START + 2_000, bytes: 16_000 }]);
    }));

  it('are all there, whatever a claim sends and wherever the object restarts', () =>
    inStorage(({ storage: { sql } }) => {
      const claims = fc.array(fc.record({ sends: fc.nat(6), repeat: fc.nat(500) }), { maxLength: 12 });
      fc.assert(
        fc.property(claims, (trip) => {
          sql.exec('DELETE FROM send_blocks');
          let blocks = new SendBlocks(sql, HOUR);
          const all: [number, number, readonly Send[]][] = [];
          let claim = 0;
          for (const { sends, repeat } of trip) {
            for (let again = 0; again < repeat; again += 1) {
              claim += 1;
              const at = START + claim;
              const sent = Array.from({ length: sends }, (_, index): Send => [at, claim * 10 + index]);
              all.push([claim, at, sent]);
              blocks.add(claim, at, sent);
            }
            // A restart: what is in no block is added anew, from the claims' rows.
            blocks = new SendBlocks(sql, HOUR);
            for (const [id, at, sent] of all) if (id > blocks.claimTo) blocks.add(id, at, sent);
          }
          expect(sendsOf(blocks, 0)).toEqual(all.flatMap(([, , sent]) => sent));
        }),
        { numRuns: 50 },
      );
    }));
});
