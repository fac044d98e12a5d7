import type { Pause } from '../../../src/outbox/state/meta.ts';
import { expect } from 'vitest';
import { iso } from '../../../src/lib/time.ts';
import type { AccountPolicy } from '../../../src/config/compiled/config.ts';
import { MAX_COUNTED, outboxGauges, outboxStatus } from '../../../src/outbox/read/status.ts';
import type { OutboxStatus } from '../../../src/answers/api-status.ts';
import { Bench } from '../bench.ts';
import { quietStatus } from './quiet-status.ts';
import { it } from '../it.ts';
import { addMany, draft, HOUR, MINUTE, SECOND, START, TAG, to, UNPACED } from '../support.ts';

const statusOf = (sql: SqlStorage, rig: Bench, policy: AccountPolicy = rig.policy): OutboxStatus =>
  outboxStatus(
    { sql, tag: TAG, account: 'sales', claims: rig.claims },
    {
      meta: rig.meta,
      level: { bytes: 1_000, maxBytes: 9_000, state: 'ok' },
      incidents: { open: 1, waiting: 2 },
      escapes: { state: { failures: 0 } },
      canary: { status: () => ({}) },
    },
    policy,
    rig.now,
  );

const gaugesOf = (sql: SqlStorage, { claims, meta, now }: Bench) =>
  outboxGauges({ sql, tag: TAG, account: 'default', claims, meta, now });

const PAUSE: Pause = { at: START, by: 'gateway', code: 'unauthorized', params: { status: '401' } };

it('a status says which of its counts were cut off', ({ storage, sql }) => {
  const many = MAX_COUNTED + 10;
  for (const [state, shown] of [
    ['queued', { queued: many, inexact: ['queued'] }],
    ['retrying', { retrying: MAX_COUNTED, inexact: ['queued', 'retrying'] }],
    ['uncertain', { uncertain: MAX_COUNTED, inexact: ['queued', 'uncertain'] }],
    ['dead', { dead: MAX_COUNTED, inexact: ['queued', 'dead'] }],
    ['sent', { queued: many, inexact: ['queued'] }],
  ] as const) {
    sql.exec('DELETE FROM messages');
    addMany(sql, many, { state, next_at: state === 'retrying' ? START + HOUR : null });
    const rig = new Bench(storage);
    rig.meta.pause = PAUSE;
    expect(statusOf(sql, rig)).toMatchObject(shown);
  }
});

it('what was sent is not taken for waiting once it was looked at', async ({ storage, sql }) => {
  addMany(sql, 20_000, { state: 'sent' });
  sql.exec("UPDATE messages SET state = 'queued', phone = '4915112345601' WHERE seq IN (1, 2)");
  const rig = new Bench(storage, { perRecipient: { perHour: 1 } });
  // The first goes out, and the second waits for its receiver while all the others are looked at.
  for (let turn = 0; turn < 10; turn += 1) await rig.wake();
  const { queued, sending } = statusOf(sql, rig);
  expect(queued + sending).toBeLessThan(10);
});

it('a new account shows nothing but its pace, and what its incidents count', ({ rig, sql }) => {
  rig.policy = { ...rig.policy, rate: { perMinute: 30, burst: 5 } };
  const rate = { per_minute: 30, burst: 5 };
  expect(statusOf(sql, rig)).toEqual(quietStatus({ account: 'sales', waiting: 2, open_incidents: 1, rate }));
  expect(gaugesOf(sql, rig)).toMatchObject({
    oldestMs: { queued: 0, retrying: 0 },
    paused: false,
    circuitOpen: false,
  });
});

it('each message counts once by what it waits for, also while it is sent', async ({ rig, sql }) => {
  rig.policy = { ...rig.policy, retryMs: [0, HOUR] };
  await rig.accept(
    ...to('a', 'b', 'a', 'd', 'e', 'f'),
    draft({ phone: 'c', delayMs: HOUR }),
    draft({ phone: 'g', onUncertain: 'hold' }),
  );
  await rig.answer(4, 'unreachable');
  await rig.wake();
  expect(statusOf(sql, rig)).toMatchObject({ sending: 6, queued: 2, retrying: 0 });
  await rig.answer(4, 'busy');
  await rig.answer(5, 'rejected');
  await rig.answer(6, 'sent');
  await rig.answer(8, 'uncertain');
  const counts = { sending: 2, queued: 2, retrying: 1, uncertain: 1, dead: 1 };
  expect(statusOf(sql, rig)).toMatchObject(counts);
  expect(gaugesOf(sql, rig).queue).toEqual(counts);
  rig.restart();
  expect(statusOf(sql, rig)).toMatchObject(counts);
});

