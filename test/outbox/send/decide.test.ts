import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Outcome, OUTCOMES } from '../../../src/gateway/outcome.ts';
import { attemptsInAll, decide, MAX_REFUSALS, type TriedMessage } from '../../../src/outbox/send/decide.ts';
import { ANSWERS, HOUR, SECOND, START } from '../support.ts';

const POLICY = { retryMs: [5 * SECOND, 30 * SECOND, 120 * SECOND], permanentErrors: [] };
const FRESH: TriedMessage = {
  tries: 0,
  refusals: 0,
  onUncertain: 'retry',
  forbidden: 0,
  areOthersSent: false,
};
const MIDDLE = 0.5;

const afterAnswer = (outcome: Outcome, message: Partial<TriedMessage> = {}) =>
  decide({ ...FRESH, ...message }, ANSWERS[outcome], POLICY, START, MIDDLE);

const outcomes: fc.Arbitrary<Outcome> = fc.constantFrom(...OUTCOMES);

/** After a 429 that asks to wait N ms. */
const afterBusy = (wait: number, tries = 0) =>
  decide({ ...FRESH, tries }, { ...ANSWERS.busy, retry_after_ms: wait }, POLICY, START, MIDDLE);

/** The jittered wait for a schedule's only entry of `entryMs`. */
const waitFor = (entryMs: number, random: number): number => {
  const policy = { retryMs: [entryMs], permanentErrors: [] };
  return (decide(FRESH, ANSWERS.server_error, policy, START, random).nextAt ?? 0) - START;
};

describe('one attempt', () => {
  it('ends in `sent`, without a reason', () => {
    expect(afterAnswer('sent')).toEqual({ state: 'sent', nextAt: null, reason: null, tries: 1, refusals: 0 });
  });

  it('is dead at once when the gateway will never take the call', () => {
    expect(afterAnswer('rejected')).toMatchObject({ state: 'dead', nextAt: null, reason: 'it will not' });
  });

  it.each(['busy', 'server_error', 'redirected', 'unreachable', 'uncertain', 'refused'] as const)(
    'is followed by the schedule’s first wait when it was %s',
    (outcome) => {
      expect(afterAnswer(outcome)).toMatchObject({
        state: 'retrying',
        nextAt: START + 5 * SECOND,
        tries: 1,
        reason: ANSWERS[outcome].detail,
      });
    },
  );

  it('takes the wait that belongs to its number', () => {
    expect(afterAnswer('server_error', { tries: 2 })).toMatchObject({ nextAt: START + 120 * SECOND });
  });
});

describe('a call that the gateway forbids', () => {
  it('is put off by the schedule’s waits, and not counted', () => {
    const nexts = [0, 1, 2, 3, 9].map((forbidden) => afterAnswer('forbidden', { forbidden, tries: 1 }));
    expect(nexts.map(({ nextAt }) => (nextAt ?? 0) - START)).toEqual([
      5 * SECOND,
      30 * SECOND,
      120 * SECOND,
      120 * SECOND,
      120 * SECOND,
    ]);
    for (const next of nexts) expect(next).toMatchObject({ state: 'retrying', tries: 1, refusals: 0 });
  });

  it('three times is the message’s own fault when others were sent meanwhile, and only then', () => {
    expect(afterAnswer('forbidden', { forbidden: 1, areOthersSent: true }).state).toBe('retrying');
    expect(afterAnswer('forbidden', { forbidden: 2, areOthersSent: true })).toMatchObject({
      state: 'dead',
      reason: 'not this call; forbidden 3 times while other messages were sent',
    });
    expect(afterAnswer('forbidden', { forbidden: 7 }).state).toBe('retrying');
  });

  it('waits half a minute where the account has no schedule', () => {
    const decision = decide(FRESH, ANSWERS.forbidden, { ...POLICY, retryMs: [] }, START, MIDDLE);
    expect(decision).toMatchObject({ state: 'retrying', nextAt: START + 30 * SECOND });
  });
});

