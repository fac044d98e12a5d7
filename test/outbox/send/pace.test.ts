import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineOf, Pace, type PastSend } from '../../../src/outbox/send/pace.ts';
import { hourOf, STANDINGS, type Standing } from '../../../src/lib/shares.ts';
import { HOUR, MINUTE, past, SECOND, START } from '../support.ts';

const RATE = { rate: { perMinute: 30, burst: 5 }, perRecipient: null };
const NONE = { rate: null, perRecipient: null };
const PHONE = '4915112345601';

const newPace = (sends: readonly PastSend[] = []): Pace =>
  new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: sends.at(-1)?.at ?? START, past: past(sends) });

/** Sends `count` at once. */
function sendNow(pace: Pace, count: number, now: number, limits: Parameters<Pace['record']>[1] = RATE): void {
  for (let sent = 0; sent < count; sent += 1)
    pace.record({ at: now, phone: null, standing: 'urgent' }, limits, 0);
}

/** The sends that may be made, each so long after the start. */
const allowed = (pace: Pace, limits: typeof RATE, ...after: readonly number[]): readonly number[] =>
  after.map((ms) => pace.sendsAllowed(limits, 'urgent', START + ms));

const to = (phone: string | null, standing: Standing = 'signed') => ({ phone, standing });

/** To one receiver, a minute apart. */
const sendsTo = (phone: string | null, count: number): readonly PastSend[] =>
  Array.from({ length: count }, (_, minute) => ({ at: START + minute * MINUTE, phone, standing: 'signed' }));

it('the pace begins with its burst, then gives one send a gap, and saves up no more than the burst', () => {
  const pace = newPace();
  expect(allowed(pace, RATE, 0)).toEqual([5]);
  sendNow(pace, 5, START);
  expect(pace.nextSendAt(RATE, 'urgent', START)).toBe(START + 2 * SECOND);
  expect(allowed(pace, RATE, 0, 2 * SECOND - 1, 2 * SECOND, HOUR)).toEqual([0, 0, 1, 5]);
});

it('the gap is stretched by up to a quarter, and never shortened, whatever a standing leaves of the burst', () => {
  for (const standing of STANDINGS) {
    const gaps = [0, 0.5, 0.999_999].map((random) => {
      const pace = newPace();
      for (let left = pace.sendsAllowed(RATE, standing, START); left > 0; left -= 1)
        pace.record({ at: START, phone: null, standing }, RATE, left === 1 ? random : 0);
      return Math.round(pace.nextSendAt(RATE, standing, START) - START);
    });
    expect([standing, gaps]).toEqual([standing, [2_000, 2_250, 2_500]]);
  }
});

it('an account without limits has no pace, and the past is not read', () => {
  const pace = new Pace({
    tokens: 5,
    at: START,
    past: () => {
      throw new Error('read');
    },
  });
  sendNow(pace, 30, START, NONE);
  expect(pace.sendsAllowed(NONE, 'urgent', START)).toBeGreaterThan(1_000);
  expect(pace.nextSendAt(NONE, 'urgent', START)).toBe(START);
});

it('where there is a cap, what is beyond 36,000 sends of an hour waits, but what is urgent', () => {
  const sends = Array.from({ length: 36_000 }, (_, n) => ({
    at: START + n * 50,
    phone: String(n),
    standing: 'signed' as const,
  }));
  const pace = newPace(sends);
  const now = START + HOUR / 2;
  const capped = { rate: null, perRecipient: { perHour: 9 } };
  expect([pace.sendsAllowed(capped, 'signed', now), pace.nextSendAt(capped, 'signed', now)]).toEqual([
    0,
    START + HOUR,
  ]);
  expect([pace.sendsAllowed(capped, 'urgent', now), pace.nextSendAt(capped, 'urgent', now)]).toEqual([
    4_000,
    now,
  ]);
  expect(pace.sendsAllowed(capped, 'signed', START + HOUR + 50)).toBe(2);
});

it('a clock that goes back gives nothing, and one that was ahead does not freeze the pace', () => {
  const pace = newPace();
  sendNow(pace, 5, START);
  expect(allowed(pace, RATE, -MINUTE, 0)).toEqual([0, 0]);
  const sends: PastSend[] = [];
  const ahead = newPace(sends);
  for (let at = START + 24 * HOUR; sends.length < 30; at += 1) {
    ahead.record({ at, phone: PHONE, standing: 'signed' }, RATE, 0);
    sends.push({ at, phone: PHONE, standing: 'signed' });
  }
  expect(ahead.nextSendAt(RATE, 'urgent', START)).toBeGreaterThan(START);
  expect(ahead.nextSendAt(RATE, 'urgent', START)).toBeLessThanOrEqual(START + 2 * MINUTE);
  expect(allowed(ahead, RATE, 0, 2 * MINUTE)).toEqual([0, 5]);
  expect(ahead.nextSendToAt({ perHour: 30 }, to(PHONE), START)).toBe(START + HOUR);
});

