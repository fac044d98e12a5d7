import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/gateway/outcome.ts';
import type { DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { Checkpoint } from '../../src/outbox/send/checkpoint.ts';
import { Flight } from '../../src/outbox/send/flight.ts';
import { MAX_IN_FLIGHT } from '../../src/outbox/send/timing.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { NO_CALL } from '../../src/gateway/client.ts';
import { ACCOUNT_FORBIDDEN } from '../../src/outbox/state/forbidden.ts';
import { Bench } from './bench.ts';
import { diskOf, isRecord, type Disk } from './full-disk.ts';
import { allRows, ANSWERS, draft, empty, HOUR, MINUTE, rowOf, SECOND, START } from './support.ts';
import { inStorage } from './in-storage.ts';

const to = (...phones: readonly (string | null)[]): readonly DraftMessage[] =>
  phones.map((phone) => draft({ phone }));

const seqsOf = (calls: readonly { seq: number }[]): readonly number[] => calls.map(({ seq }) => seq);

describe('calls under way', () => {
  it('are six at most; the seventh message goes when one is answered', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
      expect(seqsOf(bench.open)).toEqual([1, 2, 3, 4, 5, 6]);
      await bench.answer(3, 'sent');
      expect(seqsOf(bench.open)).toEqual([1, 2, 4, 5, 6, 7]);
    }));

  it('are one a receiver', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'a', 'b'));
      expect(seqsOf(bench.open)).toEqual([1, 3]);
      await bench.answer(1, 'sent');
      expect(seqsOf(bench.open)).toEqual([3, 2]);
    }));

  it('are in the checkpoint before they are made, so that a crash cannot hide them', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'b'));
      expect(new Checkpoint(storage).last?.flight).toEqual([
        { seq: 1, n: 1, at: START, phone: 'a' },
        { seq: 2, n: 1, at: START, phone: 'b' },
      ]);
    }));

  it('get the account’s time-out', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { timeoutMs: 7_000 });
      await bench.accept(draft());
      expect(bench.open[0]?.timeoutMs).toBe(7_000);
    }));

  it('are joined by a message that is accepted meanwhile, without waiting for one to end', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a'));
      await bench.accept(...to('b'));
      expect(seqsOf(bench.open)).toEqual([1, 2]);
    }));

  it('do not hold up a retry whose moment comes', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { retryMs: [2_000] });
      await bench.accept(...to('a', 'b'));
      await bench.answer(2, 'unreachable');
      await bench.pass(2_000);
      expect(seqsOf(bench.open)).toEqual([1, 2]);
    }));

  it('do not hold up a retry even when one of them was a retry itself, or another waits for its receiver', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { retryMs: [1_000, 1_000] });
      await bench.accept(...to('a', 'b'));
      await bench.answer(1, 'unreachable');
      await bench.pass(500);
      await bench.answer(2, 'unreachable');
      await bench.accept(...to('c', 'c', 'd'));
      await bench.pass(500);
      // Message 1 is on its way again, message 4 is due and waits for 3.
      expect(seqsOf(bench.open)).toEqual([3, 5, 1]);
      await bench.pass(500);
      expect(seqsOf(bench.open)).toEqual([3, 5, 1, 2]);
    }));

  it('leave no timer behind that would keep the object awake', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(draft({ phone: 'a', delayMs: 12 * HOUR }), draft({ phone: 'b' }));
      expect(bench.timers).toBe(1);
      for (let more = 0; more < 5; more += 1) await bench.accept(draft({ phone: 'b', delayMs: HOUR }));
      expect(bench.timers).toBe(1);
      await bench.answer(2, 'sent');
      expect(bench.loop.running).toBe(false);
      expect(bench.timers).toBe(0);
    }));
});

