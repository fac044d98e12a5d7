import { afterEach, expect, vi } from 'vitest';
import { messageId } from '../../../src/outbox/state/message.ts';
import type { TailBatch, TailFrame } from '../../../src/outbox/tail/frame.ts';
import { TailReport } from '../../../src/outbox/tail/report.ts';
import { Tail } from '../../../src/outbox/tail/tail.ts';
import { iso } from '../../../src/lib/time.ts';
import { turn } from '../../eventually.ts';
import { it } from '../it.ts';
import { eventSample, messageSample } from '../samples.ts';
import { START, TAG } from '../support.ts';

afterEach(() => vi.restoreAllMocks());

/** A tail, and what it got of an event that was accepted, and of messages. */
function stage() {
  const frames: TailFrame[] = [];
  const due: (() => void)[] = [];
  const tail = new Tail({
    tag: TAG,
    account: () => 'default',
    watched: { isWatched: true },
    send: async (batch) => frames.push(...batch.frames) > 0,
    clock: () => START,
    later: (_, work) => due.push(work),
  });
  const shown = (): readonly TailFrame[] => {
    for (const work of due.splice(0)) work();
    return frames;
  };
  return { tail, shown };
}

it('the tail gets what a message reports of incidents, without their keys', () => {
  const { tail, shown } = stage();
  const reported = { form: 'digest', new: 1, resolved: 2, firing: 3 };
  const row = messageSample({ seq: 5, about: JSON.stringify({ ...reported, incidents: ['inc_1'] }) });
  const acceptance = { event: eventSample(START), messages: [] };
  const receipt = { event: 'evt_1', duplicate: false, messages: [] };
  tail.accepted([{ acceptance, committed: { receipt, queued: [row], isNew: true } }]);
  expect(shown()[1]).toMatchObject({ type: 'message', about: reported });
  expect(JSON.stringify(shown())).not.toContain('inc_1');
});

it('the tail gets why a message failed and when it is tried again, nothing that it says, nor to whom', () => {
  const { tail, shown } = stage();
  const row = messageSample({ seq: 5, reason: 'not to 4915112345678', phone: '4915112345678' });
  const attempt = { n: 2, at: START, duration_ms: 12, outcome: 'refused', http_status: 200 } as const;
  const reason = `the gateway refused: 4915112345612 is not known ${'x'.repeat(400)}`;
  tail.changed(row, 'retrying', {
    attempt: { ...attempt, response: 'to 4915112345678', detail: reason },
    decision: { state: 'retrying', tries: 2, refusals: 2, reason, nextAt: START + 30_000 },
  });
  expect(shown()).toMatchObject([
    {
      message: messageId(5, TAG),
      state: 'retrying',
      n: 2,
      outcome: 'refused',
      reason: 'the gateway refused: +4915•••••12 is not known '.padEnd(300, 'x'),
      next_attempt_at: iso(START + 30_000),
    },
  ]);
  expect(JSON.stringify(shown())).not.toMatch(/4915112345678|hello/);
});

const frame = (n: number): TailFrame => ({
  type: 'rejection',
  at: '2026-11-21T12:00:00.000Z',
  source: `s${n}`,
  status: 401,
  code: 'mismatch',
  n,
  detail: 'none was made with the secret',
});

/** A report over a clock that a test moves, with what was sent. */
function reporting(isWatched = false) {
  let now = 0;
  let due: { readonly at: number; readonly work: () => void }[] = [];
  const sent: TailBatch[] = [];
  const answers: (boolean | Error | Promise<boolean>)[] = [];
  const watched = { isWatched };
  const made = vi.fn(frame);
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
    due = due.filter(({ at }) => at > now);
    for (const { work } of ripe) work();
    await turn();
  };
  const sources = () => sent.map(({ frames }) => frames.map(({ source }) => source).join());
  return { report, sent, answers, watched, made, add, pass, sources };
}

it('frames are reported at once, and then four times a second at most', async () => {
  const { report, add, pass, sources } = reporting();
  report.watch();
  add(0, 2);
  await pass(0);
  expect(sources()).toEqual(['s0,s1']);
  add(2);
  await pass(249);
  add(3);
  expect(sources()).toHaveLength(1);
  await pass(1);
  expect(sources()).toEqual(['s0,s1', 's2,s3']);
  await pass(10_000);
  expect(sources()).toHaveLength(2);
});

it('two hundred frames are reported a call at most; the rest is counted, and not made', async () => {
  const { report, add, pass, sent, made } = reporting();
  report.watch();
  add(0, 1_000);
  await pass(0);
  expect(sent).toMatchObject([{ dropped: 800, account: 'default' }]);
  expect([sent[0]?.frames.length, made.mock.calls.length]).toEqual([200, 200]);
  add(1_000);
  await pass(250);
  expect(sent[1]).toMatchObject({ dropped: 0, frames: [{ source: 's1000' }] });
});

it('a call waits for the one before it, so that frames arrive in order', async () => {
  const { report, add, pass, sources, answers } = reporting();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  answers.push(promise);
  report.watch();
  add(0);
  await pass(0);
  add(1);
  await pass(5_000);
  expect(sources()).toEqual(['s0']);
  resolve(true);
  await pass(0);
  await pass(0);
  expect(sources()).toEqual(['s0', 's1']);
});

it('reports end when nobody looks any more, and begin again when somebody does', async () => {
  // It was watched before it was out of memory.
  const { report, add, pass, sent, answers, watched, made } = reporting(true);
  answers.push(false);
  add(0);
  await pass(0);
  expect([sent.length, watched.isWatched]).toEqual([1, false]);
  add(1);
  await pass(1_000);
  // Not even a frame is made.
  expect([sent.length, made.mock.calls.length]).toEqual([1, 1]);
  report.watch();
  add(2);
  await pass(1_000);
  expect([watched.isWatched, sent[1]?.frames]).toEqual([true, [frame(2)]]);
});

it('reports do not end for somebody who began to look while the answer was on its way', async () => {
  const { report, add, pass, sent, answers, watched } = reporting(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  answers.push(promise);
  add(0);
  await pass(0);
  report.watch();
  resolve(false);
  await pass(1_000);
  add(1);
  await pass(1_000);
  expect([watched.isWatched, sent[1]?.frames]).toEqual([true, [frame(1)]]);
});

it('what could not be reported is counted, and tried again after five seconds', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { report, add, pass, sent, answers } = reporting();
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
