import { beforeAll, describe, expect, it } from 'vitest';
import { seamsWith } from '../faults/planted.ts';
import { KNOWN } from '../known.ts';
import { compileWorker, type Program } from '../platform/bundle.ts';
import { Finding, type CreateWorld } from '../simulation.ts';
import { createWorld } from '../world/world.ts';
import { runSeed, type RunOptions, type RunResult } from './run-seed.ts';
import { traceLine } from './trace.ts';

let program: Program;
beforeAll(async () => {
  program = await compileWorker();
});

const KNOWN_RULES = new Set(KNOWN.map(({ rule }) => rule));

/** Runs a seed; returns what came of it, and its trace. */
async function run(
  seed: number,
  options: Partial<RunOptions> = {},
): Promise<{ readonly result: RunResult; readonly trace: readonly string[] }> {
  const trace: string[] = [];
  const result = await runSeed({
    program,
    createWorld,
    seed,
    hours: 1,
    isFaulty: true,
    only: null,
    known: KNOWN_RULES,
    seams: seamsWith(null),
    onTrace: (entry) => void trace.push(traceLine(entry, 0)),
    ...options,
  });
  return { result: { ...result, cpuMs: 0 }, trace };
}

const nothingHappens: CreateWorld = () => ({
  settleMs: 1_000,
  isQuiet: () => true,
  atQuiet: () => Promise.resolve(),
});

/** A rule is broken after a minute. */
const broken: CreateWorld = (simulation, bindings) => {
  simulation.spawn('a rule', async () => {
    await simulation.sleep(60_000);
    simulation.report('a known rule', 'is broken');
  });
  return createWorld(simulation, bindings);
};

describe('one seed', () => {
  it.each([1, 2, 3, 4])('gives one run, byte for byte: %i', async (seed) => {
    const first = await run(seed);
    const second = await run(seed);
    expect(second.trace.join('\n')).toBe(first.trace.join('\n'));
    expect(second.result).toEqual(first.result);
    expect(first.trace.length).toBeGreaterThan(20);
  });

  it('gives the first part of its run when it is run for less time', async () => {
    const [short, long] = [await run(11, { hours: 0.5 }), await run(11)];
    const until = short.trace.findIndex((line) => line.includes('faults end'));
    expect(until).toBeGreaterThan(20);
    expect(long.trace.slice(0, until)).toEqual(short.trace.slice(0, until));
  });

  it('gives another run than the next', async () => {
    const [one, next] = [await run(12), await run(13)];
    expect(one.trace).not.toEqual(next.trace);
  });
});

describe('a run', () => {
  it('in which no message is sent fails as vacuous', async () => {
    const { result } = await run(1, { createWorld: nothingHappens });
    expect(result.finding).toMatchObject({ rule: 'vacuous', message: 'no message was sent' });
  });

  it('in which faults were planned and none struck fails as vacuous', async () => {
    // All of the world happens, and none of the platform's faults.
    const { result } = await run(9, { hours: 3 });
    const world = result.decisions.filter((name) => !name.startsWith('fault.'));
    expect(world.length).toBeLessThan(result.decisions.length);
    const calm = await run(9, { hours: 3, only: new Set(world) });
    expect(calm.result.finding).toMatchObject({ rule: 'vacuous' });
  });

  it('whose model finds something ends with it', async () => {
    const { result } = await run(3, {
      createWorld: (simulation, bindings) => {
        const world = createWorld(simulation, bindings);
        simulation.spawn('a rule', async () => {
          await simulation.sleep(60_000);
          throw new Finding('a rule', 'is broken');
        });
        return world;
      },
    });
    expect(result.finding).toMatchObject({ rule: 'a rule', message: 'is broken' });
  });

  it('goes on after what is known', async () => {
    const { result } = await run(3, {
      createWorld: broken,
      known: new Set([...KNOWN_RULES, 'a known rule']),
    });
    expect(result.finding).toBeNull();
    expect(result.counts['known.a known rule']).toBe(1);
  });
});
