import fc from 'fast-check';
import { expect } from 'vitest';
import { OUTCOMES } from '../../src/gateway/outcome.ts';
import { Checkpoint, Flight } from '../../src/outbox/send/claims.ts';
import { isLimited } from '../../src/outbox/send/pace.ts';
import { MAX_IN_FLIGHT, type Wait } from '../../src/outbox/send/timing.ts';
import { parseAttempts } from '../../src/outbox/state/message.ts';
import { isDue } from '../../src/schema/states.ts';
import { Bench } from './bench.ts';
import { diskOf, isRecord, type Disk } from './full-disk.ts';
import { it } from './it.ts';
import { allRows, ANSWERS, draft, empty, HOUR, MINUTE, SECOND } from './support.ts';

const drafts = fc
  .record({
    phone: fc.constantFrom('a', 'a', 'b', 'c', 'd', null),
    onUncertain: fc.constantFrom('retry', 'hold'),
    priority: fc.constantFrom('normal', 'normal', 'high'),
    delayMs: fc.constantFrom(0, 0, 0, SECOND, MINUTE),
    expiresMs: fc.constantFrom(null, null, null, 10 * MINUTE),
  })
  .map(draft);

const ACTS = ['restart', 'pause', 'resume', 'resume', 'next', 'sweep', 'fill'] as const;

/** What happens next. The other values are for the acts that need them. */
const steps = fc.record({
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constant('accept') },
    { weight: 5, arbitrary: fc.constant('answer') },
    { weight: 2, arbitrary: fc.constant('pass') },
    { weight: 4, arbitrary: fc.constantFrom(...ACTS) },
  ),
  drafts: fc.array(drafts, { maxLength: 4 }),
  which: fc.nat(5),
  outcome: fc.constantFrom('sent', 'sent', 'sent', ...OUTCOMES),
  ms: fc.oneof(fc.nat(SECOND), fc.nat(HOUR)),
  writes: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

async function take(bench: Bench, disk: Disk, step: Step): Promise<void> {
  if (step.act === 'accept') await bench.accept(...step.drafts);
  else if (step.act === 'answer') await bench.open[step.which]?.answer(ANSWERS[step.outcome]);
  else if (step.act === 'fill') disk.fails = step.writes;
  else if (step.act === 'pass') await bench.pass(step.ms);
  else if (step.act === 'next') await bench.passToNextRun();
  // The bench itself expects that the new object counts what the old one has counted.
  else if (step.act === 'restart') bench.restart();
  else if (step.act === 'sweep') bench.sweep();
  else bench.meta.pause = step.act === 'resume' ? null : { at: bench.now, by: 'token', code: 'paused' };
  if (step.act === 'resume') await bench.wake();
}

