import fc from 'fast-check';
import { expect, it } from 'vitest';
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

const after = (outcome: Outcome, message: Partial<TriedMessage> = {}, policy: object = {}) =>
  decide({ ...FRESH, ...message }, ANSWERS[outcome], { ...POLICY, ...policy }, START, MIDDLE);

/** The wait after this, in seconds; null if there is none. */
const waitAfter = (...args: Parameters<typeof after>): number | null => {
  const { nextAt } = after(...args);
  return nextAt === null ? null : (nextAt - START) / SECOND;
};

it('an attempt that was sent has no reason, and one that the gateway will never take is dead at once', () => {
  expect(after('sent')).toEqual({ state: 'sent', nextAt: null, reason: null, tries: 1, refusals: 0 });
  expect(after('rejected')).toMatchObject({ state: 'dead', nextAt: null, reason: { code: 'rejected' } });
});

it('any other attempt is followed by the wait of its number, and the schedule’s last by none', () => {
  for (const outcome of [
    'busy',
    'server_error',
    'redirected',
    'unreachable',
    'uncertain',
    'refused',
  ] as const)
    expect([outcome, after(outcome)]).toMatchObject([
      outcome,
      { state: 'retrying', nextAt: START + 5 * SECOND, tries: 1, reason: { code: ANSWERS[outcome].code } },
    ]);
  expect([0, 1, 2, 3].map((tries) => waitAfter('server_error', { tries }))).toEqual([5, 30, 120, null]);
  const reason = { code: 'server-error', params: { attempts: '4' } };
  expect(after('server_error', { tries: 3 })).toMatchObject({ state: 'dead', tries: 4, reason });
  expect(after('unreachable', {}, { retryMs: [] }).state).toBe('dead');
});

it('a forbidden call is put off by the schedule’s waits, half a minute without one, and not counted', () => {
  const waits = [0, 1, 2, 3, 9].map((forbidden) => waitAfter('forbidden', { forbidden }));
  expect(waits).toEqual([5, 30, 120, 120, 120]);
  expect(after('forbidden', { tries: 1 })).toMatchObject({ state: 'retrying', tries: 1, refusals: 0 });
  expect(waitAfter('forbidden', {}, { retryMs: [] })).toBe(30);
});

it('three forbidden calls are the message’s own fault if others were sent meanwhile, and only then', () => {
  const states = [
    after('forbidden', { forbidden: 1, areOthersSent: true }),
    after('forbidden', { forbidden: 2, areOthersSent: true }),
    after('forbidden', { forbidden: 7 }),
  ];
  expect(states.map(({ state }) => state)).toEqual(['retrying', 'dead', 'retrying']);
  expect(states[1]?.reason).toEqual({ code: 'forbidden', params: { attempts: '3' } });
});

it('credentials that are not taken leave the message queued, and are not counted', () => {
  const left = { state: 'queued', nextAt: START, refusals: 1, reason: { code: 'unauthorized' } };
  expect(after('unauthorized', { tries: 3, refusals: 1 })).toEqual({ ...left, tries: 3 });
});

it('a refusal is tried three times in all, counted apart from other failures', () => {
  expect(after('refused', { tries: 1, refusals: 1 })).toMatchObject({ state: 'retrying', refusals: 2 });
  const reason = { code: 'refused', params: { attempts: '3' } };
  expect(after('refused', { tries: 2, refusals: 2 })).toMatchObject({ state: 'dead', nextAt: null, reason });
  const long = { retryMs: [1, 1, 1, 1, 1, 1] };
  expect(after('refused', { tries: 4 }, long)).toMatchObject({ state: 'retrying', refusals: 1 });
});

const words = (...permanentErrors: readonly string[]) => after('refused', {}, { permanentErrors });

it('a refusal is dead at once if the gateway’s own words match a permanent error, which the reason names', () => {
  expect(words('^nothing', 'no such (number|user)')).toMatchObject({
    state: 'dead',
    nextAt: null,
    reason: { code: 'refused', params: { permanent: 'no such (number|user)' } },
  });
  expect(words('gateway refused').state).toBe('retrying');
});