describe('an answered call', () => {
  it('is recorded with its number, time, duration, outcome, status and answer', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      await bench.pass(1_200);
      await bench.call(1).answer({ ...ANSWERS.server_error, duration_ms: 1_200, response: 'oh no' });
      expect(parseAttempts(rowOf(sql, 1).attempts)).toEqual([
        {
          n: 1,
          at: START,
          duration_ms: 1_200,
          outcome: 'server_error',
          http_status: 500,
          response: 'oh no',
          detail: 'it failed',
        },
      ]);
      await bench.passToNextRun();
      const secondAt = bench.now;
      await bench.answer(1, 'sent');
      const attempts = parseAttempts(rowOf(sql, 1).attempts);
      expect(attempts.map(({ n, at, outcome }) => [n, at, outcome])).toEqual([
        [1, START, 'server_error'],
        [2, secondAt, 'sent'],
      ]);
      expect(attempts[1]).not.toHaveProperty('detail');
      expect(rowOf(sql, 1)).toMatchObject({
        state: 'sent',
        sent_at: secondAt,
        next_at: null,
        reason: null,
        tries: 2,
      });
    }));

  it('that comes late still counts: a retry is not made beside it', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      await bench.pass(10 * MINUTE);
      expect(bench.made).toHaveLength(1);
      await bench.answer(1, 'sent');
      expect(rowOf(sql, 1)).toMatchObject({ state: 'sent', sent_at: START + 10 * MINUTE });
    }));

  it('is reported to the outside with how the account stood before', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { retryMs: [] });
      await bench.accept(draft());
      await bench.answer(1, 'rejected');
      expect(bench.recorded).toMatchObject([
        {
          before: { pause: null, circuit: { failures: 0, probeAt: null } },
          row: { seq: 1, state: 'queued' },
          attempt: { n: 1, at: START, outcome: 'rejected', http_status: 400, duration_ms: 5 },
          decision: { state: 'dead', nextAt: null },
        },
      ]);
    }));
});

describe('a call that throws, which none should', () => {
  it('does not stay in flight: the run says so, and the message goes on as uncertain', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'b'));
      await bench.call(1).fail(new Error('a bug'));
      expect(bench.thrown).toMatchObject({ cause: { message: 'a bug' } });
      expect(bench.loop.running).toBe(false);
      await bench.answer(2, 'sent');
      await bench.passToNextRun();
      expect(rowOf(sql, 1)).toMatchObject({ state: 'retrying', tries: 1 });
      expect(rowOf(sql, 2)).toMatchObject({ state: 'sent' });
    }));

  it('is not recorded twice when the fault came after the record', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.recorded.push = () => {
        throw new Error('a bug');
      };
      await bench.accept(draft());
      await bench.answer(1, 'sent');
      await bench.passToNextRun();
      expect(parseAttempts(rowOf(sql, 1).attempts)).toHaveLength(1);
      expect(rowOf(sql, 1).state).toBe('sent');
    }));
});

describe('a fault while it is looked what may go', () => {
  it('ends the run, and no commit: what comes next is accepted and sent', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a'));
      let isBroken = true;
      Object.defineProperty(bench, 'blockedReason', {
        get: () => {
          if (isBroken) throw new Error('a bug');
          return null;
        },
      });
      await expect(bench.accept(...to('b'))).resolves.toEqual([2]);
      expect(bench.thrown).toMatchObject({ message: 'a bug' });
      isBroken = false;
      await expect(bench.accept(...to('c'))).resolves.toEqual([3]);
      await bench.wake();
      expect(seqsOf(bench.open)).toEqual([1, 2, 3]);
    }));
});

/** A message whose call was under way when the object stopped, and one that was sent. */
const interrupted = async (storage: DurableObjectStorage, onUncertain: 'retry' | 'hold') => {
  const bench = new Bench(storage);
  await bench.accept(draft({ onUncertain }), draft({ phone: 'b' }));
  await bench.answer(2, 'sent');
  await bench.pass(3_000);
  bench.restart();
  return bench;
};

