import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace, type PastSend } from '../../../src/outbox/send/pace.ts';
import { HOUR, MINUTE, past, SECOND, START } from '../support.ts';

const RATE = { perMinute: 30, burst: 5 };
const PHONE = '4915112345601';
const NO_JITTER = 0;

const newPace = (sends: readonly PastSend[] = []): Pace =>
  new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: sends.at(-1)?.at ?? START, past: past(sends) });

/** Sends `count` at once. */
function sendNow(pace: Pace, count: number, now: number, rate: typeof RATE | null = RATE): void {
  for (let sent = 0; sent < count; sent += 1) pace.record({ at: now, phone: null }, rate, NO_JITTER);
}

/** The gap after a burst. */
function gapFor(random: number): number {
  const pace = newPace();
  sendNow(pace, 4, START);
  pace.record({ at: START, phone: null }, RATE, random);
  return pace.nextSendAt(RATE, START) - START;
}

describe('a clock that was ahead and came back', () => {
  it('does not freeze the pace, and lets nothing more out either', () => {
    const sends: PastSend[] = [];
    const pace = newPace(sends);
    const ahead = START + 24 * HOUR;
    for (let send = 0; send < 30; send += 1) {
      pace.record({ at: ahead + send, phone: PHONE }, RATE, NO_JITTER);
      sends.push({ at: ahead + send, phone: PHONE });
    }
    expect(pace.nextSendAt(RATE, START)).toBeGreaterThan(START);
    expect(pace.nextSendAt(RATE, START)).toBeLessThanOrEqual(START + 2 * MINUTE);
    expect(pace.nextSendToAt({ perHour: 30 }, PHONE, START)).toBe(START + HOUR);
    expect(pace.sendsAllowed(RATE, START)).toBe(0);
    expect(pace.sendsAllowed(RATE, START + 2 * MINUTE)).toBe(5);
  });
});

describe('the account’s pace', () => {
  it('begins with its burst, then gives one send a gap', () => {
    const pace = newPace();
    expect(pace.sendsAllowed(RATE, START)).toBe(5);
    sendNow(pace, 5, START);
    expect(pace.sendsAllowed(RATE, START)).toBe(0);
    expect(pace.nextSendAt(RATE, START)).toBe(START + 2 * SECOND);
    expect(pace.sendsAllowed(RATE, START + 2 * SECOND - 1)).toBe(0);
    expect(pace.sendsAllowed(RATE, START + 2 * SECOND)).toBe(1);
  });

  it('never saves up more than its burst', () => {
    const pace = newPace();
    sendNow(pace, 5, START);
    expect(pace.sendsAllowed(RATE, START + HOUR)).toBe(5);
  });

  it('stretches the gap by up to a quarter, and never shortens it', () => {
    expect(gapFor(0)).toBe(2_000);
    expect(gapFor(0.5)).toBe(2_250);
    expect(gapFor(0.999_999)).toBeCloseTo(2_500, 0);
  });

  it('is not exceeded in a minute by a burst that comes on top of a steady stream', () => {
    const rate = { perMinute: 4, burst: 4 };
    const pace = newPace();
    sendNow(pace, 4, START, rate);
    // The bucket has one token after 15 s, but the minute is full.
    expect(pace.sendsAllowed(rate, START + 15 * SECOND)).toBe(0);
    expect(pace.nextSendAt(rate, START + 15 * SECOND)).toBe(START + MINUTE);
    expect(pace.sendsAllowed(rate, START + MINUTE)).toBe(4);
  });

  it('does not exist for an account without a rate', () => {
    const pace = newPace();
    sendNow(pace, 1_000, START, null);
    expect(pace.sendsAllowed(null, START)).toBeGreaterThan(1_000);
    expect(pace.nextSendAt(null, START)).toBe(START);
  });

  it('counts what was sent without a rate once a publish sets one', () => {
    const sends: PastSend[] = [];
    const pace = newPace(sends);
    for (let sent = 0; sent < 30; sent += 1) {
      pace.record({ at: START, phone: null }, null, NO_JITTER);
      sends.push({ at: START, phone: null });
    }
    expect(pace.sendsAllowed(RATE, START + SECOND)).toBe(0);
    expect(pace.nextSendAt(RATE, START + SECOND)).toBe(START + MINUTE);
  });

  it('is not fooled by a clock that goes backwards', () => {
    const pace = newPace();
    sendNow(pace, 5, START);
    expect(pace.sendsAllowed(RATE, START - MINUTE)).toBe(0);
    expect(pace.sendsAllowed(RATE, START)).toBe(0);
  });
});

