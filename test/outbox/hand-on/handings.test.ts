import { describe, expect, it } from 'vitest';
import { Handings, LOST_MS, type HandOnEffects } from '../../../src/outbox/hand-on/handings.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from '../../../src/outbox/state/handed.ts';
import { addLeaving, addReport, handingOf, removeHanding } from '../../../src/outbox/state/handings.ts';
import { draft, MINUTE, SECOND, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const handed = (id: string): Handed => ({
  id,
  draft: draft(),
  origin: { event: null, source: null, since: START, configVersion: 1 },
});

const ended = (id: string): EndedElsewhere => ({
  id,
  by: { account: 'here', message: 'msg_h' },
  state: 'sent',
  outcome: 'sent',
});

/** An outbox with its rows, the other account's answers, and what followed. */
function stage(sql: SqlStorage, answers: readonly (readonly HandOnAnswer[] | Error)[]) {
  const calls: (readonly Handed[] | readonly EndedElsewhere[])[] = [];
  const followed: string[] = [];
  const left = [...answers];
  const clock = { now: START };
  let allowed = 100;
  const answer = (given: readonly Handed[]): Promise<readonly HandOnAnswer[]> => {
    calls.push(given);
    const next = left.shift() ?? given.map(({ id }) => ({ message: `taken ${id}` }));
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const handings = new Handings({
    sql,
    account: () => 'here',
    outbox: () => ({
      takeHanded: answer,
      endedElsewhere: (given) => {
        calls.push(given);
        return Promise.resolve();
      },
    }),
    mayCall: () => allowed > 0,
    spend: () => void (allowed -= 1),
    clock: () => clock.now,
  });
  const over = (what: string, seq: number): void => {
    followed.push(what);
    removeHanding(sql, seq);
  };
  const follows: HandOnEffects = {
    overdue: (seqs) => seqs.forEach((seq) => over(`overdue ${seq}`, seq)),
    taken: (seq, message) => over(`${seq} ${message}`, seq),
    refused: ({ seq }, why) => over(`${seq} refused: ${why}`, seq),
    lost: (seq) => over(`lost ${seq}`, seq),
  };
  return {
    calls,
    clock,
    followed,
    handings,
    run: () => handings.run(follows),
    allow: (count: number) => void (allowed = count),
  };
}

describe('what is given to another account', () => {
  it('is given together, and at once', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { calls, followed, handings, run } = stage(sql, []);
      for (const seq of [1, 2, 3]) addLeaving(sql, seq, 'sales', handed(`msg_${seq}`), START);
      expect(handings.nextAt()).toBe(START);
      await run();
      expect(calls.map((one) => one.map(({ id }) => id))).toEqual([['msg_1', 'msg_2', 'msg_3']]);
      expect(followed).toEqual(['1 taken msg_1', '2 taken msg_2', '3 taken msg_3']);
      expect(handings.nextAt()).toBeNull();
    }));

  it('is given again, later each time, until that account answers', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { calls, clock, followed, handings, run } = stage(sql, [new Error('reset'), new Error('reset')]);
      addLeaving(sql, 1, 'sales', handed('msg_1'), START);
      await run();
      expect(handings.nextAt()).toBe(START + 2 * SECOND);
      clock.now = START + 2 * SECOND;
      await run();
      expect(handings.nextAt()).toBe(START + 12 * SECOND);
      clock.now = START + 12 * SECOND;
      await run();
      expect(calls).toHaveLength(3);
      expect(new Set(calls.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(followed).toEqual(['1 taken msg_1']);
    }));

  it('is refused for good only after two minutes: that account may not know yet that it is one', () =>
    inStorage(async ({ storage: { sql } }) => {
      const no = [{ refusal: 'there is no account' }];
      const { clock, followed, run } = stage(sql, [no, no]);
      addLeaving(sql, 1, 'sales', handed('msg_1'), START);
      await run();
      expect(followed).toEqual([]);
      clock.now = START + 2 * MINUTE;
      await run();
      expect(followed).toEqual(['1 refused: there is no account']);
    }));

  it('is given up when nobody has answered for a week', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { clock, followed, run } = stage(sql, [new Error('reset')]);
      addLeaving(sql, 1, 'sales', handed('msg_1'), START);
      clock.now = START + LOST_MS + 1;
      await run();
      expect(followed).toEqual(['lost 1']);
    }));

  it('waits for the next run when this one may make no more calls', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { allow, calls, run } = stage(sql, []);
      addLeaving(sql, 1, 'sales', handed('msg_1'), START);
      addLeaving(sql, 2, 'other', handed('msg_2'), START + 1);
      allow(0);
      await run();
      expect(calls).toEqual([]);
      expect(handingOf(sql, 1)).toMatchObject({ tries: 0, next_at: START });
    }));

  it('is one call for each account', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { calls, run } = stage(sql, []);
      addLeaving(sql, 1, 'sales', handed('msg_1'), START);
      addLeaving(sql, 2, 'other', handed('msg_2'), START);
      await run();
      expect(calls.map((one) => one.map(({ id }) => id))).toEqual([['msg_1'], ['msg_2']]);
    }));
});

describe('how it ended', () => {
  it('is reported until the account knows it', () =>
    inStorage(async ({ storage: { sql } }) => {
      const { calls, handings, run } = stage(sql, []);
      addReport(sql, 7, 'default', ended('msg_1'), START);
      await run();
      expect(calls).toEqual([[ended('msg_1')]]);
      expect(handings.nextAt()).toBeNull();
    }));
});
