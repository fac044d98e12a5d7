import { expect, it } from 'vitest';
import { seamsWith } from '../faults/planted.ts';
import { compileWorker } from '../platform/bundle.ts';
import { createWorld } from '../world/world.ts';
import { runSeed, type RunOptions, type RunResult } from './run-seed.ts';
import { traceLine } from './trace.ts';

const program = compileWorker();

interface Ran {
  readonly result: RunResult;
  readonly trace: readonly string[];
}

/** Runs a seed; returns what came of it, and its trace. */
async function run(seed: number, options: Partial<RunOptions> = {}): Promise<Ran> {
  const trace: string[] = [];
  const result = await runSeed({
    program: await program,
    createWorld,
    seed,
    hours: 1,
    isFaulty: true,
    only: null,
    seams: seamsWith(null),
    onTrace: (entry) => void trace.push(traceLine(entry, 0)),
    ...options,
  });
  return { result: { ...result, cpuMs: 0 }, trace };
}

it('one seed gives one run, byte for byte, and its first part when it is run for less time', async () => {
  const [first, second, short] = [await run(11), await run(11), await run(11, { hours: 0.5 })];
  expect(second).toEqual(first);
  const until = short.trace.findIndex((line) => line.includes('faults end'));
  expect(until).toBeGreaterThan(20);
  expect(first.trace.slice(0, until)).toEqual(short.trace.slice(0, until));
});

it('a run in which no message is sent, or no planned fault strikes, fails as vacuous', async () => {
  const silent = await run(1, {
    createWorld: () => ({ settleMs: 1_000, isQuiet: () => true, atQuiet: () => Promise.resolve() }),
  });
  expect(silent.result.finding).toMatchObject({ rule: 'vacuous', message: 'no message was sent' });
  // All of the world happens, and none of the platform's faults.
  const { result } = await run(9, { hours: 3 });
  const world = result.decisions.filter((name) => !name.startsWith('fault.'));
  expect(world.length).toBeLessThan(result.decisions.length);
  const calm = await run(9, { hours: 3, only: new Set(world) });
  expect(calm.result.finding).toMatchObject({ rule: 'vacuous' });
});

it('a run ends with what its model finds', async () => {
  const { result } = await run(3, {
    createWorld: (simulation, bindings) => {
      simulation.spawn('a rule', async () => {
        await simulation.sleep(60_000);
        simulation.report('a rule', 'is broken');
      });
      return createWorld(simulation, bindings);
    },
  });
  expect(result.finding).toMatchObject({ rule: 'a rule', message: 'is broken' });
});