describe('an object that stopped while a call was under way', () => {
  it('says that the message is being sent until it has looked', () =>
    inStorage(async ({ storage }) => {
      const bench = await interrupted(storage, 'retry');
      expect(bench.claims.flight.has(1)).toBe(true);
      expect(bench.claims.flight.seqs()).toEqual([1]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now);
      await bench.wake();
      expect(bench.claims.flight.has(1)).toBe(false);
    }));

  it('records an uncertain attempt at the time of the claim, and tries again by the schedule', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = await interrupted(storage, 'retry');
      await bench.wake();
      expect(rowOf(sql, 1)).toMatchObject({ state: 'retrying', next_at: bench.now + 5 * SECOND, tries: 1 });
      expect(parseAttempts(rowOf(sql, 1).attempts)).toEqual([
        {
          n: 1,
          at: START,
          duration_ms: 0,
          outcome: 'uncertain',
          detail: 'the relay stopped before the answer arrived',
        },
      ]);
      expect(parseAttempts(rowOf(sql, 2).attempts)).toHaveLength(1);
    }));

  it('holds the message for a person when its route says so: it is never sent twice', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = await interrupted(storage, 'hold');
      await bench.wake();
      expect(rowOf(sql, 1)).toMatchObject({ state: 'uncertain', next_at: null });
      await bench.pass(24 * HOUR);
      expect(seqsOf(bench.made)).toEqual([1, 2]);
    }));

  it('does not settle the same call again when it stops once more', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = await interrupted(storage, 'retry');
      await bench.wake();
      bench.restart();
      expect(bench.claims.flight.seqs()).toEqual([]);
      await bench.wake();
      expect(rowOf(sql, 1).tries).toBe(1);
    }));

  it('settles it even while the account is paused', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = await interrupted(storage, 'retry');
      bench.meta.pause = { at: START, by: 'token', reason: 'a holiday' };
      expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now);
      await bench.wake();
      expect(rowOf(sql, 1).state).toBe('retrying');
    }));

  it('does not blame the gateway: a deploy never opens the circuit', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { circuit: { failures: 2, probeMs: MINUTE } });
      await bench.accept(...to('a', 'b', 'c', 'd'));
      bench.restart();
      await bench.wake();
      expect(allRows(sql).map(({ state }) => state)).toEqual([
        'retrying',
        'retrying',
        'retrying',
        'retrying',
      ]);
      expect(bench.meta.circuit).toEqual({ failures: 0, probeAt: null });
    }));

  it('goes on behind the last claim: nothing fresh is forgotten, nothing sent is sent again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
      for (const seq of [1, 2, 3, 4, 5, 6]) await bench.answer(seq, 'sent');
      await bench.answer(7, 'sent');
      bench.restart();
      await bench.wake();
      expect(seqsOf(bench.open)).toEqual([]);
      await bench.pass(5 * SECOND);
      expect(seqsOf(bench.open)).toEqual([8]);
      await bench.answer(8, 'sent');
      expect(allRows(sql).every(({ state }) => state === 'sent')).toBe(true);
      expect(seqsOf(bench.made)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8]);
    }));
});

describe('a paused account', () => {
  it('lets calls under way end, starts none, and goes on when it is resumed', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'a'));
      bench.meta.pause = { at: START, by: 'token', reason: 'a holiday' };
      await bench.answer(1, 'sent');
      expect(rowOf(sql, 1).state).toBe('sent');
      await bench.accept(...to('b'));
      await bench.pass(HOUR);
      expect(bench.open).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBeNull();
      bench.meta.pause = null;
      await bench.wake();
      expect(seqsOf(bench.open)).toEqual([2, 3]);
    }));

  it('is made by refused credentials: the message stays queued, uncounted, and first in line', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'a'));
      await bench.answer(1, 'unauthorized');
      expect(bench.meta.pause).toEqual({ at: START, by: 'gateway', reason: 'not your key' });
      expect(rowOf(sql, 1)).toMatchObject({ state: 'queued', tries: 0 });
      expect(parseAttempts(rowOf(sql, 1).attempts)).toHaveLength(1);
      bench.meta.pause = null;
      await bench.wake();
      expect(seqsOf(bench.open)).toEqual([1]);
    }));

  it('keeps a person’s reason when calls under way are refused, too', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      bench.meta.pause = { at: START, by: 'token', reason: 'a holiday' };
      await bench.answer(1, 'unauthorized');
      expect(bench.meta.pause.by).toBe('token');
    }));
});

