import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import { ReadyRows, type Ready } from '../../../src/outbox/send/ready-rows.ts';
import { draft, inStorage, rowsFrom, START } from '../support.ts';

const ready = (row: MessageRow, over: { readonly seq?: number; readonly params?: string } = {}): Ready => ({
  row: { ...row, ...over },
  receivedAt: START,
});

/** A row as an outbox makes it. */
const freshRow = (): Promise<MessageRow | undefined> =>
  inStorage(({ storage: { sql } }) => rowsFrom('shop', sql, START, draft())[0]);

describe('rows of fresh messages', () => {
  it('are given once, as they were accepted', async () => {
    const row = await freshRow();
    if (row === undefined) throw new Error('no row');
    const rows = new ReadyRows();
    rows.add(ready(row));
    expect(rows.take(row.seq)).toEqual({ row, receivedAt: START });
    expect(rows.take(row.seq)).toBeNull();
  });

  it('are kept up to a number: the others are read when they are claimed', async () => {
    const row = await freshRow();
    if (row === undefined) throw new Error('no row');
    const rows = new ReadyRows();
    for (let seq = 1; seq <= 3_000; seq += 1) rows.add(ready(row, { seq }));
    const kept = Array.from({ length: 3_000 }, (_, index) => rows.take(index + 1)).filter(
      (one) => one !== null,
    );
    expect(kept.length).toBe(2_000);
    rows.add(ready(row, { seq: 5_000 }));
    expect(rows.take(5_000)?.row.seq).toBe(5_000);
  });

  it('are kept up to a number of characters, and taking one makes space', async () => {
    const row = await freshRow();
    if (row === undefined) throw new Error('no row');
    const rows = new ReadyRows();
    const params = 'x'.repeat(900_000);
    for (const seq of [1, 2, 3]) rows.add(ready(row, { seq, params }));
    expect(rows.take(3)).toBeNull();
    expect(rows.take(1)?.row.seq).toBe(1);
    rows.add(ready(row, { seq: 4, params }));
    expect(rows.take(4)?.row.seq).toBe(4);
  });
});
