import { expect } from 'vitest';
import {
  fallbackFor,
  fallbackLinks,
  handedFor,
  handOnAt,
  linkFallback,
} from '../../../src/outbox/state/fallback.ts';
import { insertMessage } from '../../../src/outbox/accept/rows.ts';
import type { DraftMessage } from '../../../src/outbox/state/acceptance.ts';
import type { MessageRow } from '../../../src/outbox/state/message.ts';
import type { Further } from '../../../src/render/fallback.ts';
import { it } from '../it.ts';
import { draft, MINUTE, rowOf, rowsFrom, START } from '../support.ts';

const TWO: readonly Further[] = [
  { kind: 'link-preview', params: { url: 'https://a.example/' } },
  { kind: 'text', params: { message: 'hi' } },
];
const CARE = { expiresMs: 10 * MINUTE, onUncertain: 'hold', forget: true } as const;

function add(sql: SqlStorage, over: Partial<DraftMessage>): MessageRow {
  const [row] = rowsFrom('shop', sql, START, draft(over));
  if (row === undefined) throw new Error('no row');
  return row;
}

it.for(['normal', 'high'] as const)(
  'a fallback is as its message says, and fresh (%s)',
  (priority, { sql }) => {
    const row = add(sql, { ...CARE, fallback: TWO, priority });
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
  },
);

const WHEN_DEAD: Further = { kind: 'text', params: { message: 'hi' }, account: 'sales', phone: 'anna-k3x9' };
const STEP: Further = { ...WHEN_DEAD, after_ms: MINUTE };
const HERE = { account: 'default', message: 'msg_1' };

it('a fallback of another account is due after its time, since its message may be sent', ({ sql }) => {
  const rows = [
    { fallback: [STEP] },
    { fallback: [STEP], delayMs: 5 * MINUTE },
    { fallback: [WHEN_DEAD] },
  ].map((over) => add(sql, over));
  expect(rows.map(handOnAt)).toEqual([START + MINUTE, START + 6 * MINUTE, null]);
  const watched = [...sql.exec('SELECT seq, phase, next_at FROM handings ORDER BY seq').raw()];
  expect(watched).toEqual([
    [rows[0]?.seq, 'waits', START + MINUTE],
    [rows[1]?.seq, 'waits', START + 6 * MINUTE],
  ]);
});

it('a fallback of another account is given with what its message says, and what is left', ({ sql }) => {
  const row = add(sql, { ...CARE, fallback: [STEP, ...TWO], priority: 'high' });
  const handed = handedFor(row, HERE, START + MINUTE);
  expect(handed?.id).toBe('msg_1');
  expect(handed?.draft).toEqual({
    route: 'all',
    kind: 'text',
    phone: 'anna-k3x9',
    params: { message: 'hi' },
    expiresMs: 9 * MINUTE,
    onUncertain: 'hold',
    priority: 'high',
    forget: true,
    from: HERE,
    // Of the account that the message is of.
    fallback: TWO.map((one) => ({ ...one, phone: row.phone, account: 'default' })),
  });
  expect(handed?.origin).toMatchObject({ source: 'shop', since: START + MINUTE });
});

it('a fallback is reported to the account of a message about incidents', ({ sql }) => {
  const there = { account: 'default', message: 'msg_9' };
  const reports = [{ says: { form: 'group' } }, { reports: HERE }].map(
    (over) => handedFor(add(sql, { fallback: [STEP], ...over }), there, START)?.draft.reports,
  );
  expect(reports).toEqual([there, HERE]);
});