describe('a call that the gateway forbids', () => {
  it('puts its message behind the others, which go on; three times, and the message is dead', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [SECOND] });
      await bench.accept(...to('a', 'a', 'a', 'a'));
      await bench.answer(1, 'forbidden');
      expect(bench.meta.pause).toBeNull();
      for (const seq of [2, 3]) {
        await bench.pass(2 * SECOND);
        expect(seqsOf(bench.open)).toEqual([seq]);
        await bench.answer(seq, 'sent');
      }
      await bench.answer(4, 'sent');
      for (const attempt of [2, 3]) {
        await bench.passToNextRun();
        expect(rowOf(sql, 1)).toMatchObject({ state: 'retrying', tries: 0 });
        expect(parseAttempts(rowOf(sql, 1).attempts)).toHaveLength(attempt - 1);
        if (bench.open.length === 0) await bench.pass(SECOND);
        await bench.answer(1, 'forbidden');
      }
      expect(rowOf(sql, 1)).toMatchObject({ state: 'dead', tries: 0 });
      expect(bench.meta.pause).toBeNull();
    }));

  it('pauses the account when a second, different message gets it before any is sent', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a'));
      await bench.answer(1, 'forbidden');
      bench.restart();
      await bench.accept(...to('b', 'c'));
      await bench.answer(2, 'forbidden');
      expect(bench.meta.pause).toMatchObject({ by: 'gateway', reason: ACCOUNT_FORBIDDEN });
      expect(rowOf(sql, 2)).toMatchObject({ state: 'retrying', tries: 0 });
      expect(seqsOf(bench.open)).toEqual([3]);
    }));

  it('of the same message, or of another one after a success, pauses nothing', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: [SECOND] });
      await bench.accept(...to('a'));
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await bench.answer(1, 'forbidden');
        await bench.passToNextRun();
      }
      await bench.accept(...to('b', 'c'));
      await bench.answer(2, 'sent');
      await bench.answer(3, 'forbidden');
      expect(bench.meta.pause).toBeNull();
      expect(rowOf(sql, 1).state).toBe('retrying');
    }));
});

/** Sends what may be sent, one after the other, and says in which order. */
async function order(bench: Bench, turns: number): Promise<readonly number[]> {
  const seqs: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const [call] = bench.open;
    if (call !== undefined) {
      seqs.push(call.seq);
      await bench.answer(call.seq, 'sent');
    }
    await bench.passToNextRun();
  }
  return seqs;
}

describe('senders and receivers that share an account', () => {
  const rate = { perMinute: 60, burst: 1 };
  it('take turns: one source’s flood does not put back another’s message', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { rate });
      await bench.acceptFrom('form', ...to(...Array.from({ length: 300 }, (_, index) => `4915${index}`)));
      await bench.acceptFrom('stripe', ...to('owner', 'other'));
      const sent = await order(bench, 6);
      // The form was alone when it had its second turn.
      expect(sent.slice(0, 5)).toEqual([1, 2, 301, 3, 302]);
    }));

  it('take turns also after a restart', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { rate });
      bench.meta.pause = { at: START, by: 'token', reason: 'a holiday' };
      await bench.acceptFrom('form', ...to(...Array.from({ length: 300 }, (_, index) => `4915${index}`)));
      await bench.acceptFrom('stripe', ...to('owner'));
      bench.meta.pause = null;
      bench.restart();
      await bench.wake();
      expect((await order(bench, 3)).slice(0, 2)).toEqual([1, 301]);
    }));

  it('do not wait for one receiver that many messages are for', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to(...Array.from({ length: 150 }, () => 'a'), 'b', 'c', 'd', 'e', 'f'));
      expect(seqsOf(bench.open)).toEqual([1, 151, 152, 153, 154, 155]);
    }));

  it('share a pace: the second receiver of a source does not wait for all that the first one gets', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { rate });
      await bench.accept(...to(...Array.from({ length: 30 }, () => 'a'), 'b'));
      expect((await order(bench, 4)).slice(0, 3)).toEqual([1, 31, 2]);
    }));

  it('are not held up by a receiver that is full, nor is anything written for it', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 1 } });
      await bench.accept(...to('a', 'a', 'b'));
      await bench.answer(1, 'sent');
      await bench.answer(3, 'sent');
      expect(rowOf(sql, 2).next_at).toBeNull();
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + HOUR);
      expect(bench.claims.queue.turns.opensAt).toBe(START + HOUR);
    }));

  it.each([null, { perHour: 3 }])('go on at once, in order, when the limit becomes %j', (perRecipient) =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 1 } });
      await bench.accept(...to('a', 'a', 'a'));
      await bench.answer(1, 'sent');
      expect(bench.open).toEqual([]);
      bench.policy = { ...bench.policy, perRecipient };
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START);
      await bench.accept(...to('a'));
      expect(await order(bench, 2)).toEqual([2, 3]);
    }),
  );
});

