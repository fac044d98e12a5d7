import { describe, expect, it } from 'vitest';
import {
  fallbackFor,
  fallbackLinks,
  handedFor,
  handOnAt,
  linkFallback,
  stepsIn,
} from '../../../src/outbox/state/fallback.ts';
import { insertMessage } from '../../../src/outbox/accept/rows.ts';
import type { Further } from '../../../src/render/fallback.ts';
import { draft, MINUTE, rowOf, rowsFrom, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const TWO: readonly Further[] = [
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

describe('a fallback of another account', () => {
  const WHEN_DEAD: Further = {
    kind: 'text',
    params: { message: 'hi' },
    account: 'sales',
    phone: 'anna-k3x9',
  };
  const STEP: Further = { ...WHEN_DEAD, after_ms: MINUTE };
  const HERE = { account: 'default', message: 'msg_1' };

  it('is due after its time, counted from when the message may be sent', () =>
    inStorage(({ storage: { sql } }) => {
      const [soon, later, never] = rowsFrom(
        'shop',
        sql,
        START,
        draft({ fallback: [STEP] }),
        draft({ fallback: [STEP], delayMs: 5 * MINUTE }),
        draft({ fallback: [WHEN_DEAD] }),
      );
      expect([soon, later, never].map((row) => row && handOnAt(row))).toEqual([
        START + MINUTE,
        START + 6 * MINUTE,
        null,
      ]);
      const watched = sql.exec('SELECT seq, phase, next_at FROM handings ORDER BY seq').toArray();
      expect(watched).toEqual([
        { seq: soon?.seq, phase: 'waits', next_at: START + MINUTE },
        { seq: later?.seq, phase: 'waits', next_at: START + 6 * MINUTE },
      ]);
    }));

  it('is given with what its message says, and what is left of the fallbacks', () =>
    inStorage(({ storage: { sql } }) => {
      const given = {
        ...({ fallback: [STEP, ...TWO], priority: 'high', onUncertain: 'hold', forget: true } as const),
        expiresMs: 10 * MINUTE,
      };
      const [row] = rowsFrom('shop', sql, START, draft(given));
      if (row === undefined) throw new Error('no row');
      const { id, draft: handed, origin } = handedFor(row, HERE, START + MINUTE);
      expect(id).toBe('msg_1');
      expect(handed).toEqual({
        route: 'all',
        kind: 'text',
        phone: 'anna-k3x9',
        params: { message: 'hi' },
        delayMs: 0,
        expiresMs: 9 * MINUTE,
        onUncertain: 'hold',
        priority: 'high',
        forget: true,
        from: HERE,
        // Of the account that the message is of.
        fallback: TWO.map((one) => ({ ...one, phone: row.phone, account: 'default' })),
      });
      expect(origin).toMatchObject({ source: 'shop', since: START + MINUTE });
    }));

  it('is reported to the account of a message about incidents, however often it is handed on', () =>
    inStorage(({ storage: { sql } }) => {
      const [first, second] = rowsFrom(
        'shop',
        sql,
        START,
        draft({ fallback: [STEP], says: { form: 'group' } }),
        draft({ fallback: [STEP], reports: HERE }),
      );
      const reports = [first, second].map(
        (row) => row && handedFor(row, { account: 'default', message: 'msg_9' }, START).draft.reports,
      );
      expect(reports).toEqual([{ account: 'default', message: 'msg_9' }, HERE]);
    }));

  it('comes back as what it was', () => {
    const there = stepsIn('sales', TWO, { account: 'default', phone: '4915112345601' });
    const back = stepsIn('default', there, { account: 'sales', phone: 'anna-k3x9' });
    expect(back).toEqual(TWO.map((one) => ({ ...one, phone: '4915112345601' })));
  });
});
