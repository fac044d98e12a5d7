import fc from 'fast-check';
import { expect } from 'vitest';
import { Counters } from '../../../src/outbox/counters/counters.ts';
import { Checkpoint } from '../../../src/outbox/send/claims.ts';
import { lineOf } from '../../../src/outbox/send/pace.ts';
import { it } from '../it.ts';
import { countRows, HOUR, MINUTE, START } from '../support.ts';

const entryOf = (seq: number, phone: string | null = 'a', at = START) => ({
  seq,
  n: 1,
  at,
  phone,
  standing: 'open' as const,
});
type Entry = ReturnType<typeof entryOf>;

const newCounters = (): Counters => new Counters();

/** Claims these in one commit. In flight are they, or what is given. */
function claim(
  checkpoint: Checkpoint,
  claimed: readonly Entry[],
  flight = claimed,
  counters = newCounters(),
): void {
  checkpoint.write({ at: START, cursor: claimed.at(-1)?.seq ?? 0, tokens: 1.5, flight }, claimed, counters);
}

const minutes = (n: number): number => START + n * MINUTE;

/** One send each ms, to another receiver each. */
function fill(checkpoint: Checkpoint, from: number, to: number, at = (n: number): number => START + n): void {
  for (let n = from; n <= to; n += 1) claim(checkpoint, [entryOf(n, `49151${n}`, at(n))]);
}

type Send = readonly [at: number, receiver: number];

const sendsOf = (checkpoint: Checkpoint, since = 0): readonly Send[] => {
  const sends: Send[] = [];
  checkpoint.readSends(since, (at, receiver) => sends.push([at, receiver]));
  return sends;
};

const blocksIn = (sql: SqlStorage): readonly unknown[] => [
  ...sql.exec('SELECT last_at - ?, length(sends) FROM send_blocks ORDER BY id', START).raw(),
];

it('a checkpoint that cannot be written leaves all as it was', ({ storage, sql }) => {
  const checkpoint = new Checkpoint(storage);
  const counters = newCounters();
  counters.duplicate('shop', START);
  fill(checkpoint, 1, 255);
  sql.exec("CREATE TRIGGER full BEFORE INSERT ON checkpoint BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const write = (): void => claim(checkpoint, [entryOf(256)], [entryOf(256)], counters);
  expect(write).toThrow('disk full');
  expect([sendsOf(checkpoint).length, counters.isUnkept]).toEqual([255, true]);
  expect(new Checkpoint(storage).last?.cursor).toBe(255);
  sql.exec('DROP TRIGGER full');
  write();
  expect(sendsOf(new Checkpoint(storage))).toHaveLength(256);
});

it('old sends are deleted, and those of a clock that was ahead with the next block', ({ storage, sql }) => {
  const checkpoint = new Checkpoint(storage);
  fill(checkpoint, 1, 768, minutes);
  const rows = countRows(sql);
  fill(checkpoint, 769, 1_024, minutes);
  expect([rows.written(), blocksIn(sql).length]).toEqual([256 + 2, 1]);
  fill(checkpoint, 1, 256, () => START + 400 * 24 * HOUR);
  fill(checkpoint, 257, 512);
  expect(blocksIn(sql)).toEqual([[512, 4_096]]);
});

it('all sends are there, whatever a claim sends and wherever the object restarts', ({ storage, sql }) => {
  const claims = fc.array(fc.record({ sends: fc.nat(6), repeat: fc.nat(90) }), { maxLength: 12 });
  fc.assert(
    fc.property(claims, (trip) => {
      for (const table of ['send_blocks', 'checkpoint']) sql.exec(`DELETE FROM ${table}`);
      const all: Entry[] = [];
      for (const { sends, repeat } of trip) {
        const checkpoint = new Checkpoint(storage);
        for (let again = 0; again < repeat; again += 1) {
          const at = START + all.length;
          const sent = Array.from({ length: sends }, (_, n) => entryOf(1, `${at}${n}`, at));
          all.push(...sent);
          claim(checkpoint, sent);
        }
      }
      const expected = all.map(({ at, phone }) => [at, lineOf(phone, 'open')]);
      expect(sendsOf(new Checkpoint(storage))).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