describe('a receiver’s cap', () => {
  const cap = { perHour: 2 };

  it('puts the next message off until the oldest of the hour’s sends is an hour old', () => {
    const pace = newPace([
      { at: START, phone: PHONE },
      { at: START + MINUTE, phone: PHONE },
    ]);
    expect(pace.nextSendToAt(cap, PHONE, START + 2 * MINUTE)).toBe(START + HOUR);
    expect(pace.nextSendToAt(cap, PHONE, START + HOUR)).toBe(START + HOUR);
  });

  it('is each receiver’s own, and not for a status, which has none', () => {
    const pace = newPace([
      { at: START, phone: PHONE },
      { at: START, phone: PHONE },
      { at: START, phone: null },
      { at: START, phone: null },
    ]);
    expect(pace.nextSendToAt(cap, 'another', START)).toBe(START);
    expect(pace.nextSendToAt(cap, null, START)).toBe(START);
    expect(pace.nextSendToAt(null, PHONE, START)).toBe(START);
  });

  it('lets the messages of a line through one after the other, N in each hour', () => {
    const pace = newPace([
      { at: START, phone: PHONE },
      { at: START + MINUTE, phone: PHONE },
    ]);
    const times = [0, 1, 2, 3, 4].map((ahead) => pace.nextSendToAt(cap, PHONE, START + 2 * MINUTE, ahead));
    const [one, two] = [START + HOUR, START + MINUTE + HOUR];
    expect(times).toEqual([one, two, one + HOUR, two + HOUR, one + 2 * HOUR]);
    expect([0, 1, 2].map((ahead) => pace.nextSendToAt(cap, 'another', START, ahead))).toEqual([
      START,
      START,
      START + HOUR,
    ]);
  });

  it('waits for enough of them when a publish lowers it', () => {
    const sends = [0, 1, 2, 3].map((minute) => ({ at: START + minute * MINUTE, phone: PHONE }));
    expect(newPace(sends).nextSendToAt(cap, PHONE, START + 4 * MINUTE)).toBe(START + 2 * MINUTE + HOUR);
  });
});

describe('what no limit reads', () => {
  it('is neither read nor kept', () => {
    const reads: number[] = [];
    const pace = new Pace({
      tokens: 0,
      at: START,
      past: (since) => reads.push(since),
    });
    sendNow(pace, 10, START, null);
    expect(pace.sendsAllowed(null, START)).toBeGreaterThan(10);
    expect(pace.nextSendToAt(null, PHONE, START)).toBe(START);
    expect(reads).toEqual([]);
    pace.nextSendAt(RATE, START);
    expect(reads).toEqual([START - MINUTE]);
    pace.nextSendToAt({ perHour: 2 }, PHONE, START);
    expect(reads).toEqual([START - MINUTE, START - HOUR]);
  });

  it('is read once, and again after a publish that took the limit away for a while', () => {
    const sends: PastSend[] = [];
    let reads = 0;
    const pace = new Pace({
      tokens: Number.MAX_SAFE_INTEGER,
      at: START,
      past: (since, onSend) => {
        reads += 1;
        past(sends)(since, onSend);
      },
    });
    const send = (at: number, cap: { perHour: number } | null): boolean => {
      if (pace.nextSendToAt(cap, PHONE, at) > at) return false;
      pace.record({ at, phone: PHONE }, null, NO_JITTER);
      sends.push({ at, phone: PHONE });
      return true;
    };
    const cap = { perHour: 3 };
    expect([send(START, cap), send(START + 1, cap)]).toEqual([true, true]);
    expect(reads).toBe(1);
    expect(send(START + 2, null)).toBe(true);
    expect(send(START + 3, cap)).toBe(false);
    expect(reads).toBe(2);
  });
});

