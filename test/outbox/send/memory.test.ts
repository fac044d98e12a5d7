import fc from 'fast-check';
import { expect } from 'vitest';
import { ReadyRows, type Ready } from '../../../src/outbox/send/ready-rows.ts';
import { lineOf, ReceiverHistory } from '../../../src/outbox/send/receiver-history.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { it } from '../it.ts';
import { messageSample } from '../samples.ts';
import { draft, HOUR, rowsFrom, START } from '../support.ts';

const ready = (over: Partial<MessageRow> & { seq: number }): Ready => ({
  row: messageSample(over),
  receivedAt: START,
});
const take = (rows: ReadyRows, seq: number): Ready | null => rows.take(seq, START, () => false);

it('rows of fresh messages are given once, and kept up to a number', ({ sql }) => {
  const rows = new ReadyRows(sql);
  for (let seq = 1; seq <= 3_000; seq += 1) rows.add(ready({ seq }));
  expect(take(rows, 1)).toEqual(ready({ seq: 1 }));
  expect(take(rows, 1)).toBeNull();
  const kept = Array.from({ length: 3_000 }, (_, index) => take(rows, index + 1)).filter(
    (one) => one !== null,
  );
  expect(kept.length).toBe(1_999);
  rows.add(ready({ seq: 5_000 }));
  expect(take(rows, 5_000)?.row.seq).toBe(5_000);
});

it('rows of fresh messages are kept up to a number of characters, and taking one makes space', ({ sql }) => {
  const rows = new ReadyRows(sql);
  const params = 'x'.repeat(900_000);
  for (const seq of [1, 2, 3]) rows.add(ready({ seq, params }));
  expect(take(rows, 3)).toBeNull();
  expect(take(rows, 1)?.row.seq).toBe(1);
  rows.add(ready({ seq: 4, params }));
  expect(take(rows, 4)?.row.seq).toBe(4);
});

it('rows beside one that is read are kept as well, as far as they are fresh', ({ sql }) => {
  rowsFrom('shop', sql, START, draft(), draft(), draft());
  const rows = new ReadyRows(sql);
  expect(rows.take(1, START, ({ seq }) => seq === 2)?.row.seq).toBe(1);
  sql.exec('DELETE FROM messages');
  expect([take(rows, 2)?.row.seq, take(rows, 3)]).toEqual([2, null]);
});

const WINDOW = HOUR;
type Send = readonly [receiver: number, at: number];

function filled(sends: readonly Send[]): ReceiverHistory {
  const history = new ReceiverHistory(WINDOW);
  for (const [receiver, at] of sends) history.add(receiver, at);
  return history;
}

it('sends of the window are all there, whatever comes when and however many there are', () => {
  const trips = fc.array(
    fc.record({
      receiver: fc.nat(30).map((n) => lineOf(`4915112345${n}`, 'signed')),
      wait: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(WINDOW)),
      times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(9_000) }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(trips, (trip) => {
      let at = 0;
      const sends = trip.flatMap(({ receiver, wait, times }) => {
        at += wait;
        return Array.from({ length: times }, (): Send => [receiver, at]);
      });
      const history = filled(sends);
      const recent = Map.groupBy(
        sends.filter(([, sentAt]) => sentAt > at - WINDOW),
        ([receiver]) => receiver,
      );
      for (const receiver of new Set(trip.map((one) => one.receiver)))
        for (const n of [1, 2, 5, 100]) {
          const wanted = recent.get(receiver)?.at(-n)?.[1];
          const got = history.nthNewest(receiver, n);
          // Older ones may still be there: their block is dropped as a whole.
          if (wanted === undefined) expect(got === null || got <= at - WINDOW).toBe(true);
          else expect(got).toBe(wanted);
        }
    }),
    { numRuns: 60 },
  );
});

it('sends of steady traffic take no more and more memory', () => {
  const history = new ReceiverHistory(WINDOW);
  for (let n = 0; n < 100_000; n += 1) history.add(lineOf(String(n), 'signed'), n * 100);
  // An hour at ten a second, and at most one block more.
  expect(history.size).toBeGreaterThanOrEqual(36_000);
  expect(history.size).toBeLessThan(36_000 + 2 * 8_192);
  expect([99_999, 5].map((n) => history.nthNewest(lineOf(String(n), 'signed'), 1))).toEqual([
    9_999_900,
    null,
  ]);
});

it('the key of a receiver is a whole number of 53 bits, another for each of 100,000 numbers in a row', () => {
  const keys = Array.from({ length: 100_000 }, (_, n) => lineOf(`49151${10_000_000 + n}`, 'open'));
  expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
  expect(new Set(keys).size).toBe(keys.length);
});
