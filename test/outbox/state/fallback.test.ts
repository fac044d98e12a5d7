import { describe, expect, it } from 'vitest';
import { fallbackFor, fallbackLinks, linkFallback } from '../../../src/outbox/state/fallback.ts';
import { insertMessage } from '../../../src/outbox/accept/rows.ts';
import { draft, inStorage, MINUTE, rowOf, rowsFrom, START } from '../support.ts';

const TWO = [
  { kind: 'link-preview', params: { url: 'https://a.example/' } },
  { kind: 'text', params: { message: 'hi' } },
];

describe('the fallback of a message', () => {
  it('costs nothing where there is none', () =>
    inStorage(({ storage: { sql } }) => {
      const [row] = rowsFrom('shop', sql, START, draft());
      expect(row?.fallback).toBeNull();
      expect(row && fallbackFor(row, 2, START)).toBeNull();
    }));

  it.each(['normal', 'high'] as const)('is as its message says, and fresh (%s)', (priority) =>
    inStorage(({ storage: { sql } }) => {
      const given = {
        fallback: TWO,
        priority,
        expiresMs: MINUTE,
        onUncertain: 'hold' as const,
        forget: true,
      };
      const [row] = rowsFrom('shop', sql, START, draft(given));
      if (row === undefined) throw new Error('no row');
      const now = START + 5_000;
      const next = fallbackFor({ ...row, state: 'dead', tries: 3, attempts: '[{"n":3}]' }, 9, now);
      if (next === null) throw new Error('no fallback');
      insertMessage({ sql, now }, next);
      linkFallback(sql, row.seq, 9);
      expect(rowOf(sql, 9)).toEqual({
        ...row,
        seq: 9,
        kind: 'link-preview',
        params: '{"url":"https://a.example/"}',
        next_at: priority === 'high' ? now : null,
        created_at: now,
        fallback: JSON.stringify({ next: [TWO[1]], of: row.seq }),
      });
      expect(fallbackLinks(rowOf(sql, row.seq))).toEqual({ by: 9 });
      expect(fallbackFor(rowOf(sql, row.seq), 10, now)).toBeNull();
    }),
  );
});