it('`hold` has an uncertain attempt wait for a person, and says nothing of others', () => {
  const reason = { code: 'no-answer' };
  const held = { state: 'uncertain', nextAt: null, reason };
  expect(after('uncertain', { onUncertain: 'hold' })).toMatchObject(held);
  for (const outcome of ['busy', 'server_error', 'unreachable', 'refused'] as const)
    expect(after(outcome, { onUncertain: 'hold' }).state).toBe('retrying');
});

const next = (wait: number, tries = 0): number | null =>
  decide({ ...FRESH, tries }, { ...ANSWERS.busy, retry_after_ms: wait }, POLICY, START, 0).nextAt;

it('Retry-After wins over the schedule without jitter, and does not lengthen it', () => {
  expect([next(2 * HOUR), next(0), next(1_000), next(1_000, 3)]).toEqual([
    START + 2 * HOUR,
    START,
    START + 1_000,
    null,
  ]);
});

const waitFor = (entryMs: number, random: number): number => {
  const policy = { retryMs: [entryMs], permanentErrors: [] };
  return (decide(FRESH, ANSWERS.server_error, policy, START, random).nextAt ?? 0) - START;
};

it('the schedule is jittered by at most a fifth, both ways', () => {
  expect([waitFor(1_000, 0), waitFor(1_000, 0.999_999)]).toEqual([800, 1_200]);
  const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(randoms, fc.nat(86_400_000), (random, entryMs) => {
      expect(waitFor(entryMs, random)).toBeGreaterThanOrEqual(Math.floor(entryMs * 0.8));
      expect(waitFor(entryMs, random)).toBeLessThanOrEqual(Math.ceil(entryMs * 1.2));
    }),
  );
});

const policies = fc.record({
  retryMs: fc.array(fc.nat(86_400_000), { maxLength: 9 }),
  permanentErrors: fc.constantFrom([], ['such']),
});
const outcomes: fc.Arbitrary<Outcome> = fc.constantFrom(...OUTCOMES);
const holds = fc.constantFrom('retry' as const, 'hold' as const);

it('a message that goes on has a moment, and is tried no more often than its schedule and answers allow', () => {
  const waits = fc.option(fc.nat(86_400_000), { nil: undefined });
  const answers = fc.array(fc.record({ outcome: outcomes, wait: waits }), { minLength: 30, maxLength: 60 });
  fc.assert(
    fc.property(policies, holds, answers, fc.nat(5), (policy, onUncertain, list, forbidden) => {
      let message: TriedMessage = { ...FRESH, onUncertain };
      let counted = 0;
      for (const { outcome, wait } of list) {
        const answer = { ...ANSWERS[outcome], ...(wait !== undefined && { retry_after_ms: wait }) };
        const { state, nextAt, ...rest } = decide(message, answer, policy, START, MIDDLE);
        if (outcome !== 'unauthorized' && outcome !== 'forbidden') counted += 1;
        expect(rest.tries).toBe(counted);
        expect(state === 'queued' || state === 'retrying').toBe(nextAt !== null);
        if (nextAt === null) break;
        expect(Number.isInteger(nextAt) && nextAt >= START).toBe(true);
        message = { ...FRESH, ...rest, onUncertain, forbidden };
      }
      expect(counted).toBeLessThanOrEqual(policy.retryMs.length + 1);
      expect(message.refusals).toBeLessThan(MAX_REFUSALS);
    }),
  );
});

it('a message that goes on as the last time has as many attempts as it says, and its next if that was made fewer', () => {
  const answers = fc.array(fc.constantFrom<Outcome>('refused', 'busy', 'server_error'), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(policies, answers, (policy, list) => {
      let message: TriedMessage = FRESH;
      for (const outcome of list) {
        const decision = decide(message, ANSWERS[outcome], policy, START, MIDDLE);
        // Also by a permanent error, which no count foresees.
        if (decision.nextAt === null) return;
        message = { ...FRESH, ...decision };
        let last: TriedMessage | null = message;
        for (let n = attemptsInAll(message, outcome, policy) - message.tries; n > 0; n -= 1) {
          expect(last).not.toBeNull();
          const next = decide(last ?? FRESH, ANSWERS[outcome], policy, START, MIDDLE);
          last = next.nextAt === null ? null : { ...FRESH, ...next };
        }
        expect(last).toBeNull();
      }
    }),
  );
  expect(attemptsInAll({ tries: 5, refusals: 0 }, 'busy', { retryMs: [SECOND] })).toBe(6);
});