describe('credentials that the gateway does not take', () => {
  it('leave the message queued and are not counted against its schedule', () => {
    expect(afterAnswer('unauthorized', { tries: 2, refusals: 1 })).toEqual({
      state: 'queued',
      nextAt: START,
      tries: 2,
      refusals: 1,
      reason: 'not your key',
    });
  });

  it('never kill a message that has no attempt left but this one', () => {
    expect(afterAnswer('unauthorized', { tries: 3 })).toMatchObject({ state: 'queued', tries: 3 });
  });
});

describe('a refusal', () => {
  it('is tried three times in all', () => {
    expect(MAX_REFUSALS).toBe(3);
    expect(afterAnswer('refused', { tries: 1, refusals: 1 })).toMatchObject({
      state: 'retrying',
      refusals: 2,
    });
    expect(afterAnswer('refused', { tries: 2, refusals: 2 })).toMatchObject({
      state: 'dead',
      nextAt: null,
      reason: 'the gateway refused; refused 3 times',
    });
  });

  it('is counted apart from other failures: two of those before leave three refusals', () => {
    const policy = { ...POLICY, retryMs: [1, 1, 1, 1, 1, 1] };
    expect(decide({ ...FRESH, tries: 4 }, ANSWERS.refused, policy, START, MIDDLE)).toMatchObject({
      state: 'retrying',
      refusals: 1,
    });
  });

  it('is dead at once when the gateway’s words match a permanent error, which the reason names', () => {
    const policy = { ...POLICY, permanentErrors: ['^nothing', 'no such (number|user)'] };
    expect(decide(FRESH, ANSWERS.refused, policy, START, MIDDLE)).toMatchObject({
      state: 'dead',
      nextAt: null,
      reason: 'the gateway refused; a permanent error, as it matches `no such (number|user)`',
    });
  });

  it('is not matched with anything but the gateway’s own words', () => {
    const policy = { ...POLICY, permanentErrors: ['gateway refused'] };
    expect(decide(FRESH, ANSWERS.refused, policy, START, MIDDLE)).toMatchObject({ state: 'retrying' });
  });
});

describe('an uncertain attempt', () => {
  it('waits for a person when the route says `hold`', () => {
    expect(afterAnswer('uncertain', { onUncertain: 'hold' })).toMatchObject({
      state: 'uncertain',
      nextAt: null,
      reason: 'the call timed out',
    });
  });

  it.each(['busy', 'server_error', 'unreachable', 'refused'] as const)(
    '`hold` says nothing about an attempt that was %s',
    (outcome) => {
      expect(afterAnswer(outcome, { onUncertain: 'hold' })).toMatchObject({ state: 'retrying' });
    },
  );
});

describe('Retry-After', () => {
  it('wins over the schedule, longer or shorter, and is not jittered', () => {
    expect(afterBusy(2 * HOUR)).toMatchObject({ state: 'retrying', nextAt: START + 2 * HOUR });
    expect(afterBusy(0)).toMatchObject({ state: 'retrying', nextAt: START });
    const early = decide(FRESH, { ...ANSWERS.busy, retry_after_ms: 1_000 }, POLICY, START, 0);
    expect(early.nextAt).toBe(START + 1_000);
  });

  it('does not lengthen the schedule: its last attempt is the last', () => {
    expect(afterBusy(1_000, 3)).toMatchObject({ state: 'dead', nextAt: null });
  });
});

describe('the schedule', () => {
  it('of n entries allows n + 1 attempts', () => {
    expect(afterAnswer('server_error', { tries: 2 }).state).toBe('retrying');
    expect(afterAnswer('server_error', { tries: 3 })).toMatchObject({
      state: 'dead',
      tries: 4,
      reason: 'it failed; gave up after 4 attempts',
    });
  });

  it('without entries allows one attempt', () => {
    const policy = { retryMs: [], permanentErrors: [] };
    expect(decide(FRESH, ANSWERS.unreachable, policy, START, MIDDLE).state).toBe('dead');
  });

  it('is jittered by at most a fifth, both ways', () => {
    expect(waitFor(1_000, 0)).toBe(800);
    expect(waitFor(1_000, 0.999_999)).toBe(1_200);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 86_400_000 }),
        (random, entryMs) => {
          expect(waitFor(entryMs, random)).toBeGreaterThanOrEqual(Math.floor(entryMs * 0.8));
          expect(waitFor(entryMs, random)).toBeLessThanOrEqual(Math.ceil(entryMs * 1.2));
        },
      ),
    );
  });
});

