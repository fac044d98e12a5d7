import { expect } from 'vitest';
import { ReadyRows, type Ready } from '../../../src/outbox/send/queue.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { it } from '../it.ts';
import { messageSample } from '../samples.ts';
import { draft, rowsFrom, START } from '../support.ts';

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
