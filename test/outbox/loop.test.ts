import type { Pause } from '../../src/outbox/state/meta.ts';
import { expect } from 'vitest';
import { NO_CALL } from '../../src/gateway/client.ts';
import type { DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { Bench } from './bench.ts';
import { it } from './it.ts';
import { allRows, ANSWERS, draft, empty, HOUR, MINUTE, rowOf, SECOND, START, to } from './support.ts';

const toMany = (count: number): readonly DraftMessage[] =>
  to(...Array.from({ length: count }, (_, index) => `4915${index}`));

const statesOf = (sql: SqlStorage): readonly string[] => allRows(sql).map(({ state }) => state);

const attemptsOf = (sql: SqlStorage, seq: number) => parseAttempts(rowOf(sql, seq).attempts);

const PAUSE: Pause = { at: START, by: 'token', code: 'paused' };

it('six calls are under way at most, one a receiver; the next goes when one is answered', async ({ rig }) => {
  rig.policy = { ...rig.policy, timeoutMs: 7_000 };
  await rig.accept(...to('a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'));
  expect(rig.open[0]?.timeoutMs).toBe(7_000);
  expect(rig.calling).toEqual([1, 3, 4, 5, 6, 7]);
  await rig.answer(4, 'sent');
  expect(rig.calling).toEqual([1, 3, 5, 6, 7, 8]);
  await rig.answer(1, 'sent');
  expect(rig.calling).toEqual([3, 5, 6, 7, 8, 2]);
});

it('no call under way holds up a retry that is due', async ({ storage }) => {
  const rig = new Bench(storage, { retryMs: [1_000, 1_000] });
  await rig.accept(...to('a', 'b'));
  await rig.answer(1, 'unreachable');
  await rig.pass(500);
  await rig.answer(2, 'unreachable');
  await rig.accept(...to('c', 'c', 'd'));
  await rig.pass(500);
  // Message 1 is on its way again, message 4 is due and waits for 3.
  expect(rig.calling).toEqual([3, 5, 1]);
  await rig.pass(500);
  expect(rig.calling).toEqual([3, 5, 1, 2]);
});

it('no timer is left that would keep the object awake', async ({ rig }) => {
  await rig.accept(draft({ phone: 'a', delayMs: 12 * HOUR }), draft({ phone: 'b' }));
  for (let more = 0; more < 5; more += 1) await rig.accept(draft({ phone: 'b', delayMs: HOUR }));
  expect(rig.timers).toBe(1);
  await rig.answer(2, 'sent');
  expect([rig.loop.running, rig.timers]).toEqual([false, 0]);
});

it('an answer to a message that is not kept leaves none of the gateway’s words once it is sent', async ({
  rig,
  sql,
}) => {
  const answer = { ...ANSWERS.server_error, params: { status: '500', words: 'cannot send: hello' } };
  await rig.accept(draft({ forget: true }));
  await rig.call(1).answer({ ...answer, response: 'cannot send: hello' });
  expect(rowOf(sql, 1).reason).toContain('cannot send');
  expect(attemptsOf(sql, 1)).toMatchObject([{ code: 'server-error', params: { status: '500' } }]);
  await rig.passToNextRun();
  await rig.answer(1, 'sent');
  expect(JSON.stringify(rowOf(sql, 1))).not.toContain('hello');
});

it('an answer is recorded with all that is known of the call', async ({ rig, sql }) => {
  await rig.accept(draft());
  await rig.pass(1_200);
  await rig.call(1).answer({ ...ANSWERS.server_error, duration_ms: 1_200, response: 'oh no' });
  const call = { n: 1, at: START, duration_ms: 1_200, outcome: 'server_error', http_status: 500 };
  expect(attemptsOf(sql, 1)).toEqual([{ ...call, response: 'oh no', code: 'server-error' }]);
  expect(rig.recorded).toMatchObject([
    {
      before: { pause: null, circuit: { failures: 0, probeAt: null } },
      row: { seq: 1, state: 'queued' },
      attempt: call,
      decision: { state: 'retrying' },
    },
  ]);
  await rig.passToNextRun();
  const secondAt = rig.now;
  await rig.answer(1, 'sent');
  const [, second] = attemptsOf(sql, 1);
  expect(second).toMatchObject({ n: 2, at: secondAt, outcome: 'sent' });
  expect(second).not.toHaveProperty('detail');
  const sent = { state: 'sent', sent_at: secondAt, next_at: null, reason: null, tries: 2 };
  expect(rowOf(sql, 1)).toMatchObject(sent);
});

it('a call that throws ends the run, and its message goes on as uncertain', async ({ rig, sql }) => {
  await rig.accept(...to('a', 'b'));
  await rig.call(1).fail(new Error('a bug'));
  expect(rig.thrown).toMatchObject({ cause: { message: 'a bug' } });
  expect(rig.loop.running).toBe(false);
  await rig.answer(2, 'sent');
  await rig.passToNextRun();
  expect(statesOf(sql)).toEqual(['retrying', 'sent']);
});

it('a call is not recorded twice when the fault came after the record', async ({ rig, sql }) => {
  rig.recorded.push = () => {
    throw new Error('a bug');
  };
  await rig.accept(draft());
  await rig.answer(1, 'sent');
  await rig.passToNextRun();
  expect([attemptsOf(sql, 1).length, rowOf(sql, 1).state]).toEqual([1, 'sent']);
});

it('a fault of looking what may go ends the run, and no commit', async ({ rig }) => {
  await rig.accept(...to('a'));
  let isBroken = true;
  Object.defineProperty(rig, 'blockedReason', {
    get: () => {
      if (isBroken) throw new Error('a bug');
      return null;
    },
  });
  expect(await rig.accept(...to('b'))).toEqual([2]);
  expect(rig.thrown).toMatchObject({ message: 'a bug' });
  isBroken = false;
  expect(await rig.accept(...to('c'))).toEqual([3]);
  await rig.wake();
  expect(rig.calling).toEqual([1, 2, 3]);
});

it('an interrupted call is uncertain, tried again once, and opens no circuit', async ({ storage, sql }) => {
  const rig = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE } });
  await rig.accept(...to('a', 'b'));
  await rig.answer(2, 'sent');
  await rig.pass(3_000);
  rig.restart();
  expect([rig.claims.flight.has(1), rig.nextRun]).toEqual([true, rig.now]);
  // Also while the account is paused.
  rig.meta.pause = PAUSE;
  await rig.wake();
  expect(rig.claims.flight.has(1)).toBe(false);
  expect(rowOf(sql, 1)).toMatchObject({ state: 'retrying', next_at: rig.now + 5 * SECOND, tries: 1 });
  const interrupted = { outcome: 'uncertain', code: 'interrupted' };
  expect(attemptsOf(sql, 1)).toEqual([{ n: 1, at: START, duration_ms: 0, ...interrupted }]);
  expect(attemptsOf(sql, 2)).toHaveLength(1);
  expect(rig.meta.circuit).toEqual({ failures: 0, probeAt: null });
  rig.restart();
  await rig.wake();
  expect(rowOf(sql, 1).tries).toBe(1);
});

