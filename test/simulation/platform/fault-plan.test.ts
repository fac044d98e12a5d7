import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KINDS, planFaults, type Fault } from './fault-plan.ts';
import { MINUTE, RUNS, START, startBench } from './harness.ts';
import { SeededRandom } from './random.ts';

const HOUR = 60 * MINUTE;
const MACHINES = ['fra-1', 'fra-2', 'iad-1'];
const SEED = fc.nat(10_000);

const plan = (seed: number, hours: number): readonly Fault[] =>
  planFaults(new SeededRandom(`seed ${seed}`), {
    startAt: START,
    duration: hours * HOUR,
    machines: MACHINES,
  });

/** It strikes at its time, whatever happens then. */
const isSudden = ({ kind }: Fault): boolean => kind === 'deploy' || kind === 'isolate lost';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

test('the faults of a run are the first part of those of a longer run, begin within it, in the order of time, each with a name of its own', () => {
  const HOURS = fc.double({ min: 0.1, max: 30, noNaN: true });
  fc.assert(
    fc.property(SEED, HOURS, fc.nat(30), (seed, hours, more) => {
      const [faults, end] = [plan(seed, hours), START + hours * HOUR];
      expect(faults).toEqual(plan(seed, hours + more).filter(({ at }) => at < end));
      const times = faults.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((at) => at >= START && at < end)).toBe(true);
      expect(new Set(faults.map(({ name }) => name)).size).toBe(times.length);
    }),
    RUNS,
  );
});

test('the faults of a run that last end after they begin, and a clock never runs ahead', () => {
  for (const fault of SEEDS.flatMap((seed) => plan(seed, 24))) {
    if ('until' in fault) expect(fault.until).toBeGreaterThan(fault.at);
    if (fault.kind === 'clock') expect(fault.ms).toBeLessThan(0);
    // A place shows nothing that was replaced longer ago.
    if (fault.kind === 'KV behind') expect(fault.ms).toBeLessThanOrEqual(MINUTE);
  }
});

test('the faults of a run differ between seeds: each kind is there in some, and missing in others', () => {
  const kinds = SEEDS.map((seed) => new Set(plan(seed, 24).map(({ kind }) => kind)));
  const all = new Set(kinds.flatMap((some) => [...some]));
  expect(all).toEqual(new Set(KINDS));
  for (const kind of all) {
    const share = kinds.filter((some) => some.has(kind)).length / SEEDS.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.95);
  }
});

test('a fault that is left out changes no other one', async () => {
  const seed = SEEDS.find((one) => plan(one, 24).filter(isSudden).length > 5) ?? 0;
  const faults = plan(seed, 24);
  const strike = async (only: readonly Fault[]) => {
    const bench = startBench(() => ({}), { faults, only: new Set(only.map(({ name }) => name)) });
    await bench.pass(24 * HOUR);
    return bench.trace;
  };
  const all = await strike(faults);
  expect(all.length).toBeGreaterThan(5);
  for (const fault of faults.filter(isSudden))
    expect(await strike(faults.filter((one) => one !== fault))).toEqual(
      all.filter(({ what }) => what !== fault.name),
    );
});
