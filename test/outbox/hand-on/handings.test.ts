import { expect } from 'vitest';
import { handingOf, Handings, LOST_MS } from '../../../src/outbox/hand-on/handings.ts';
import {
  fallbackText,
  type EndedElsewhere,
  type Handed,
  type HandOnAnswer,
} from '../../../src/outbox/state/fallback.ts';
import { attemptsText, messageId, messageSeq, type MessageRow } from '../../../src/outbox/state/message.ts';
import { it } from '../it.ts';
import { addMessage, MINUTE, rowOf, SECOND, START, TAG } from '../support.ts';

/** An outbox with its rows, the other accounts' answers, and what followed. */
function stage(sql: SqlStorage, ...answers: readonly (readonly HandOnAnswer[] | Error)[]) {
  const calls: (readonly Handed[] | readonly EndedElsewhere[])[] = [];
  const followed: string[] = [];
  const left = [...answers];
  const world = { now: START, calls: { left: 100, spend: () => void (world.calls.left -= 1) } };
  const handings = new Handings({
    sql,
    account: () => 'here',
    tag: TAG,
    alarm: { bringForward: () => undefined },
    outbox: () => ({
      takeHanded: (given) => {
        calls.push(given);
        const next = left.shift() ?? given.map(({ id }) => ({ message: `taken ${messageSeq(id, TAG)}` }));
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      endedElsewhere: (given) => Promise.resolve(void calls.push(given)),
    }),
    calls: world.calls,
    clock: () => world.now,
  });
  const over = (seq: number, what: string): void => {
    followed.push(`${seq} ${what}`);
    handings.remove(seq);
  };
  const run = (afterMs = 0): Promise<void> => {
    world.now += afterMs;
    return handings.run({
      overdue: (seqs) => seqs.forEach((seq) => over(seq, 'overdue')),
      taken: (seq, message) => over(seq, message),
      refused: ({ seq }, why) => over(seq, `refused: ${why}`),
      lost: (seqs) => seqs.forEach((seq) => over(seq, 'lost')),
    });
  };
  const add = (seq: number, more: Partial<MessageRow>): MessageRow => {
    addMessage(sql, { seq, ...more });
    return rowOf(sql, seq);
  };
  /** Gives a message to an account. */
  const give = (seq: number, account = 'sales'): void => {
    const next = { kind: 'text' as const, params: { message: 'hello' }, account };
    handings.leave(add(seq, { fallback: fallbackText([next]) }));
  };
  const given = () => calls.map((one) => one.map(({ id }) => messageSeq(id, TAG)).join());
  return { add, calls, given, world, followed, handings, run, give };
}

it('what is given to other accounts is given at once, with one call for each', async ({ sql }) => {
  const { given, followed, handings, run, give } = stage(sql);
  give(1);
  give(2);
  give(3, 'other');
  expect(handings.nextAt()).toBe(START);
  await run();
  expect(given()).toEqual(['1,2', '3']);
  expect(followed).toEqual(['1 taken 1', '2 taken 2', '3 taken 3']);
  expect(handings.nextAt()).toBeNull();
});

it('what is given is given again, later each time, until that account answers', async ({ sql }) => {
  const { given, followed, handings, run, give } = stage(sql, new Error('reset'), new Error('reset'));
  give(1);
  await run();
  expect(handings.nextAt()).toBe(START + 2 * SECOND);
  await run(2 * SECOND);
  expect(handings.nextAt()).toBe(START + 12 * SECOND);
  await run(10 * SECOND);
  expect(given()).toEqual(['1', '1', '1']);
  expect(followed).toEqual(['1 taken 1']);
});

it('a refusal counts after two minutes, since that account may be new, and silence after a week', async ({
  sql,
}) => {
  const no = [{ refusal: 'there is no account' }];
  const { followed, run, give } = stage(sql, no, no, new Error('reset'));
  give(1);
  await run();
  expect(followed).toEqual([]);
  await run(2 * MINUTE);
  expect(followed).toEqual(['1 refused: there is no account']);
  // What nobody has answered for a week is given up.
  give(2);
  await run(LOST_MS + 1);
  expect(followed.at(-1)).toBe('2 lost');
});

it('what is given waits for the next run when this one may make no more calls', async ({ sql }) => {
  const { calls, world, run, give } = stage(sql);
  give(1);
  world.calls.left = 0;
  await run();
  expect(calls).toEqual([]);
  expect(handingOf(sql, 1)).toMatchObject({ tries: 0, next_at: START });
});

it('how it ended is reported to the account that gave it', async ({ sql }) => {
  const { add, calls, handings, run } = stage(sql);
  const end = { state: 'sent', outcome: 'sent' } as const;
  const attempts = attemptsText([{ n: 1, at: START, duration_ms: 9, outcome: 'sent' }]);
  const reports = { account: 'default', message: 'msg_1' };
  expect(handings.report(add(6, { state: 'sent' }))).toBe(false);
  const fallback = fallbackText([], { reports });
  expect(handings.report(add(7, { state: 'sent', attempts, fallback }))).toBe(true);
  const ended: EndedElsewhere = { id: 'msg_1', by: { account: 'here', message: messageId(7, TAG) }, ...end };
  await run();
  expect([calls, handings.nextAt()]).toEqual([[[ended]], null]);
});