it('refused credentials pause the account; the message is queued and first', async ({ rig, sql }) => {
  await rig.accept(...to('a', 'a', 'b'));
  await rig.answer(1, 'unauthorized');
  expect(rig.meta.pause).toEqual({ at: START, by: 'gateway', code: 'unauthorized' });
  expect(rowOf(sql, 1)).toMatchObject({ state: 'queued', tries: 0 });
  expect(attemptsOf(sql, 1)).toHaveLength(1);
  // A person's reason stays when calls under way are refused, too.
  rig.meta.pause = PAUSE;
  await rig.answer(3, 'unauthorized');
  expect(rig.meta.pause.by).toBe('token');
  rig.meta.pause = null;
  await rig.wake();
  expect(rig.calling).toEqual([1, 3]);
});

it('a forbidden message goes behind the others; the third time it is dead', async ({ storage, sql }) => {
  const rig = new Bench(storage, { retryMs: [SECOND] });
  await rig.accept(...to('a', 'a', 'a', 'a'));
  await rig.answer(1, 'forbidden');
  for (const seq of [2, 3]) {
    await rig.pass(2 * SECOND);
    expect(rig.calling).toEqual([seq]);
    await rig.answer(seq, 'sent');
  }
  await rig.answer(4, 'sent');
  for (const attempts of [1, 2]) {
    await rig.passToNextRun();
    expect(rowOf(sql, 1)).toMatchObject({ state: 'retrying', tries: 0 });
    expect(attemptsOf(sql, 1)).toHaveLength(attempts);
    if (rig.open.length === 0) await rig.pass(SECOND);
    await rig.answer(1, 'forbidden');
  }
  expect(rowOf(sql, 1)).toMatchObject({ state: 'dead', tries: 0 });
  expect(rig.meta.pause).toBeNull();
});

