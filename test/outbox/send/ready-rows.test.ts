import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { ReadyRows, type Ready } from '../../../src/outbox/send/ready-rows.ts';
import { draft, rowsFrom, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const ready = (row: MessageRow, over: { readonly seq?: number; readonly params?: string } = {}): Ready => ({
  row: { ...row, ...over },
  receivedAt: START,
});

/** With a row as an outbox makes it, which is not in the table. */
const withRow = (body: (rows: ReadyRows, row: MessageRow) => void): Promise<void> =>
  inStorage(({ storage: { sql } }) => {
    const [row] = rowsFrom('shop', sql, START, draft());
    if (row === undefined) throw new Error('no row');
    sql.exec('DELETE FROM messages');
    body(new ReadyRows(sql), row);
  });

const take = (rows: ReadyRows, seq: number): Ready | null => rows.take(seq, START, () => false);

describe('rows of fresh messages', () => {
  it('are given once, as they were accepted', () =>
    withRow((rows, row) => {
      rows.add(ready(row));
      expect(take(rows, row.seq)).toEqual({ row, receivedAt: START });
      expect(take(rows, row.seq)).toBeNull();
    }));

  it('are kept up to a number: the others are read when they are claimed', () =>
    withRow((rows, row) => {
      for (let seq = 1; seq <= 3_000; seq += 1) rows.add(ready(row, { seq }));
      const kept = Array.from({ length: 3_000 }, (_, index) => take(rows, index + 1)).filter(
        (one) => one !== null,
      );
      expect(kept.length).toBe(2_000);
      rows.add(ready(row, { seq: 5_000 }));
      expect(take(rows, 5_000)?.row.seq).toBe(5_000);
    }));

  it('are kept up to a number of characters, and taking one makes space', () =>
    withRow((rows, row) => {
      const params = 'x'.repeat(900_000);
      for (const seq of [1, 2, 3]) rows.add(ready(row, { seq, params }));
      expect(take(rows, 3)).toBeNull();
      expect(take(rows, 1)?.row.seq).toBe(1);
      rows.add(ready(row, { seq: 4, params }));
      expect(take(rows, 4)?.row.seq).toBe(4);
    }));

  it('beside one that is read are kept as well, as far as they are fresh', () =>
    inStorage(({ storage: { sql } }) => {
      rowsFrom('shop', sql, START, draft(), draft(), draft());
      const rows = new ReadyRows(sql);
      expect(rows.take(1, START, ({ seq }) => seq === 2)?.row.seq).toBe(1);
      sql.exec('DELETE FROM messages');
      expect(take(rows, 2)?.row.seq).toBe(2);
      expect(take(rows, 3)).toBeNull();
    }));
});
