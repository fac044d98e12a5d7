import { buildBundles, type Bundles } from './build.ts';
import { crash, crashFaults } from './crash.ts';
import { crashHandOn, handOnCrashFaults } from './crash-hand-on.ts';
import { crashGroups, groupCrashFaults } from './crash-groups.ts';
import { outage, outageFaults } from './outage.ts';
import { seeded, seedOfRun } from './random.ts';
import { storm, stormFaults } from './storm.ts';

const DEFAULT_MINUTES = 30;

/** `SOAK_KILLS`: how often each round kills the relay; else a few times, by its seed. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 0);
const MANY = { webhooks: 20 * KILLS, kills: KILLS };

/** One way to try to break the relay; returns which guarantees it broke. */
type Round = (bundles: Bundles, seed: number) => Promise<readonly string[]>;

const crashRound =
  (onUncertain: 'retry' | 'hold'): Round =>
  async (bundles, seed) => {
    const size = seeded(seed);
    const options = KILLS === 0 ? { webhooks: size.between(200, 2_000), kills: size.between(3, 20) } : MANY;
    return crashFaults(await crash(bundles, { seed, onUncertain, ...options }));
  };

const groupRound =
  (onUncertain: 'retry' | 'hold'): Round =>
  async (bundles, seed) => {
    const size = seeded(seed);
    const options = KILLS === 0 ? { webhooks: size.between(100, 1_000), kills: size.between(3, 20) } : MANY;
    return groupCrashFaults(await crashGroups(bundles, { seed, onUncertain, ...options }));
  };

const handOnRound: Round = async (bundles, seed) => {
  const options = KILLS === 0 ? {} : { kills: KILLS };
  return handOnCrashFaults(await crashHandOn(bundles, { seed, ...options }));
};

/** `SOAK_ONLY` names those that are to be run, by a part of their names. */
const ROUNDS: Readonly<Record<string, Round>> = {
  'crash, retry': crashRound('retry'),
  'crash, hold': crashRound('hold'),
  'groups, retry': groupRound('retry'),
  'groups, hold': groupRound('hold'),
  'hand-on': handOnRound,
  outage: async (bundles) => outageFaults(await outage(bundles)),
  storm: async (bundles) => stormFaults(await storm(bundles)),
};

/**
 * `npm run soak`: the proofs again and again, each round with a seed of its own, for `SOAK_MINUTES`. Stops at the first
 * broken guarantee and prints its seed; `SEED=…` begins with that one. A hundred kills in one round:
 * `SOAK_KILLS=100 SOAK_ONLY=crash SOAK_MINUTES=1 npm run soak`.
 */
async function main(): Promise<void> {
  const only = process.env['SOAK_ONLY'] ?? '';
  if (!Object.keys(ROUNDS).some((name) => name.includes(only)))
    throw new Error(`SOAK_ONLY: nothing is ${only}`);
  const endAt = Date.now() + readMinutes() * 60_000;
  const bundles = buildBundles();
  for (let seed = seedOfRun(); Date.now() < endAt; seed += 1) {
    for (const [name, round] of Object.entries(ROUNDS)) {
      if (!name.includes(only)) continue;
      const startedAt = Date.now();
      const faults = await round(bundles, seed);
      const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
      print(`${name.padEnd(13)} SEED=${seed}  ${seconds} s  ${faults.length === 0 ? 'holds' : 'BROKEN'}`);
      if (faults.length > 0) {
        for (const fault of faults) print(`  ${fault}`);
        process.exitCode = 1;
        return;
      }
    }
  }
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function readMinutes(): number {
  const text = process.env['SOAK_MINUTES'];
  if (text === undefined || text === '') return DEFAULT_MINUTES;
  const minutes = Number(text);
  if (minutes > 0) return minutes;
  throw new Error(`SOAK_MINUTES must be a number above 0, not ${text}`);
}

// An exit ends the runtimes as well; a signal alone would leave them behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await main();