/** Messages whose texts differ. */
const different = (...phones: readonly string[]) =>
  phones.map((phone) => draft({ phone, params: { message: phone } }));

it('two different forbidden messages, and then a third, pause the account if none is sent meanwhile', async ({
  rig,
  sql,
}) => {
  await rig.accept(...different('a'));
  await rig.answer(1, 'forbidden');
  rig.restart();
  await rig.accept(...different('b'));
  await rig.answer(2, 'forbidden');
  await rig.accept(...different('c', 'd'));
  expect(rig.meta.pause).toBeNull();
  await rig.answer(3, 'forbidden');
  expect(rig.meta.pause).toMatchObject({ by: 'gateway', code: 'account-forbidden' });
  expect(rowOf(sql, 3)).toMatchObject({ state: 'retrying', tries: 0 });
  expect(rig.calling).toEqual([4]);
});

it('the same forbidden message, or another one after a success, pauses nothing', async ({ storage, sql }) => {
  const rig = new Bench(storage, { retryMs: [SECOND] });
  await rig.accept(...to('a'));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await rig.answer(1, 'forbidden');
    await rig.passToNextRun();
  }
  await rig.accept(...to('b', 'c'));
  await rig.answer(2, 'sent');
  await rig.answer(3, 'forbidden');
  expect([rig.meta.pause, rowOf(sql, 1).state]).toEqual([null, 'retrying']);
});

/** Sends what may be sent, one after the other, and says in which order. */
async function order(rig: Bench, turns: number): Promise<readonly number[]> {
  const seqs: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const [call] = rig.open;
    if (call !== undefined) {
      seqs.push(call.seq);
      await rig.answer(call.seq, 'sent');
    }
    await rig.passToNextRun();
  }
  return seqs;
}

const rate = { perMinute: 60, burst: 1 };

it('one source’s flood does not put back another’s message, also after a restart', async ({ storage }) => {
  for (const restarts of [false, true]) {
    empty(storage.sql);
    const rig = new Bench(storage, { rate });
    rig.meta.pause = PAUSE;
    await rig.acceptFrom('form', ...toMany(300));
    await rig.acceptFrom('stripe', ...to('owner', 'other'));
    rig.meta.pause = null;
    if (restarts) rig.restart();
    await rig.wake();
    expect((await order(rig, 6)).slice(0, 5)).toEqual([1, 301, 2, 302, 3]);
  }
});

it('when a cap of one is raised, all goes on at once, in order', async ({ storage }) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 1 } });
  await rig.accept(...to('a', 'a', 'a'));
  await rig.answer(1, 'sent');
  expect(rig.calling).toEqual([]);
  rig.policy = { ...rig.policy, perRecipient: { perHour: 3 } };
  expect(rig.nextRun).toBe(START);
  await rig.accept(...to('a'));
  expect(await order(rig, 2)).toEqual([2, 3]);
});

it('a run ends before it has no calls left; the next goes on at once', async ({ storage, sql }) => {
  const rig = new Bench(storage, {}, 40);
  await rig.accept(...toMany(100));
  const runs: number[] = [];
  for (let before = 0; before < 100; before = rig.made.length) {
    await rig.answerAll();
    expect(rig.loop.running).toBe(false);
    runs.push(rig.made.length - before);
    expect(rig.nextRun).toBe(rig.made.length === 100 ? null : rig.now);
    await rig.pass(0);
  }
  expect(Math.max(...runs)).toBeLessThanOrEqual(40);
  expect(new Set(statesOf(sql))).toEqual(new Set(['sent']));
});