/** Answers each call as it comes until none is open, and says how many were made. */
async function answerAll(bench: Bench): Promise<number> {
  const before = bench.made.length;
  for (let [call] = bench.open; call !== undefined; [call] = bench.open) await bench.answer(call.seq, 'sent');
  return bench.made.length - before;
}

describe('the calls that the platform allows a run', () => {
  it('are kept: a run ends before, and the next one goes on at once', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, {}, 40);
      await bench.accept(...Array.from({ length: 100 }, (_, index) => draft({ phone: `49151${index}` })));
      const runs: number[] = [];
      for (let run = 0; run < 10 && allRows(sql).some(({ state }) => state === 'queued'); run += 1) {
        const before = run === 0 ? 0 : bench.made.length;
        await answerAll(bench);
        expect(bench.loop.running).toBe(false);
        runs.push(bench.made.length - before);
        expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.made.length === 100 ? null : bench.now);
        await bench.pass(0);
      }
      expect(Math.max(...runs)).toBeLessThanOrEqual(40);
      expect(allRows(sql).every(({ state }) => state === 'sent')).toBe(true);
    }));

  it('are over when the platform says so: no attempt, no open circuit, and the message goes with the next run', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE } });
      await bench.accept(...to('a', 'b', 'a'));
      await bench.call(1).answer(NO_CALL);
      expect(rowOf(sql, 1)).toMatchObject({ state: 'queued', attempts: '[]', tries: 0, next_at: null });
      expect(bench.meta.circuit.probeAt).toBeNull();
      expect(seqsOf(bench.open)).toEqual([2]);
      await bench.answer(2, 'sent');
      expect(bench.loop.running).toBe(false);
      bench.restart();
      expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now);
      await bench.pass(0);
      expect(seqsOf(bench.open)).toEqual([1]);
      await bench.answer(1, 'sent');
      expect(seqsOf(bench.open)).toEqual([3]);
      expect(bench.recorded.map(({ attempt }) => attempt.outcome)).toEqual(['sent', 'sent']);
    }));
});

const gapOf = async (storage: DurableObjectStorage, perMinute: number): Promise<Bench> => {
  const bench = new Bench(storage, { rate: { perMinute, burst: 1 } });
  bench.random = 0;
  await bench.accept(...to('a', 'b'));
  await bench.answer(1, 'sent');
  return bench;
};

