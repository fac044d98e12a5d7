import { describe, expect, test } from 'vitest';
import { PLACES, type TraceEntry } from '../simulation.ts';
import type { Fault } from './fault-plan.ts';
import { FaultsInForce } from './faults-in-force.ts';
import { passSteps, START } from './harness.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';

const evict = (skip: number): Fault => ({
  kind: 'evict',
  name: `evict ${skip}`,
  at: START + 10,
  object: 'Outbox/',
  moment: 'at an await',
  skip,
  loss: 'memory',
});

const full: Fault = { kind: 'full disk', name: 'full', at: START + 10, until: START + 20, object: 'Outbox/' };
const back = (name: string, at: number, ms: number): Fault => ({
  kind: 'clock',
  name,
  at: START + at,
  until: START + at + 10,
  machine: 'fra-1',
  ms,
});

const fails = (name: string, at: number, until: number): Fault => ({
  kind: 'KV write fails',
  name,
  at: START + at,
  until: START + until,
  place: PLACES[0],
  ms: 0,
});

function begin(plan: readonly Fault[]) {
  const random = new SeededRandom('faults');
  const scheduler = new Scheduler(START, random.fork('order'));
  const struck: string[] = [];
  const faults = new FaultsInForce(
    {
      scheduler,
      random: random.fork('in force'),
      trace: ({ what }: Omit<TraceEntry, 'at'>) => void struck.push(what),
      count: () => undefined,
      loseIsolate: (machine) => void struck.push(`lose ${machine}`),
      deploy: () => void struck.push('deploy'),
    },
    plan,
  );
  return { faults, struck, pass: (ms: number) => passSteps(scheduler, START + ms) };
}

describe('a fault that waits for its moment', () => {
  test('strikes once, after as many such moments as it lets pass', async () => {
    const { faults, struck, pass } = begin([evict(2)]);
    const tries = (): unknown[] => [1, 2, 3, 4].map(() => faults.evictionAt('Outbox/one', 'at an await'));
    expect(tries()).toEqual([null, null, null, null]);
    await pass(10);
    expect(tries()).toEqual([null, null, 'memory', null]);
    expect(struck).toEqual(['evict 2']);
  });

  test('lets the moments of others pass without counting them', async () => {
    const { faults, pass } = begin([evict(0)]);
    await pass(10);
    expect(faults.evictionAt('Registry/one', 'at an await')).toBeNull();
    expect(faults.evictionAt('Outbox/one', 'with a call under way')).toBeNull();
    expect(faults.evictionAt('Outbox/one', 'at an await')).toBe('memory');
  });
});

describe('a fault that lasts', () => {
  test('is in force from its time to its end, and only where it is', async () => {
    const { faults, pass } = begin([full]);
    const where = (): boolean[] => ['Outbox/one', 'Registry/one'].map((object) => faults.isFull(object));
    expect(where()).toEqual([false, false]);
    await pass(10);
    expect(where()).toEqual([true, false]);
    await pass(20);
    expect(where()).toEqual([false, false]);
  });

  test('strikes when it changes something, and is reported once', async () => {
    const { faults, struck, pass } = begin([full]);
    await pass(15);
    expect(struck).toEqual([]);
    faults.isFull('Outbox/one');
    faults.isFull('Outbox/one');
    expect(struck).toEqual(['full']);
  });
});

describe('clocks', () => {
  test('are off on one machine, by as much as the fault says', async () => {
    const { faults, pass } = begin([back('back', 10, -5_000)]);
    await pass(15);
    expect([faults.clockOffMs('fra-1'), faults.clockOffMs('fra-2')]).toEqual([-5_000, 0]);
    await pass(20);
    expect(faults.clockOffMs('fra-1')).toBe(0);
  });

  test('were wrong by the most that somebody saw since then', async () => {
    const { faults, pass } = begin([
      back('early', 10, -9_000),
      back('late', 30, -3_000),
      back('unseen', 50, -99_000),
    ]);
    await pass(15);
    faults.clockOffMs('fra-1');
    await pass(35);
    faults.clockOffMs('fra-1');
    expect([
      faults.worstClockMs(START),
      faults.worstClockMs(START + 25),
      faults.worstClockMs(START + 45),
    ]).toEqual([9_000, 3_000, 0]);
  });
});

describe('KV', () => {
  test('has failed until the end of the last failure that somebody saw', async () => {
    const { faults, pass } = begin([fails('seen', 10, 20), fails('unseen', 30, 40)]);
    await pass(15);
    expect(faults.kvFailedUntil(START)).toBeNull();
    expect(faults.failsKv(PLACES[0], 'put')).toBe(true);
    await pass(35);
    expect([faults.kvFailedUntil(START), faults.kvFailedUntil(START + 20)]).toEqual([START + 20, null]);
  });
});

describe('a full disk', () => {
  test('is known with the time since when it is full, and for as long after as one asks for', async () => {
    const { faults, pass } = begin([full]);
    expect(faults.diskFullSince(START)).toBeNull();
    await pass(15);
    expect(faults.isFull('Outbox/one')).toBe(true);
    expect([faults.diskFullSince(START), faults.diskFullSince(START + 20)]).toEqual([START + 10, null]);
  });
});

describe('the end of faults', () => {
  test('ends what is in force and what is to come', async () => {
    const deploy: Fault = { kind: 'deploy', name: 'deploy#1', at: START + 30 };
    const { faults, struck, pass } = begin([full, evict(0), deploy]);
    await pass(15);
    faults.end();
    expect([faults.isFull('Outbox/one'), faults.evictionAt('Outbox/one', 'at an await')]).toEqual([
      false,
      null,
    ]);
    await pass(100);
    expect(struck).toEqual([]);
  });

  test('is not needed for what strikes at its time', async () => {
    const lose: Fault = { kind: 'isolate lost', name: 'lost', at: START + 10, machine: 'fra-2' };
    const { struck, pass } = begin([lose]);
    await pass(100);
    expect(struck).toEqual(['lost', 'lose fra-2']);
  });
});