it('a call that the platform refuses is no attempt, and goes with the next run', async ({ storage, sql }) => {
  const rig = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE } });
  await rig.accept(...to('a', 'b', 'a'));
  await rig.call(1).answer(NO_CALL);
  expect(rowOf(sql, 1)).toMatchObject({ state: 'queued', attempts: '[]', tries: 0, next_at: null });
  expect([rig.meta.circuit.probeAt, rig.calling]).toEqual([null, [2]]);
  await rig.answer(2, 'sent');
  expect(rig.loop.running).toBe(false);
  rig.restart();
  expect(rig.nextRun).toBe(rig.now);
  await rig.pass(0);
  expect(rig.calling).toEqual([1]);
  await rig.answer(1, 'sent');
  expect(rig.calling).toEqual([3]);
  expect(rig.recorded.map(({ attempt }) => attempt.outcome)).toEqual(['sent', 'sent']);
});

it('a gap is slept by alarm, or waited for where an alarm would cost more', async ({ storage }) => {
  const rig = new Bench(storage, { rate: { perMinute: 30, burst: 1 } });
  rig.random = 0;
  await rig.accept(...to('a', 'b', 'c'));
  await rig.answer(1, 'sent');
  expect([rig.loop.running, rig.nextRun]).toEqual([false, START + 2 * SECOND]);
  rig.restart();
  expect(rig.nextRun).toBe(START + 2 * SECOND);
  rig.policy = { ...rig.policy, rate: { perMinute: 600, burst: 1 } };
  await rig.pass(2 * SECOND);
  await rig.answer(2, 'sent');
  expect([rig.loop.running, rig.calling]).toEqual([true, []]);
  await rig.pass(100);
  expect(rig.calling).toEqual([3]);
  await rig.answer(3, 'sent');
  expect(rig.loop.running).toBe(false);
  // So is one before a probe.
  rig.policy = { ...rig.policy, rate: null, retryMs: [50], circuit: { failures: 1, probeMs: 200 } };
  await rig.accept(...to('d'));
  await rig.answer(4, 'server_error');
  expect(rig.calling).toEqual([]);
  await rig.pass(200);
  expect(rig.calling).toEqual([4]);
});

it('the circuit opens after failures, and probes until one is answered', async ({ storage }) => {
  const rig = new Bench(storage, { circuit: { failures: 2, probeMs: MINUTE } });
  await rig.accept(...to('a', 'b'));
  await rig.answer(1, 'unreachable');
  await rig.answer(2, 'unreachable');
  rig.restart();
  await rig.accept(...to('c', 'd', 'e'));
  await rig.pass(30 * SECOND);
  expect([rig.calling, rig.nextRun]).toEqual([[], START + MINUTE]);
  for (const answer of [ANSWERS.unreachable, ANSWERS.sent]) {
    await rig.passToNextRun();
    expect(rig.open).toHaveLength(1);
    await rig.open[0]?.answer(answer);
  }
  expect(rig.open.length).toBeGreaterThan(1);
  expect(rig.meta.circuit.probeAt).toBeNull();
});

it('a run ends after ten minutes, since an alarm must not run for ever', async ({ rig }) => {
  await rig.accept(...to('a', 'a'));
  rig.now += 10 * MINUTE;
  await rig.answer(1, 'sent');
  expect([rig.loop.running, rig.calling]).toEqual([false, []]);
  expect(rig.nextRun).toBeLessThanOrEqual(rig.now);
  await rig.passToNextRun();
  expect(rig.calling).toEqual([2]);
});

it('the run of an alarm ends some seconds after something else is due, which only the next alarm sees', async ({
  storage,
}) => {
  const rig = new Bench(storage, { rate: { perMinute: 120, burst: 1 } });
  const { alarm } = rig.parts;
  await rig.accept(...to(...Array.from({ length: 200 }, (_, n) => `4915${n}`)));
  await rig.answerAll();
  alarm.begin();
  rig.start();
  alarm.set(START + 20 * SECOND);
  while (rig.loop.running && rig.now < START + 5 * MINUTE) {
    await rig.pass(100);
    await rig.answerAll();
  }
  expect(rig.now - START).toBeGreaterThan(20 * SECOND);
  expect(rig.now - START).toBeLessThan(30 * SECOND);
});
