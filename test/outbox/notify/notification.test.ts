import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../src/outbox/state/circuit.ts';
import { statusNotifications, type NotifiedStatus } from '../../../src/outbox/notify/notification.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const PAUSE = {
  at: NOW,
  by: 'gateway',
  reason: 'the gateway answered 401: it rejects the credentials',
};
const OPEN = { failures: 5, probeAt: NOW + 30_000 };
const fine: NotifiedStatus = { pause: null, circuit: CLOSED };

const notices = (before: NotifiedStatus, after: NotifiedStatus) =>
  statusNotifications(before, after, 'sales', NOW);

describe('the changes of which the owner is notified', () => {
  it.each([
    ['account.paused', fine, { ...fine, pause: PAUSE }, PAUSE.reason],
    ['account.resumed', { ...fine, pause: PAUSE }, fine, 'sends again'],
    ['circuit.opened', fine, { ...fine, circuit: OPEN }, 'failed 5 times in a row'],
    ['circuit.closed', { ...fine, circuit: OPEN }, fine, 'answers again'],
  ])('%s, once, with the account and the time', (kind, before, after, words) => {
    const reported = notices(before, after);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ kind, account: 'sales', at: '2026-01-31T12:00:00.000Z' });
    expect(reported[0]?.text).toContain(words);
    expect(reported[0]?.text).toContain('sales');
  });

  it('nothing when a pause gets another reason, or an open circuit its next probe', () => {
    const again = { ...fine, pause: { ...PAUSE, by: 'token', reason: 'paused through the admin API' } };
    expect(notices({ ...fine, pause: PAUSE }, again)).toEqual([]);
    const later = { ...fine, circuit: { failures: 6, probeAt: NOW + 60_000 } };
    expect(notices({ ...fine, circuit: OPEN }, later)).toEqual([]);
    expect(notices(fine, { ...fine, circuit: { failures: 4, probeAt: null } })).toEqual([]);
  });

  it('along any history: paused and resumed take turns, and so do opened and closed', () => {
    const past = fc.record({
      pause: fc.constantFrom(null, PAUSE),
      circuit: fc.constantFrom(
        CLOSED,
        OPEN,
        { failures: 7, probeAt: NOW + 1 },
        { failures: 2, probeAt: null },
      ),
    });
    fc.assert(
      fc.property(fc.array(past, { maxLength: 20 }), (history) => {
        const kinds = history.flatMap((after, at) =>
          notices(history[at - 1] ?? fine, after).map(({ kind }) => kind),
        );
        for (const [on, off] of [
          ['account.paused', 'account.resumed'],
          ['circuit.opened', 'circuit.closed'],
        ]) {
          const turns = kinds.filter((kind) => kind === on || kind === off);
          expect(turns).toEqual(turns.map((_, at) => (at % 2 === 0 ? on : off)));
        }
      }),
    );
  });
});
