import { expect } from 'vitest';
import { type Wait } from '../../../src/outbox/send/timing.ts';
import { Bench } from '../bench.ts';
import { it } from '../it.ts';
import {
  allRows,
  ANSWERS,
  countRows,
  draft,
  HOUR,
  MINUTE,
  rowOf,
  SECOND,
  START,
  to,
  UNPACED,
} from '../support.ts';

const BLOCKED = { code: 'login-missing', params: { names: 'GATEWAY_API_KEY' } } as const;
const BY_ADA = { code: 'paused', params: { by: 'ada' } } as const;
const PAUSE = { at: START, by: 'ada', ...BY_ADA };

it('no run is needed during a pause, and one in a minute while the account is blocked', async ({ rig }) => {
  rig.blockedReason = BLOCKED;
  await rig.accept(draft());
  expect([rig.nextRun, rig.timing.capacity(UNPACED, START).urgent]).toEqual([START + MINUTE, 0]);
  rig.meta.pause = PAUSE;
  expect([rig.nextRun, rig.called]).toEqual([null, []]);
  rig.meta.pause = rig.blockedReason = null;
  await rig.wake();
  expect(rig.calling).toEqual([1]);
});

const waitOf = (rig: Bench, sql: SqlStorage, seq: number): Wait =>
  rig.timing.waitOf(rowOf(sql, seq), rig.policy, rig.now);

it('a message waits for a pause or a login, then its delay, then its turn', async ({ rig, sql }) => {
  rig.blockedReason = BLOCKED;
  await rig.accept(draft(), draft(), draft({ delayMs: MINUTE }));
  expect(waitOf(rig, sql, 3)).toEqual({ for: 'login', ...BLOCKED });
  rig.meta.pause = PAUSE;
  expect(waitOf(rig, sql, 3)).toEqual({ for: 'pause', ...BY_ADA });
  rig.meta.pause = rig.blockedReason = null;
  await rig.wake();
  expect(waitOf(rig, sql, 2)).toEqual({ for: 'turn' });
  expect(waitOf(rig, sql, 3)).toEqual({ for: 'delay', until: START + MINUTE });
});

it('a message waits for the account’s pace', async ({ storage, sql }) => {
  const rig = new Bench(storage, { rate: { perMinute: 6, burst: 1 } });
  await rig.accept(...to('a', 'b'));
  const until = rig.claims.pace.nextSendAt(rig.policy, 'signed', START);
  expect(waitOf(rig, sql, 2)).toEqual({ for: 'pace', until });
});

it('a message waits for its receiver’s cap by its place in the line', async ({ storage, sql }) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 2 } });
  await rig.accept(...to(...Array.from({ length: 7 }, () => 'a'), 'b'));
  await rig.answer(1, 'sent');
  rig.now += MINUTE;
  await rig.answer(2, 'sent');
  const until = [3, 4, 5, 6, 7].map((seq) => waitOf(rig, sql, seq).until);
  expect(until).toEqual([1, 1, 2, 2, 3].map((hours) => START + hours * HOUR));
  expect(waitOf(rig, sql, 3)).toMatchObject({ for: 'receiver', per_hour: 2 });
});

it('a message waits for its next attempt, of fewer when the gateway refuses', async ({ storage, sql }) => {
  const rig = new Bench(storage, { retryMs: [MINUTE, HOUR, HOUR, HOUR] });
  await rig.accept(...to('a', 'b'));
  await rig.answer(1, 'server_error');
  await rig.answer(2, 'refused');
  const wait = { for: 'retry', until: START + MINUTE, attempt: 2 };
  expect([1, 2].map((seq) => waitOf(rig, sql, seq))).toEqual([
    { ...wait, of: 5 },
    { ...wait, of: 3 },
  ]);
});

it('a message waits for the circuit, and says the last failure', async ({ storage, sql }) => {
  const rig = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE }, retryMs: [SECOND] });
  await rig.accept(...to('a'));
  await rig.answer(1, 'server_error');
  await rig.accept(...to('b'));
  const { code } = ANSWERS.server_error;
  expect(waitOf(rig, sql, 2)).toEqual({ for: 'circuit', until: START + MINUTE, code });
  expect(waitOf(rig, sql, 1)).toMatchObject({ for: 'circuit', attempt: 2, of: 2 });
  await rig.pass(MINUTE);
  const waiting = [1, 2].find((seq) => !rig.claims.flight.has(seq)) ?? 0;
  expect(waitOf(rig, sql, waiting)).toMatchObject({ for: 'circuit', code });
  expect(waitOf(rig, sql, waiting)).not.toHaveProperty('until');
});

it('what messages wait for is found without a row', async ({ storage, sql }) => {
  const rig = new Bench(storage, { rate: { perMinute: 6, burst: 1 }, perRecipient: { perHour: 1 } });
  await rig.accept(...to(...Array.from({ length: 50 }, () => 'a')));
  const rows = allRows(sql);
  const counted = countRows(sql);
  for (const row of rows) rig.timing.waitOf(row, rig.policy, rig.now);
  expect([counted.read(), counted.written()]).toEqual([0, 0]);
});