it('the oldest message waits since it was accepted or is due', async ({ storage, sql }) => {
  const rig = new Bench(storage, { retryMs: [HOUR] });
  await rig.accept(draft({ phone: 'a' }), draft({ phone: 'b', delayMs: MINUTE }));
  await rig.answer(1, 'busy');
  rig.meta.pause = PAUSE;
  await rig.pass(MINUTE - SECOND);
  expect(gaugesOf(sql, rig).oldestMs).toEqual({ queued: 0, retrying: MINUTE - SECOND });
  await rig.pass(2 * SECOND);
  // Its moment was a second ago, not a minute.
  expect(gaugesOf(sql, rig).oldestMs.queued).toBe(SECOND);
  await rig.accept(draft());
  await rig.pass(MINUTE);
  expect(gaugesOf(sql, rig).oldestMs.queued).toBe(MINUTE + SECOND);
});

it('a status says why an account is paused, and when an open circuit is probed', ({ rig, sql }) => {
  rig.meta.circuit = { failures: 1, probeAt: null, last: { at: START, code: 'interrupted' } };
  const detail = 'the relay stopped before the answer arrived';
  const last_error = { at: iso(START), code: 'interrupted', detail };
  expect(statusOf(sql, rig).circuit).toEqual({ state: 'closed', failures: 1, last_error });
  rig.meta.circuit = { failures: 5, probeAt: START };
  rig.meta.pause = PAUSE;
  const { paused, circuit } = statusOf(sql, rig);
  const reason = 'the gateway answered 401: it rejects the credentials';
  expect(paused).toMatchObject({ since: iso(START), by: 'gateway', code: 'unauthorized', reason });
  expect(circuit).toEqual({ state: 'open', failures: 5, probe_at: iso(START) });
  expect(gaugesOf(sql, rig)).toMatchObject({ paused: true, circuitOpen: true });
});

it('a status says what holds up messages: a pause, the gateway, receivers', async ({ storage, sql }) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 1 } });
  const waitsFor = () => statusOf(sql, rig).waits_for;
  expect(waitsFor()).toBeUndefined();
  await rig.accept(draft(), draft());
  await rig.answer(1, 'sent');
  const receiver = { for: 'receiver', until: iso(START + HOUR) };
  expect(waitsFor()).toEqual(receiver);
  // There is nothing to try an open circuit with before then.
  rig.meta.circuit = { failures: 5, probeAt: START - 1_500_000 };
  expect(waitsFor()).toEqual(receiver);
  rig.meta.circuit = { failures: 5, probeAt: START + 2 * HOUR };
  expect(waitsFor()).toEqual({ for: 'circuit', until: iso(START + 2 * HOUR) });
  rig.meta.pause = PAUSE;
  expect(waitsFor()).toEqual({ for: 'pause' });
});

it('a status counts the caps of receivers, and says who is at theirs', async ({ storage, sql }) => {
  const rig = new Bench(storage, { perRecipient: { perHour: 2 } });
  await rig.accept(...to('a', 'a', 'a', 'a'));
  expect(statusOf(sql, rig)).toMatchObject({ queued: 3, drain_seconds: 3_600 });
  for (const seq of [1, 2]) await rig.answer(seq, 'sent');
  const at = iso(START + HOUR);
  const receivers_at_cap = { receivers: 1, messages: 2, per_hour: 2, next_at: at, last_at: at };
  expect(statusOf(sql, rig)).toMatchObject({ receivers_at_cap, drain_seconds: 3_600 });
  expect(statusOf(sql, rig)).not.toHaveProperty('drain_at_least');
  rig.restart();
  expect(statusOf(sql, rig)).toMatchObject({ queued: 2, drain_seconds: 0, drain_at_least: true });
});

it('a status says how long the queue takes at the account’s pace', async ({ rig, sql }) => {
  rig.meta.pause = PAUSE;
  await rig.accept(...Array.from({ length: 31 }, () => draft()));
  const paced = { ...UNPACED, rate: { perMinute: 30, burst: 5 } };
  expect(statusOf(sql, rig, paced).drain_seconds).toBeNull();
  rig.meta.pause = null;
  expect(statusOf(sql, rig, paced).drain_seconds).toBe(60);
  expect(statusOf(sql, rig, UNPACED)).toMatchObject({ rate: null, drain_seconds: 0 });
});