describe('whatever the gateway answers, one after the other', () => {
  const policies = fc.record({
    retryMs: fc.array(fc.integer({ min: 0, max: 86_400_000 }), { maxLength: 9 }),
    permanentErrors: fc.constantFrom([], ['such']),
  });

  it('a message that goes on has a moment, not before now; one that does not has none', () => {
    fc.assert(
      fc.property(
        fc.record({
          tries: fc.nat(12),
          refusals: fc.nat(3),
          onUncertain: fc.constantFrom('retry', 'hold'),
          forbidden: fc.nat(5),
          areOthersSent: fc.boolean(),
        }),
        outcomes,
        fc.option(fc.nat(86_400_000), { nil: undefined }),
        policies,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (message, outcome, wait, policy, random) => {
          const answer = { ...ANSWERS[outcome], ...(wait !== undefined && { retry_after_ms: wait }) };
          const { state, nextAt } = decide(message, answer, policy, START, random);
          const goesOn = state === 'queued' || state === 'retrying';
          expect(goesOn).toBe(nextAt !== null);
          if (nextAt !== null) {
            expect(nextAt).toBeGreaterThanOrEqual(START);
            expect(Number.isInteger(nextAt)).toBe(true);
          }
        },
      ),
    );
  });

  it('no message is tried more often than its schedule allows, but for refused credentials and calls', () => {
    fc.assert(
      fc.property(
        policies,
        fc.constantFrom('retry' as const, 'hold' as const),
        fc.array(outcomes, { minLength: 30, maxLength: 60 }),
        (policy, onUncertain, answers) => {
          let message: TriedMessage = { ...FRESH, onUncertain };
          let counted = 0;
          for (const outcome of answers) {
            const decision = decide(message, ANSWERS[outcome], policy, START, MIDDLE);
            if (outcome !== 'unauthorized' && outcome !== 'forbidden') counted += 1;
            expect(decision.tries).toBe(counted);
            if (decision.nextAt === null) break;
            message = { ...FRESH, ...decision, onUncertain };
          }
          expect(counted).toBeLessThanOrEqual(policy.retryMs.length + 1);
          expect(message.refusals).toBeLessThan(MAX_REFUSALS);
        },
      ),
    );
  });

  it('a message that goes on as it went the last time has as many attempts as it says', () => {
    fc.assert(
      fc.property(
        policies,
        fc.array(fc.constantFrom<Outcome>('refused', 'busy', 'server_error'), { minLength: 1, maxLength: 9 }),
        (policy, answers) => {
          let message: TriedMessage = FRESH;
          for (const outcome of answers) {
            const decision = decide(message, ANSWERS[outcome], policy, START, MIDDLE);
            // Also by a permanent error, which no count foresees.
            if (decision.nextAt === null) return;
            message = { ...FRESH, ...decision };
            let last: TriedMessage | null = message;
            const all = attemptsInAll(message, outcome, policy);
            for (let n = message.tries + 1; n <= all; n += 1) {
              expect(last).not.toBeNull();
              const next = decide(last ?? FRESH, ANSWERS[outcome], policy, START, MIDDLE);
              last = next.nextAt === null ? null : { ...FRESH, ...next };
            }
            expect(last).toBeNull();
          }
        },
      ),
    );
  });

  it('a message whose schedule was made shorter still has its next attempt', () => {
    expect(attemptsInAll({ tries: 5, refusals: 0 }, 'busy', { retryMs: [SECOND] })).toBe(6);
  });
});