/** Everything the gateway is asked is answered well from here on. */
async function finish(bench: Bench, disk: Disk): Promise<void> {
  disk.fails = 0;
  // An attempt that is still to be recorded may pause the account.
  await bench.wake();
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
function expectKnown({ claims: { flight }, made, now, policy }: Bench, storage: DurableObjectStorage): void {
  const checkpoint = new Checkpoint(storage);
  const known = new Flight(storage.sql, checkpoint.last?.flight ?? []);
  expect(inOrder(known.seqs())).toEqual(inOrder(flight.seqs()));
  const sends: number[] = [];
  checkpoint.readSends(now - HOUR, (at) => sends.push(at));
  const paced = isLimited(policy) ? made : [];
  expect(sends).toEqual(paced.map(({ at }) => at).filter((at) => at > now - HOUR));
}

type Accepted = ReadonlyMap<number, Step['drafts'][number] & { at: number }>;

/**
 * No more calls than may be, one a receiver; what is open is found again; what a message waits for can be. Returns the
 * times before which messages are not to go; that of the circuit may come sooner.
 */
function expectSane(bench: Bench, accepted: Accepted, sql: SqlStorage): ReadonlyMap<number, number> {
  const until = new Map<number, number>();
  const { claims, made, now } = bench;
  const phones = bench.open.flatMap(({ phone }) => (phone === null ? [] : [phone]));
  expect(bench.open.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  expect(new Set(phones).size).toBe(phones.length);
  for (const row of allRows(sql)) {
    const { state, seq, next_at, phone } = row;
    if (!isDue(state)) expect(next_at).toBeNull();
    else if (next_at === null) expect(seq > claims.queue.cursor || claims.flight.has(seq)).toBe(true);
    if (!isDue(state) || claims.flight.has(seq)) continue;
    const wait: Wait = bench.timing.waitOf(row, bench.policy, now);
    const sends = made.filter(
      (call) =>
        call.phone === phone &&
        call.at > now - HOUR &&
        (accepted.get(call.seq)?.priority === 'high') === (row.priority === 1),
    );
    if (wait.for === 'receiver') expect(sends.length).toBe(wait.per_hour);
    if (wait.for === 'retry') expect([state, wait.until]).toEqual(['retrying', next_at]);
    if (wait.for !== 'circuit') until.set(seq, wait.until ?? 0);
  }
  return until;
}

/** Retries, delayed and urgent messages aside, a receiver gets its messages as they were accepted; none too late. */
function expectOrder({ made }: Bench, accepted: Accepted) {
  const newest = new Map<string, number>();
  const tried = new Set<number>();
  for (const { seq, phone, at } of made) {
    const one = accepted.get(seq);
    expect(at).toBeLessThan((one?.at ?? 0) + (one?.expiresMs ?? Infinity));
    expect(at).toBeGreaterThanOrEqual((one?.at ?? Infinity) + (one?.delayMs ?? 0));
    const isPlain = one?.priority === 'normal' && one.delayMs === 0 && !tried.has(seq);
    tried.add(seq);
    if (!isPlain || phone === null) continue;
    expect(seq).toBeGreaterThan(newest.get(phone) ?? 0);
    newest.set(phone, seq);
  }
}

function expectAllEnded({ called }: Bench, sql: SqlStorage): void {
  for (const row of allRows(sql)) {
    expect(['sent', 'dead', 'uncertain', 'expired']).toContain(row.state);
    const attempts = parseAttempts(row.attempts);
    expect(attempts.map(({ n }) => n)).toEqual(attempts.map((_, index) => index + 1));
    // No call without a record, and no record without a call.
    expect(called.filter((seq) => seq === row.seq)).toHaveLength(attempts.length);
    const uncertain = attempts.filter(({ outcome }) => outcome === 'uncertain').length;
    if (row.on_uncertain === 'hold') expect(uncertain).toBe(row.state === 'uncertain' ? 1 : 0);
  }
}

/** The counters add up to what the rows say. */
function expectCounted(bench: Bench, sql: SqlStorage): void {
  bench.restart();
  const totals = Object.entries(bench.claims.counters.totals);
  const sum = (prefix: string): number =>
    totals.reduce((all, [key, n]) => (key.startsWith(prefix) ? all + n : all), 0);
  const rows = allRows(sql);
  const inState = (state: string): number => rows.filter((row) => row.state === state).length;
  const counted = ['message shop queued', 'message shop sent', 'message shop expired', 'attempt '].map(sum);
  const attempts = rows.reduce((all, row) => all + parseAttempts(row.attempts).length, 0);
  expect(counted).toEqual([rows.length, inState('sent'), inState('expired'), attempts]);
}

/** Urgent messages have an hour of their own. */
function expectPace({ made, policy: { rate, perRecipient } }: Bench, accepted: Accepted): void {
  const isUrgent = ({ seq }: (typeof made)[number]): boolean => accepted.get(seq)?.priority === 'high';
  for (const [index, call] of made.entries()) {
    const { at, phone } = call;
    if (rate !== null)
      expect((made[index + rate.perMinute]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(MINUTE);
    if (perRecipient === null || phone === null) continue;
    const toPhone = made
      .slice(index)
      .filter((one) => one.phone === phone && isUrgent(one) === isUrgent(call));
    expect((toPhone[perRecipient.perHour]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(HOUR);
  }
}

it('whatever happens, nothing is lost, sent twice, too soon or in another order', ({ storage }) => {
  const { sql } = storage;
  const disk = diskOf(sql, isRecord);
  const rates = fc.constantFrom(null, { perMinute: 6, burst: 2 }, { perMinute: 60, burst: 5 });
  const caps = fc.constantFrom(null, { perHour: 2 });
  const trips = fc.asyncProperty(fc.array(steps, { maxLength: 40 }), rates, caps, async (list, rate, cap) => {
    empty(sql);
    disk.fails = 0;
    const bench = new Bench(storage, { rate, perRecipient: cap, circuit: { failures: 3, probeMs: MINUTE } });
    const accepted = new Map<number, Step['drafts'][number] & { at: number }>();
    let held: ReadonlyMap<number, number> = new Map();
    for (const step of list) {
      const next = accepted.size + 1;
      if (step.act === 'accept')
        step.drafts.forEach((one, at) => accepted.set(next + at, { ...one, at: bench.now }));
      const made = bench.made.length;
      await take(bench, disk, step);
      for (const { seq, at } of bench.made.slice(made)) expect(at).toBeGreaterThanOrEqual(held.get(seq) ?? 0);
      expectKnown(bench, storage);
      held = expectSane(bench, accepted, sql);
    }
    await finish(bench, disk);
    expectSane(bench, accepted, sql);
    expectAllEnded(bench, sql);
    expectPace(bench, accepted);
    expectOrder(bench, accepted);
    if (!list.some(({ act }) => act === 'sweep')) expectCounted(bench, sql);
  });
  return fc.assert(trips, { numRuns: 200 });
});
