import { buildBundles } from './build.ts';
import { crashGroups } from './groups.ts';
import './program.ts';
import { PROOFS, type Proof } from './proofs.ts';
import { seeded, seedOfRun } from './random.ts';

const DEFAULT_MINUTES = 30;

/** `SOAK_KILLS`: how often each round kills the relay; else a few times, by its seed. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 0);

const ALL: Readonly<Record<string, Proof>> = {
  ...PROOFS,
  'groups, hold': (bundles, seed, size) => crashGroups(bundles, { seed, onUncertain: 'hold', ...size }),
};

function sizeOf(seed: number): { readonly webhooks: number; readonly kills: number } {
  if (KILLS > 0) return { webhooks: 20 * KILLS, kills: KILLS };
  const size = seeded(seed);
  return { webhooks: size.between(100, 2_000), kills: size.between(3, 20) };
}

/**
 * `npx node test/e2e/soak.ts`: the proofs again and again, each round with a seed of its own, for `SOAK_MINUTES`. Stops at the first
 * broken guarantee and prints its seed; `SEED=…` begins with that one. `SOAK_ONLY` names those that are to be run, by a part of
 * their names. A hundred kills in one round: `SOAK_KILLS=100 SOAK_ONLY=crash SOAK_MINUTES=1`.
 */
async function main(): Promise<void> {
  const only = process.env['SOAK_ONLY'] ?? '';
  const proofs = Object.entries(ALL).filter(([name]) => name.includes(only));
  if (proofs.length === 0) throw new Error(`SOAK_ONLY: nothing is ${only}`);
  const endAt = Date.now() + readMinutes() * 60_000;
  const bundles = buildBundles();
  for (let seed = seedOfRun(); Date.now() < endAt; seed += 1) {
    for (const [name, proof] of proofs) {
      const faults = await proof(bundles, seed, sizeOf(seed));
      print(`${name.split(':')[0]?.padEnd(13)} SEED=${seed}  ${faults.length === 0 ? 'holds' : 'BROKEN'}`);
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

await main();
