import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceiverHistory, receiverKey } from '../../../src/outbox/send/receiver-history.ts';

const WINDOW = 3_600_000;

interface Send {
  readonly receiver: number;
  readonly at: number;
}

/** The right answer of the history, found the slow and plain way. */
const nthNewest = (sends: readonly Send[], receiver: number, n: number): number | null =>
  sends.filter((send) => send.receiver === receiver).at(-n)?.at ?? null;

const recent = (sends: readonly Send[], now: number): readonly Send[] =>
  sends.filter(({ at }) => at > now - WINDOW);

function filled(sends: readonly Send[]): ReceiverHistory {
  const history = new ReceiverHistory(WINDOW);
  for (const { receiver, at } of sends) history.add(receiver, at);
  return history;
}

describe('the sends of an hour, by receiver', () => {
  it('are found again, newest first, and not beyond the first', () => {
    const history = filled([
      { receiver: 7, at: 10 },
      { receiver: 8, at: 11 },
      { receiver: 7, at: 12 },
    ]);
    expect([1, 2, 3].map((n) => history.nthNewest(7, n))).toEqual([12, 10, null]);
    expect([1, 2].map((n) => history.nthNewest(8, n))).toEqual([11, null]);
    expect(history.nthNewest(9, 1)).toBeNull();
  });

  it('are never fewer than the window’s, whatever comes when and however many there are', () => {
    const trips = fc.array(
      fc.record({
        receiver: fc.nat(30).map((n) => receiverKey(`4915112345${n}`)),
        wait: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(WINDOW)),
        times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(9_000) }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(trips, (trip) => {
        let at = 0;
        const sends = trip.flatMap(({ receiver, wait, times }) => {
          at += wait;
          return Array.from({ length: times }, () => ({ receiver, at }));
        });
        const history = filled(sends);
        const kept = recent(sends, at);
        for (const receiver of new Set(sends.map((send) => send.receiver)))
          for (const n of [1, 2, 5, 100]) {
            const wanted = nthNewest(kept, receiver, n);
            const got = history.nthNewest(receiver, n);
            // Older ones may still be there: their block is dropped as a whole.
            if (wanted === null) expect(got === null || got <= at - WINDOW).toBe(true);
            else expect(got).toBe(wanted);
          }
      }),
      { numRuns: 60 },
    );
  });

  it('are dropped when they do not matter any more: steady traffic takes no more and more memory', () => {
    const history = new ReceiverHistory(WINDOW);
    for (let n = 0; n < 400_000; n += 1) history.add(receiverKey(String(n)), n * 100);
    // An hour at ten a second, and at most one block more.
    expect(history.size).toBeGreaterThanOrEqual(36_000);
    expect(history.size).toBeLessThan(36_000 + 2 * 8_192);
    expect(history.nthNewest(receiverKey('399999'), 1)).toBe(39_999_900);
    expect(history.nthNewest(receiverKey('5'), 1)).toBeNull();
  });

  it('go on after an hour in which nothing was sent', () => {
    const history = filled([{ receiver: 7, at: 10 }]);
    history.add(7, 10 + 2 * WINDOW);
    history.add(7, 11 + 2 * WINDOW);
    expect([1, 2, 3].map((n) => history.nthNewest(7, n))).toEqual([11 + 2 * WINDOW, 10 + 2 * WINDOW, null]);
    expect(history.size).toBe(2);
  });

  it('of a time to come count as now once the clock came back', () => {
    const history = filled([
      { receiver: 7, at: 10 },
      { receiver: 7, at: 5_000_000 },
    ]);
    history.turnBack(100);
    expect(history.nthNewest(7, 1)).toBe(100);
  });
});

describe('the key of a receiver', () => {
  it('is a whole number of 53 bits, and another for each of 300,000 numbers in a row', () => {
    const keys = Array.from({ length: 300_000 }, (_, n) => receiverKey(`49151${10_000_000 + n}`));
    expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
