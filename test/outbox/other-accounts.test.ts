import { expect } from 'vitest';
import { createParts } from '../../src/outbox/parts.ts';
import {
  fallbackLinks,
  fallbackText,
  type EndedElsewhere,
  type Handed,
  type HandOnAnswer,
} from '../../src/outbox/state/fallback.ts';
import { handingOf } from '../../src/outbox/state/fallback.ts';
import { attemptsText, messageId, messageSeq, type MessageRow } from '../../src/outbox/state/message.ts';
import { bindings } from '../bindings.ts';
import { configKv, it } from './it.ts';
import { addMessage, DAY, MINUTE, rowOf, SECOND, START } from './support.ts';

/** An outbox with its rows, and the other accounts' answers. */
function stage(storage: DurableObjectStorage, ...answers: readonly (readonly HandOnAnswer[] | Error)[]) {
  const { sql } = storage;
  const calls: (readonly Handed[] | readonly EndedElsewhere[])[] = [];
  const left = [...answers];
  const world = { now: START, work: Promise.resolve() };
  const other = {
    takeHanded: (given: readonly Handed[]) => {
      calls.push(given);
      const next = left.shift() ?? given.map(({ id }) => ({ message: `taken ${messageSeq(id, tag)}` }));
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    endedElsewhere: (given: readonly EndedElsewhere[]) => Promise.resolve(void calls.push(given)),
  };
  const env = bindings({ CONFIG: configKv(), OUTBOX: { getByName: () => other } });
  const ctx = {
    storage,
    id: { name: 'here', equals: () => false },
    waitUntil: (work: Promise<void>) => void (world.work = work),
  };
  const parts = createParts(ctx, env, { clock: () => world.now });
  const { handings, loop, others, tag } = parts;
  const run = (afterMs = 0): Promise<void> => {
    world.now += afterMs;
    others.send(loop.late);
    return world.work;
  };
  const add = (seq: number, more: Partial<MessageRow>): MessageRow => {
    addMessage(sql, { seq, state: 'dead', ...more });
    return rowOf(sql, seq);
  };
  /** Gives a message to an account. */
  const give = (seq: number, account = 'sales'): void => {
    const next = { kind: 'text' as const, params: { message: 'hello' }, account };
    handings.leave(add(seq, { fallback: fallbackText([next]) }));
  };
  const given = () => calls.map((one) => one.map(({ id }) => messageSeq(id, tag)).join());
  const taken = (...seqs: readonly number[]) => seqs.map((seq) => fallbackLinks(rowOf(sql, seq)).to?.message);
  return { parts, handings, sql, tag, add, calls, given, run, give, taken };
}

it('what is given to other accounts is given at once, with one call for each', async ({ storage }) => {
  const { given, handings, run, give, taken } = stage(storage);
  give(1);
  give(2);
  give(3, 'other');
  expect(handings.nextAt()).toBe(START);
  await run();
  expect(given()).toEqual(['1,2', '3']);
  expect(taken(1, 2, 3)).toEqual(['taken 1', 'taken 2', 'taken 3']);
  expect(handings.nextAt()).toBeNull();
});

it('what is given is given again, later each time, until that account answers', async ({ storage }) => {
  const { given, handings, run, give, taken } = stage(storage, new Error('reset'), new Error('reset'));
  give(1);
  await run();
  expect(handings.nextAt()).toBe(START + 2 * SECOND);
  await run(2 * SECOND);
  expect(handings.nextAt()).toBe(START + 12 * SECOND);
  await run(10 * SECOND);
  expect(given()).toEqual(['1', '1', '1']);
  expect(taken(1)).toEqual(['taken 1']);
});

it('a refusal counts after two minutes, since that account may be new, and silence after a week', async ({
  storage,
}) => {
  const no = [{ refusal: 'there is no account' }];
  const { handings, run, give, sql } = stage(storage, no, no, new Error('reset'));
  give(1);
  await run();
  expect(handings.nextAt()).toBe(START + 2 * SECOND);
  await run(2 * MINUTE);
  expect([handings.nextAt(), rowOf(sql, 1).reason]).toEqual([
    null,
    expect.stringContaining('there is no account'),
  ]);
  // What nobody has answered for a week is given up.
  give(2);
  await run(7 * DAY + 1);
  expect([handings.nextAt(), rowOf(sql, 2).reason]).toEqual([
    null,
    JSON.stringify({ code: 'fallback-unknown' }),
  ]);
});

it('what is given waits for the next run when this one may make no more calls', async ({ storage }) => {
  const { calls, parts, run, give, sql } = stage(storage);
  give(1);
  parts.calls.exhaust();
  await run();
  expect(calls).toEqual([]);
  expect(handingOf(sql, 1)).toMatchObject({ tries: 0, next_at: START });
});

it('how it ended is reported to the account that gave it', async ({ storage }) => {
  const { add, calls, handings, run, tag } = stage(storage);
  const end = { state: 'sent', outcome: 'sent' } as const;
  const attempts = attemptsText([{ n: 1, at: START, duration_ms: 9, outcome: 'sent' }]);
  const reports = { account: 'default', message: 'msg_1' };
  expect(handings.report(add(6, { state: 'sent' }))).toBe(false);
  const fallback = fallbackText([], { reports });
  expect(handings.report(add(7, { state: 'sent', attempts, fallback }))).toBe(true);
  const ended: EndedElsewhere = { id: 'msg_1', by: { account: 'here', message: messageId(7, tag) }, ...end };
  await run();
  expect([calls, handings.nextAt()]).toEqual([[[ended]], null]);
});