/** The part of the log that a claim writes and from which the pace is read back. */
interface Logged {
  readonly tokens: number;
  readonly at: number;
  readonly sends: readonly PastSend[];
}

function rebuild(log: readonly Logged[], now: number): Pace {
  const last = log.at(-1);
  return new Pace({
    tokens: last?.tokens ?? Number.MAX_SAFE_INTEGER,
    at: last?.at ?? now,
    past: past(log.flatMap(({ sends }) => sends)),
  });
}

/** The most sends that any window of `length` ms (its end outside) holds. */
function mostWithin(times: readonly number[], length: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + length).length));
}

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(
      fc.constant(0),
      fc.constant('until allowed' as const),
      fc.nat(3 * SECOND),
      fc.nat(2 * MINUTE),
      fc.nat(HOUR),
    ),
    wanted: fc.integer({ min: 1, max: 12 }),
    restarts: fc.boolean(),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  { minLength: 5, maxLength: 80 },
);

const simulate = (
  rate: { perMinute: number; burst: number },
  cap: { perHour: number },
  trip: typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never,
): readonly PastSend[] => {
  const log: Logged[] = [];
  const phones = ['a', 'b', null];
  let now = START;
  let pace = newPace();
  for (const { waitMs, wanted, restarts, random } of trip) {
    now = waitMs === 'until allowed' ? Math.ceil(pace.nextSendAt(rate, now)) : now + waitMs;
    if (restarts) pace = rebuild(log, now);
    const allowed = pace.sendsAllowed(rate, now);
    expect(allowed > 0).toBe(pace.nextSendAt(rate, now) <= now);
    const sends: PastSend[] = [];
    for (const phone of phones.slice(0, Math.min(wanted, allowed))) {
      if (pace.nextSendToAt(cap, phone, now) > now) continue;
      sends.push({ at: now, phone });
      pace.record({ at: now, phone }, rate, random);
    }
    if (sends.length > 0) log.push({ at: now, tokens: pace.tokens, sends });
  }
  return log.flatMap(({ sends }) => sends);
};

describe('whatever comes when, and whenever the object restarts', () => {
  const rates = fc.record({
    perMinute: fc.integer({ min: 1, max: 60 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  const caps = fc.record({ perHour: fc.integer({ min: 1, max: 6 }) });

  it('no minute has more than `per_minute` sends', () => {
    fc.assert(
      fc.property(rates, caps, steps, (rate, cap, trip) => {
        const times = simulate(rate, cap, trip).map(({ at }) => at);
        expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(rate.perMinute);
      }),
      { numRuns: 300 },
    );
  });

  it('no stretch of time has more sends than the burst and what its length gives', () => {
    fc.assert(
      fc.property(rates, caps, steps, (rate, cap, trip) => {
        const times = simulate(rate, cap, trip).map(({ at }) => at);
        for (const [first, from] of times.entries()) {
          for (const [last, to] of times.slice(first).entries()) {
            const given = rate.burst + ((to - from) * rate.perMinute) / MINUTE;
            expect(last + 1).toBeLessThanOrEqual(given + 1e-6);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('no receiver gets more than `per_hour` in an hour', () => {
    fc.assert(
      fc.property(rates, caps, steps, (rate, cap, trip) => {
        const sends = simulate(rate, cap, trip);
        for (const receiver of ['a', 'b']) {
          const times = sends.filter(({ phone }) => phone === receiver).map(({ at }) => at);
          expect(mostWithin(times, HOUR)).toBeLessThanOrEqual(cap.perHour);
        }
      }),
      { numRuns: 300 },
    );
  });
});