describe('the gap before the next message', () => {
  it('is slept by alarm where waiting would cost more', () =>
    inStorage(async ({ storage }) => {
      const bench = await gapOf(storage, 30);
      expect(bench.loop.running).toBe(false);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + 2 * SECOND);
    }));

  it('is waited for also before a probe that comes soon, and the probe goes out', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { retryMs: [50], circuit: { failures: 1, probeMs: 200 } });
      await bench.accept(...to('a'));
      await bench.answer(1, 'server_error');
      expect(bench.open).toEqual([]);
      await bench.pass(200);
      expect(seqsOf(bench.open)).toEqual([1]);
    }));

  it('is waited for where an alarm would cost more', () =>
    inStorage(async ({ storage }) => {
      const bench = await gapOf(storage, 600);
      expect(bench.loop.running).toBe(true);
      await bench.pass(100);
      expect(seqsOf(bench.open)).toEqual([2]);
      await bench.answer(2, 'sent');
      expect(bench.loop.running).toBe(false);
    }));
});

describe('an account without credentials', () => {
  it('sends nothing, loses nothing, and looks again in a minute', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      bench.blockedReason = 'the secret GATEWAY_API_KEY is missing';
      await bench.accept(draft());
      expect(bench.made).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now + MINUTE);
      bench.blockedReason = null;
      await bench.passToNextRun();
      expect(seqsOf(bench.open)).toEqual([1]);
    }));
});

describe('the circuit', () => {
  it('opens after failures in a row, then lets one call out a probe until one is answered', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { circuit: { failures: 2, probeMs: MINUTE } });
      await bench.accept(...to('a', 'b'));
      await bench.answer(1, 'unreachable');
      await bench.answer(2, 'unreachable');
      await bench.accept(...to('c', 'd', 'e'));
      await bench.pass(30 * SECOND);
      expect(bench.open).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + MINUTE);

      await bench.pass(30 * SECOND);
      expect(bench.open).toHaveLength(1);
      await bench.open[0]?.answer(ANSWERS.unreachable);
      expect(bench.open).toEqual([]);

      expect(await bench.passToNextRun()).toBe(true);
      expect(bench.open).toHaveLength(1);
      await bench.open[0]?.answer(ANSWERS.sent);
      expect(bench.open.length).toBeGreaterThan(1);
      expect(bench.meta.circuit.probeAt).toBeNull();
    }));

  it('stays open over a restart', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { circuit: { failures: 1, probeMs: MINUTE } });
      await bench.accept(...to('a'));
      await bench.answer(1, 'unreachable');
      bench.restart();
      await bench.accept(...to('b'));
      expect(bench.open).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + MINUTE);
    }));
});

describe('when a run is needed next', () => {
  it('never, when nothing waits; a run that is made even so just ends', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      expect(bench.timing.nextRunAt(bench.policy)).toBeNull();
      await bench.loop.run();
      expect(bench.loop.running).toBe(false);
      expect(sql.exec('SELECT * FROM checkpoint').toArray()).toEqual([]);
    }));

  it('is at a retry’s moment', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      await bench.answer(1, 'busy');
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + 5 * SECOND);
    }));

  it('is when the pace allows it', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { rate: { perMinute: 60, burst: 1 } });
      bench.random = 0;
      await bench.accept(...to('a', 'b'));
      await bench.answer(1, 'sent');
      expect(bench.open).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + SECOND);
      bench.restart();
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + SECOND);
    }));

  it('is when a full receiver is not full any more', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { perRecipient: { perHour: 1 } });
      await bench.accept(...to('a', 'a'));
      await bench.answer(1, 'sent');
      expect(bench.timing.nextRunAt(bench.policy)).toBe(START + HOUR);
    }));

  it('is at once when the configuration could not be read, with nothing lost', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      bench.policyError = new Error('KV is away');
      await bench.accept(draft());
      expect(bench.thrown).toBe(bench.policyError);
      expect(bench.loop.running).toBe(false);
      expect(bench.timing.nextRunAt(bench.policy)).toBe(bench.now);
      bench.policyError = null;
      await bench.passToNextRun();
      expect(seqsOf(bench.open)).toEqual([1]);
    }));

  it('is at once after ten minutes of sending, since an alarm must not run for ever', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      await bench.accept(...to('a', 'a'));
      bench.now += 10 * MINUTE;
      await bench.answer(1, 'sent');
      expect(bench.loop.running).toBe(false);
      expect(bench.open).toEqual([]);
      expect(bench.timing.nextRunAt(bench.policy)).toBeLessThanOrEqual(bench.now);
      await bench.passToNextRun();
      expect(seqsOf(bench.open)).toEqual([2]);
    }));
});