const CAP = { perHour: 2 };

it('the cap is each receiver’s own, and not for a status, which has none', () => {
  const pace = newPace([...sendsTo(PHONE, 2), ...sendsTo(null, 2)]);
  expect(pace.nextSendToAt(CAP, to('another'), START)).toBe(START);
  expect(pace.nextSendToAt(CAP, to(null), START)).toBe(START);
  expect(pace.nextSendToAt(null, to(PHONE), START)).toBe(START);
});

it('the past is read once, and again after a publish that took the limit away for a while', () => {
  const sends = [...sendsTo(PHONE, 2)];
  let reads = 0;
  const read: ReturnType<typeof past> = (since, onSend) => {
    reads += 1;
    past(sends)(since, onSend);
  };
  const pace = new Pace({ tokens: 5, at: START, past: read });
  const now = START + 2 * MINUTE;
  const opensAt = () => pace.nextSendToAt(CAP, to(PHONE), now);
  expect([opensAt(), opensAt(), reads]).toEqual([START + HOUR, START + HOUR, 1]);
  expect([pace.sendsAllowed(NONE, 'signed', now) > 1_000, opensAt(), reads]).toEqual([true, START + HOUR, 2]);
});

/** The most sends that any window of `length` ms (its end outside) holds. */
const mostWithin = (times: readonly number[], length: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + length).length));

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.constant(0), fc.constant(null), fc.nat(3 * SECOND), fc.nat(2 * MINUTE), fc.nat(HOUR)),
    wanted: fc.integer({ min: 1, max: 12 }),
    restarts: fc.boolean(),
    standing: fc.constantFrom(...STANDINGS),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  { minLength: 5, maxLength: 80 },
);

it('whatever comes when and wherever the object restarts, no limit of any time is exceeded', () => {
  const rates = fc.record({
    perMinute: fc.integer({ min: 1, max: 60 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  const caps = fc.record({ perHour: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(rates, caps, steps, (rate, cap, trip) => {
      const limits = { rate, perRecipient: cap };
      const sends: PastSend[] = [];
      // As a claim writes it.
      let last = { tokens: Number.MAX_SAFE_INTEGER, at: START };
      let now = START;
      let pace = newPace();
      for (const { waitMs, wanted, restarts, random, standing } of trip) {
        now = waitMs === null ? Math.ceil(pace.nextSendAt(limits, standing, now)) : now + waitMs;
        if (restarts) pace = new Pace({ ...last, past: past([...sends]) });
        const count = pace.sendsAllowed(limits, standing, now);
        expect(count > 0).toBe(pace.nextSendAt(limits, standing, now) <= now);
        for (const phone of ['a', 'b', null].slice(0, Math.min(wanted, count))) {
          if (pace.nextSendToAt(cap, to(phone, standing), now) > now) continue;
          const send = { at: now, phone, standing };
          sends.push(send);
          pace.record(send, limits, random);
          last = { tokens: pace.tokens, at: now };
        }
      }
      const times = sends.map(({ at }) => at);
      expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(rate.perMinute);
      const given = (ms: number): number => rate.burst + (ms * rate.perMinute) / MINUTE + 1e-6;
      const tooMany = times.flatMap((from, first) =>
        times.slice(first).filter((to, more) => more + 1 > given(to - from)),
      );
      expect(tooMany).toEqual([]);
      for (const receiver of ['a', 'b'])
        for (const [most, ...standings] of [
          [cap.perHour, 'signed', 'open'],
          [cap.perHour, 'urgent'],
          [hourOf('open', cap.perHour), 'open'],
        ] as const) {
          const toOne = sends.filter(
            ({ phone, standing }) => phone === receiver && standings.some((one) => one === standing),
          );
          expect(
            mostWithin(
              toOne.map(({ at }) => at),
              HOUR,
            ),
          ).toBeLessThanOrEqual(most);
        }
    }),
    { numRuns: 150 },
  );
});

it('the key of a receiver is a whole number of 53 bits, another for each of 100,000 numbers in a row', () => {
  const keys = Array.from({ length: 100_000 }, (_, n) => lineOf(`49151${10_000_000 + n}`, 'open'));
  expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
  expect(new Set(keys).size).toBe(keys.length);
});
