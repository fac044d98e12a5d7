import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TailBatch, TailFrame } from '../../../src/outbox/tail/frame.ts';
import { TailReport } from '../../../src/outbox/tail/report.ts';
import { turn } from '../../eventually.ts';

const frame = (n: number): TailFrame => ({
  type: 'rejection',
  at: '2026-11-21T12:00:00.000Z',
  source: `s${n}`,
  status: 401,
  reason: 'mismatch',
  n,
  detail: 'none was made with the secret',
});

/** A report over a clock that a test moves, with what was sent. */
function stage(isWatched = false) {
  let now = 0;
  const due: { at: number; work: () => void }[] = [];
  const sent: TailBatch[] = [];
  const answers: (boolean | Error | Promise<boolean>)[] = [];
  const watched = { isWatched };
  const made = vi.fn((n: number) => frame(n));
  const report = new TailReport({
    account: () => 'default',
    watched,
    send: async (batch) => {
      sent.push(batch);
      const answer = answers.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock: () => now,
    later: (ms, work) => due.push({ at: now + ms, work }),
  });
  const add = (from: number, count = 1): void => {
    for (let n = from; n < from + count; n += 1) report.add(() => made(n));
  };
  /** Moves the clock, and does what is due by then. */
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    const ripe = due.filter(({ at }) => at <= now);
    due.splice(0, due.length, ...due.filter(({ at }) => at > now));
    for (const { work } of ripe) work();
    await turn();
  };
  const sources = () => sent.map(({ frames }) => frames.map(({ source }) => source));
  return { report, sent, answers, watched, made, add, pass, sources };
}

afterEach(() => vi.restoreAllMocks());

describe('what an outbox sends to the tail', () => {
  it('is nothing while nobody looks: not even a frame is made', async () => {
    const { add, pass, sent, made, watched } = stage();
    add(0, 10);
    await pass(1_000);
    expect(sent).toEqual([]);
    expect(made).not.toHaveBeenCalled();
    expect(watched.isWatched).toBe(false);
  });

  it('goes at once, and then four times a second at most', async () => {
    const { report, add, pass, sources } = stage();
    report.watch();
    add(0, 2);
    await pass(0);
    expect(sources()).toEqual([['s0', 's1']]);
    add(2);
    await pass(249);
    add(3);
    expect(sources()).toHaveLength(1);
    await pass(1);
    expect(sources()).toEqual([
      ['s0', 's1'],
      ['s2', 's3'],
    ]);
    await pass(10_000);
    expect(sources()).toHaveLength(2);
  });

  it('is two hundred frames a call at most; the rest is counted, and not made', async () => {
    const { report, add, pass, sent, made } = stage();
    report.watch();
    add(0, 1_000);
    await pass(0);
    expect(sent).toMatchObject([{ dropped: 800, account: 'default' }]);
    expect(sent[0]?.frames).toHaveLength(200);
    expect(made).toHaveBeenCalledTimes(200);
    add(1_000);
    await pass(250);
    expect(sent[1]).toMatchObject({ dropped: 0, frames: [{ source: 's1000' }] });
  });

  it('waits for the call before it, so that it arrives in order', async () => {
    const { report, add, pass, sources, answers } = stage();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answers.push(promise);
    report.watch();
    add(0);
    await pass(0);
    add(1);
    await pass(5_000);
    expect(sources()).toEqual([['s0']]);
    resolve(true);
    await pass(0);
    await pass(0);
    expect(sources()).toEqual([['s0'], ['s1']]);
  });

  it('ends when nobody looks any more, and begins again when somebody does', async () => {
    const { report, add, pass, sent, answers, watched } = stage(true);
    answers.push(false);
    add(0);
    await pass(0);
    expect(watched.isWatched).toBe(false);
    add(1);
    await pass(1_000);
    expect(sent).toHaveLength(1);
    report.watch();
    expect(watched.isWatched).toBe(true);
    add(2);
    await pass(1_000);
    expect(sent[1]?.frames).toEqual([frame(2)]);
  });

  it('does not end for somebody who began to look while the answer was on its way', async () => {
    const { report, add, pass, sent, answers, watched } = stage(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answers.push(promise);
    add(0);
    await pass(0);
    report.watch();
    resolve(false);
    await pass(1_000);
    expect(watched.isWatched).toBe(true);
    add(1);
    await pass(1_000);
    expect(sent[1]?.frames).toEqual([frame(1)]);
  });

  it('that could not be reported is counted, and tried again after five seconds', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { report, add, pass, sent, answers } = stage();
    answers.push(new Error('gone'));
    report.watch();
    add(0, 3);
    await pass(0);
    expect(warned).toHaveBeenCalledOnce();
    add(3);
    await pass(4_999);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent[1]).toMatchObject({ dropped: 3, frames: [{ source: 's3' }] });
  });

  it('goes on after the object was out of memory', async () => {
    const { add, pass, sent } = stage(true);
    add(0);
    await pass(0);
    expect(sent).toHaveLength(1);
  });
});