describe('a claim whose row cannot be written', () => {
  it('sends nothing and forgets nothing', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      bench.policyError = new Error('not yet');
      await bench.accept(...to('a', 'b'));
      bench.policyError = null;
      sql.exec("CREATE TRIGGER full BEFORE INSERT ON checkpoint BEGIN SELECT RAISE(ABORT, 'disk full'); END");
      await bench.wake();
      expect(bench.made).toEqual([]);
      expect(String(bench.thrown)).toContain('disk full');
      sql.exec('DROP TRIGGER full');
      await bench.wake();
      expect(seqsOf(bench.open)).toEqual([1, 2]);
    }));
});

type Step =
  | { readonly do: 'accept'; readonly drafts: readonly DraftMessage[] }
  | { readonly do: 'answer'; readonly which: number; readonly outcome: keyof typeof ANSWERS }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'fill'; readonly writes: number }
  | { readonly do: 'restart' | 'pause' | 'resume' | 'next' | 'sweep' };
const drafts: fc.Arbitrary<DraftMessage> = fc
  .record({
    phone: fc.constantFrom('a', 'a', 'b', 'c', 'd', null),
    onUncertain: fc.constantFrom('retry', 'hold'),
    priority: fc.constantFrom('normal', 'normal', 'high'),
    delayMs: fc.constantFrom(0, 0, 0, SECOND),
  })
  .map(draft);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('accept'), drafts: fc.array(drafts, { maxLength: 4 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer'),
      which: fc.nat(5),
      outcome: fc.constantFrom('sent', 'sent', 'sent', ...OUTCOMES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.oneof(fc.nat(SECOND), fc.nat(HOUR)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fill'), writes: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('restart', 'pause', 'resume', 'resume', 'next', 'sweep') }),
  },
);

async function take(bench: Bench, disk: Disk, one: Step): Promise<void> {
  if (one.do === 'accept') await bench.accept(...one.drafts);
  else if (one.do === 'answer') await bench.open[one.which]?.answer(ANSWERS[one.outcome]);
  else if (one.do === 'fill') disk.fails = one.writes;
  else if (one.do === 'pass') await bench.pass(one.ms);
  else if (one.do === 'next') await bench.passToNextRun();
  else if (one.do === 'restart') bench.restart();
  else if (one.do === 'sweep') bench.sweep();
  else bench.meta.pause = one.do === 'resume' ? null : { at: bench.now, by: 'token', reason: 'a rest' };
  if (one.do === 'resume') await bench.wake();
}

/** Everything the gateway is asked is answered well from here on. */
async function finish(bench: Bench): Promise<void> {
  bench.meta.pause = null;
  await bench.wake();
  for (let turn = 0; turn < 500; turn += 1) {
    while (bench.open.length > 0) await bench.open[0]?.answer(ANSWERS.sent);
    if (!(await bench.passToNextRun()) && bench.open.length === 0) return;
  }
  throw new Error('it does not come to an end');
}

const inOrder = (seqs: readonly number[]) => seqs.toSorted((one, other) => one - other);

/** An object that starts now knows what is under way, and when what was sent. */
function expectKnown(bench: Bench, storage: DurableObjectStorage): void {
  const checkpoint = new Checkpoint(storage);
  const { flight } = bench.claims;
  expect(inOrder(new Flight(storage.sql, checkpoint.last?.flight ?? []).seqs())).toEqual(
    inOrder(flight.seqs()),
  );
  const sends: number[] = [];
  checkpoint.readSends(bench.now - HOUR, (at) => sends.push(at));
  expect(sends).toEqual(bench.made.map(({ at }) => at).filter((at) => at > bench.now - HOUR));
}

function expectSane(bench: Bench, storage: DurableObjectStorage): void {
  expectKnown(bench, storage);
  const phones = bench.open.flatMap(({ phone }) => (phone === null ? [] : [phone]));
  expect(bench.open.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  expect(new Set(phones).size).toBe(phones.length);
  for (const { state, seq, next_at } of allRows(storage.sql)) {
    const isOpen = state === 'queued' || state === 'retrying';
    if (!isOpen) expect(next_at).toBeNull();
    else if (next_at === null) expect(seq > bench.claims.cursor || bench.claims.flight.has(seq)).toBe(true);
  }
}

function expectAllEnded(bench: Bench, sql: SqlStorage): void {
  for (const row of allRows(sql)) {
    expect(['sent', 'dead', 'uncertain']).toContain(row.state);
    const attempts = parseAttempts(row.attempts);
    expect(attempts.map(({ n }) => n)).toEqual(attempts.map((_, index) => index + 1));
    // No call without a record, and no record without a call.
    expect(bench.made.filter(({ seq }) => seq === row.seq)).toHaveLength(attempts.length);
    const uncertain = attempts.filter(({ outcome }) => outcome === 'uncertain').length;
    if (row.on_uncertain === 'hold') expect(uncertain).toBe(row.state === 'uncertain' ? 1 : 0);
  }
}

function expectPace({ made, policy: { rate, perRecipient } }: Bench): void {
  for (const [index, { at, phone }] of made.entries()) {
    if (rate !== null)
      expect((made[index + rate.perMinute]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(MINUTE);
    if (perRecipient === null || phone === null) continue;
    const toPhone = made.slice(index).filter((call) => call.phone === phone);
    expect((toPhone[perRecipient.perHour]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(HOUR);
  }
}

describe('whatever the gateway does, and whenever the object stops', () => {
  it('the pace is kept, nothing is lost, and what is to be held is not sent twice', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const disk = diskOf(sql, isRecord);
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 40 }),
          fc.constantFrom(null, { perMinute: 6, burst: 2 }, { perMinute: 60, burst: 5 }),
          fc.constantFrom(null, { perHour: 2 }),
          async (steps, rate, perRecipient) => {
            empty(sql);
            disk.fails = 0;
            const bench = new Bench(storage, {
              rate,
              perRecipient,
              circuit: { failures: 3, probeMs: MINUTE },
            });
            for (const one of steps) {
              await take(bench, disk, one);
              expectSane(bench, storage);
            }
            disk.fails = 0;
            // An attempt that is still to be recorded may pause the account.
            await bench.wake();
            await finish(bench);
            expectSane(bench, storage);
            expectAllEnded(bench, sql);
            expectPace(bench);
          },
        ),
        { numRuns: 200 },
      );
    }));
});

describe('an alarm that runs hours late, in an object that was gone meanwhile', () => {
  it('sends what was due in the order accepted, and marks what is too old by then', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(
        draft({ phone: 'a', delayMs: 2 * MINUTE }),
        draft({ phone: 'a', delayMs: MINUTE }),
        draft({ phone: 'b', delayMs: MINUTE, expiresMs: HOUR }),
      );
      expect(bench.open).toEqual([]);
      bench.restart();
      await bench.pass(5 * HOUR);
      expect(seqsOf(bench.open)).toEqual([1]);
      await bench.answer(1, 'sent');
      expect(seqsOf(bench.open)).toEqual([2]);
      await bench.answer(2, 'sent');
      expect(rowOf(sql, 3)).toMatchObject({ state: 'expired', attempts: '[]' });
      expect(bench.made).toHaveLength(2);
      expect(bench.timing.nextRunAt(bench.policy)).toBeNull();
    }));

  it('makes a retry that has been due for long once, not once for each missed moment', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(draft());
      await bench.answer(1, 'server_error');
      bench.restart();
      await bench.pass(24 * HOUR);
      expect(bench.open).toHaveLength(1);
      await bench.answer(1, 'sent');
      expect(parseAttempts(rowOf(sql, 1).attempts).map(({ outcome }) => outcome)).toEqual([
        'server_error',
        'sent',
      ]);
    }));
});
