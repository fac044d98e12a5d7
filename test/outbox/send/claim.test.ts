import { expect } from 'vitest';
import { claimMessages, type ClaimRules } from '../../../src/outbox/send/claims.ts';
import { Pace, type PastSend } from '../../../src/outbox/send/pace.ts';
import { Queue } from '../../../src/outbox/send/queue.ts';
import { it } from '../it.ts';
import { draft, endsIn, HOUR, MINUTE, past, queue, START, to } from '../support.ts';

const paceOf = (...sends: readonly PastSend[]): Pace =>
  new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: START, past: past(sends) });

interface Situation {
  readonly policy?: ClaimRules['policy'];
  readonly pace?: Pace;
  readonly now?: number;
  /** Messages whose calls are under way, with their receivers. */
  readonly inFlight?: ReadonlyMap<number, string | null>;
  readonly capacity?: number;
  readonly calls?: number;
}

/** A queue as a new object opens it. */
function openQueue(sql: SqlStorage, { inFlight = new Map() }: Situation = {}): Queue {
  const queue = new Queue({ sql, cursor: 0, isInFlight: (seq) => inFlight.has(seq) });
  for (const [seq, phone] of inFlight) queue.turns.hold({ seq, phone });
  return queue;
}

/** The messages that are claimed of a queue, or of one as a new object opens it. */
const claim = (
  storage: DurableObjectStorage,
  { capacity = 6, ...situation }: Situation = {},
  queue?: Queue,
): readonly number[] =>
  claimMessages({
    storage,
    end: endsIn(storage.sql).end,
    queue: queue ?? openQueue(storage.sql, situation),
    policy: { perRecipient: null },
    pace: paceOf(),
    now: START,
    ...situation,
    capacity: { urgent: capacity, signed: capacity, open: capacity },
  }).map(({ row }) => row.seq);

it('fresh messages are not looked for among those that wait for a moment', ({ storage, sql }) => {
  queue(sql, START, ...Array.from({ length: 5 }, () => draft({ delayMs: HOUR })));
  const waiting = openQueue(sql);
  expect(claim(storage, {}, waiting)).toEqual([]);
  expect(waiting.cursor).toBe(5);
});

it('fresh messages are found behind a gap in the numbers of any length', ({ storage, sql }) => {
  queue(sql, START, ...to('a'));
  sql.exec('UPDATE messages SET seq = 3000000000');
  const waiting = openQueue(sql);
  expect([claim(storage, {}, waiting), claim(storage, {}, waiting)].flat()).toEqual([3_000_000_000]);
});

it('a message that was cancelled since it was read is not sent', ({ storage, sql }) => {
  queue(sql, START, ...to('a', 'a', 'b'));
  const waiting = openQueue(sql);
  expect(claim(storage, { capacity: 1 }, waiting)).toEqual([1]);
  sql.exec("UPDATE messages SET state = 'cancelled' WHERE seq = 2");
  waiting.changed(START);
  waiting.turns.release({ seq: 1, phone: 'a' });
  expect(claim(storage, {}, waiting)).toEqual([3]);
  expect(waiting.cursor).toBe(3);
});

it('messages are found when the clock went back, or their moment did', ({ storage, sql }) => {
  queue(sql, START, ...to('a', 'b'));
  const waiting = openQueue(sql);
  const retryAt = (at: number): void => {
    sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 1", at);
    waiting.turns.release({ seq: 1, phone: 'a' });
  };
  expect(claim(storage, { capacity: 1, now: START + HOUR }, waiting)).toEqual([1]);
  retryAt(START);
  waiting.dueAt(START, 'signed');
  expect(claim(storage, { now: START + HOUR }, waiting)).toEqual([2, 1]);
  retryAt(START + 1);
  expect(claim(storage, { now: START + 1 }, waiting)).toEqual([1]);
});

it('messages that are due go in order, forbidden ones behind all', ({ storage, sql }) => {
  queue(sql, START, draft({ phone: 'a', delayMs: 2 }), draft({ phone: 'a', delayMs: 1 }));
  expect(claim(storage, { now: START + 2 })).toEqual([1]);
  sql.exec(
    `UPDATE messages SET state = 'retrying', next_at = ?, attempts = '[{"n":1,"outcome":"forbidden"}]' WHERE seq = 1`,
    START,
  );
  sql.exec('UPDATE messages SET next_at = NULL WHERE seq = 2');
  const waiting = openQueue(sql);
  waiting.load(START + 2);
  expect(claim(storage, { now: START + 2 }, waiting)).toEqual([2]);
});

it('thousands that are too old are marked in steps, so that what comes in is served', ({ storage, sql }) => {
  const old = Array.from({ length: 300 }, () => draft({ phone: 'a', expiresMs: MINUTE }));
  queue(sql, START, ...old, draft({ phone: 'a' }));
  const waiting = openQueue(sql);
  expect(claim(storage, { now: START + MINUTE }, waiting)).toEqual([]);
  expect(waiting.nextAt(START + MINUTE)).toBe(START + MINUTE);
  expect(claim(storage, { now: START + MINUTE }, waiting)).toEqual([301]);
});
