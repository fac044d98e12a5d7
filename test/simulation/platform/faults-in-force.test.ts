import { expect, test } from 'vitest';
import { PLACES } from '../simulation.ts';
import type { Fault } from './fault-plan.ts';
import { FaultsInForce } from './faults-in-force.ts';
import { evict as evictAt, passSteps, START } from './harness.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';

const [HERE] = PLACES;
const evict = (skip: number): Fault => ({ ...evictAt('at an await', skip, 10), name: `evict ${skip}` });
const full: Fault = { kind: 'full disk', name: 'full', at: START + 10, until: START + 20, object: 'Outbox/' };

/** The clock of a machine is off by so much. */
const back = (name: string, at: number, ms: number): Fault => {
  const times = { at: START + at, until: START + at + 10 };
  return { kind: 'clock', name, ...times, machine: 'fra-1', ms };
};

const fails = (name: string, at: number, until: number): Fault => {
  const times = { at: START + at, until: START + until };
  return { kind: 'KV write fails', name, ...times, place: HERE, ms: 0 };
};

function begin(plan: readonly Fault[]) {
  const random = new SeededRandom('faults');
  const scheduler = new Scheduler(START, random.fork('order'));
  const struck: string[] = [];
  const deps = {
    scheduler,
    random: random.fork('in force'),
    trace: ({ what }: { readonly what: string }) => void struck.push(what),
    count: () => undefined,
    loseIsolate: (machine: string) => void struck.push(`lose ${machine}`),
    deploy: () => void struck.push('deploy'),
  };
  const faults = new FaultsInForce(deps, plan);
  return { faults, struck, pass: (ms: number) => passSteps(scheduler, START + ms) };
}

test('a fault that waits for its moment strikes once, after as many of its own moments as it lets pass', async () => {
  const { faults, struck, pass } = begin([evict(2)]);
  const tries = (): unknown[] => [1, 2, 3, 4].map(() => faults.evictionAt('Outbox/one', 'at an await'));
  expect(tries()).toEqual([null, null, null, null]);
  await pass(10);
  expect(faults.evictionAt('Registry/one', 'at an await')).toBeNull();
  expect(faults.evictionAt('Outbox/one', 'with a call under way')).toBeNull();
  expect(tries()).toEqual([null, null, 'connection', null]);
  expect(struck).toEqual(['evict 2']);
});

test('a fault that lasts is in force from its time to its end, where it is, and is reported once, when it changes something', async () => {
  const { faults, struck, pass } = begin([full]);
  const where = (): boolean[] => ['Outbox/one', 'Registry/one'].map((object) => faults.isFull(object));
  expect(where()).toEqual([false, false]);
  await pass(15);
  expect(struck).toEqual([]);
  expect([where(), where()]).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(struck).toEqual(['full']);
  await pass(20);
  expect(where()).toEqual([false, false]);
});

test('clocks are off on one machine, and were wrong by the most that somebody saw since then', async () => {
  const plan = [back('early', 10, -9_000), back('late', 30, -3_000), back('unseen', 50, -99_000)];
  const { faults, pass } = begin(plan);
  const seen: number[][] = [];
  for (const ms of [15, 25, 35, 45]) {
    await pass(ms);
    seen.push(['fra-1', 'fra-2'].map((machine) => faults.clockOffMs(machine)));
  }
  expect(seen).toEqual([
    [-9_000, 0],
    [0, 0],
    [-3_000, 0],
    [0, 0],
  ]);
  expect([0, 25, 45].map((ms) => faults.worstClockMs(START + ms))).toEqual([9_000, 3_000, 0]);
});

test('KV has failed until the end of the last failure, and a disk is full since the time, that somebody saw', async () => {
  const { faults, pass } = begin([fails('seen', 10, 20), fails('unseen', 30, 40), full]);
  await pass(15);
  expect([faults.kvFailedUntil(START), faults.diskFullSince(START)]).toEqual([null, null]);
  expect([faults.failsKv(HERE, 'put'), faults.isFull('Outbox/one')]).toEqual([true, true]);
  expect([0, 20].map((ms) => faults.diskFullSince(START + ms))).toEqual([START + 10, null]);
  await pass(35);
  expect([0, 20].map((ms) => faults.kvFailedUntil(START + ms))).toEqual([START + 20, null]);
});

test('the end of faults ends what is in force and what is to come', async () => {
  const { faults, struck, pass } = begin([
    full,
    evict(0),
    { kind: 'deploy', name: 'deploy#1', at: START + 30 },
  ]);
  await pass(15);
  faults.end();
  expect([faults.isFull('Outbox/one'), faults.evictionAt('Outbox/one', 'at an await')]).toEqual([
    false,
    null,
  ]);
  await pass(100);
  expect(struck).toEqual([]);
});

test('an isolate is lost at its time', async () => {
  const { struck, pass } = begin([{ kind: 'isolate lost', name: 'lost', at: START + 10, machine: 'fra-2' }]);
  await pass(100);
  expect(struck).toEqual(['lost', 'lose fra-2']);
});
