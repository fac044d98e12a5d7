import { Finding } from '../simulation.ts';
import type { CreateWorld, Random, TraceEntry } from '../simulation.ts';
import type { Program } from '../platform/bundle.ts';
import { planFaults, type Fault } from '../platform/fault-plan.ts';
import { ALL_MACHINES, ONE_MACHINE, type Machine } from '../platform/isolate.ts';
import { Platform } from '../platform/platform.ts';
import { SeededRandom } from '../platform/random.ts';
import { watched, type Seams } from '../platform/seams.ts';
import { passTime } from './pass-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Runs begin in these two years. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAYS = 730;
/** Days on which clocks change in Europe or the United States. */
const CLOCK_CHANGES = [
  Date.UTC(2026, 2, 8),
  Date.UTC(2026, 2, 29),
  Date.UTC(2026, 9, 25),
  Date.UTC(2026, 10, 1),
];

/** The time between two checks that all is quiet, in simulated ms. */
const LOOK_MS = 60_000;
const MOST_LOOKS = 1_000;

/** Of this many, at least one strikes; fewer may meet nobody. */
const MANY_FAULTS = 8;

export interface RunOptions {
  readonly program: Program;
  readonly createWorld: CreateWorld;
  readonly seed: number;
  readonly hours: number;
  readonly isFaulty: boolean;
  /** A planted fault. */
  readonly seams: (random: Random) => Seams;
  /** The only decisions and faults that happen; null: all. */
  readonly only: ReadonlySet<string> | null;
  readonly onTrace: ((entry: TraceEntry) => void) | null;
  readonly onTurn?: (platform: Platform) => void;
}

/** The result of one run. */
export interface RunResult {
  readonly seed: number;
  readonly hours: number;
  /** Null: nothing was found. */
  readonly finding: { readonly rule: string; readonly message: string; readonly atMs: number } | null;
  readonly counts: Readonly<Record<string, number>>;
  /** How often a planted fault has changed anything. */
  readonly struck: number;
  /** The names of all decisions that were taken and of all faults, to choose from when shrinking. */
  readonly decisions: readonly string[];
  readonly cpuMs: number;
  /** The time that was simulated, until all was quiet (ms). */
  readonly simulatedMs: number;
}

/** Runs the relay in the world of one seed. */
export async function runSeed(options: RunOptions): Promise<RunResult> {
  const { seed, hours } = options;
  const cpuBefore = process.cpuUsage();
  const setting = settingOf(new SeededRandom(`seed ${seed}`).fork('setting'));
  const duration = Math.round(hours * HOUR_MS);
  const { startAt } = setting;
  let plan: readonly Fault[] = [];
  let struck = 0;
  const platform = new Platform({
    program: options.program,
    seed,
    startAt,
    duration,
    callsPerInvocation: setting.callsPerInvocation,
    keepsIdle: setting.keepsIdle,
    machines: setting.machines,
    seams: watched(options.seams(new SeededRandom(`seed ${seed}`).fork('planted')), () => (struck += 1)),
    only: options.only,
    onTrace: options.onTrace,
    faults: (random, machines) => {
      plan = options.isFaulty ? planFaults(random, { startAt, duration, machines }) : [];
      return plan;
    },
  });
  Object.assign(platform.bindings, setting.bindings);
  const finding = await inWorld(platform, options).then(
    () => vacuity(platform, plan.length >= MANY_FAULTS),
    (thrown: unknown) => thrown,
  );
  const decisions = [...platform.decided].flatMap(([what, count]) =>
    Array.from({ length: count }, (_, n) => `${what}#${n}`),
  );
  const cpu = process.cpuUsage(cpuBefore);
  const result: RunResult = {
    seed,
    hours,
    finding: finding === null ? null : { ...described(finding), atMs: platform.now() - startAt },
    counts: { ...platform.counts },
    struck,
    decisions: [...plan.map(({ name }) => name), ...decisions],
    cpuMs: (cpu.user + cpu.system) / 1_000,
    simulatedMs: platform.now() - startAt,
  };
  platform.close();
  return result;
}

async function inWorld(platform: Platform, { createWorld, onTurn }: RunOptions): Promise<void> {
  const pass = (until: number): Promise<void> => passTime(platform, until, () => onTurn?.(platform));
  const world = createWorld(platform, platform.bindings);
  const end = platform.startedAt + platform.duration;
  await pass(end);
  platform.calm();
  const latest = end + world.settleMs;
  for (let at = end; !world.isQuiet();) {
    if (at >= latest)
      throw new Finding(
        'liveness',
        `not everything has settled ${world.settleMs / 1_000} s after the last fault`,
      );
    at = Math.min(latest, at + LOOK_MS);
    await pass(at);
  }
  const checks = { areDone: false };
  platform.spawn('at quiet', async () => {
    await world.atQuiet();
    checks.areDone = true;
  });
  for (let looks = 0; !checks.areDone; looks += 1) {
    if (looks > MOST_LOOKS) throw new Error('the checks at quiet do not end');
    await pass(platform.now() + LOOK_MS);
  }
}

/** A run in which nothing happened proves nothing. */
function vacuity({ counts }: Platform, isFaulty: boolean): Finding | null {
  const calls = counts['calls.gateway.example'] ?? 0;
  if (calls === 0) return new Finding('vacuous', 'no message was sent');
  if (isFaulty && (counts['faults'] ?? 0) === 0)
    return new Finding('vacuous', 'faults were planned, and none struck');
  return null;
}

const described = (thrown: unknown): { rule: string; message: string } =>
  thrown instanceof Finding
    ? { rule: thrown.rule, message: thrown.message }
    : {
        rule: 'exception',
        message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      };

interface Setting {
  readonly startAt: number;
  readonly callsPerInvocation: number;
  readonly keepsIdle: boolean;
  readonly machines: readonly Machine[];
  readonly bindings: Readonly<Record<string, string>>;
}

/** Draws what differs between deployments: their time, their machines, their plan, and how they are set up. */
function settingOf(random: Random): Setting {
  const day = random.chance(0.1)
    ? random.pick(CLOCK_CHANGES) - DAY_MS / 2
    : FIRST_DAY + random.int(0, DAYS) * DAY_MS;
  const startAt = day + random.int(0, DAY_MS - 1);
  const machines = random.chance(0.6) ? ONE_MACHINE : ALL_MACHINES;
  const keepsIdle = random.chance(0.85);
  const plan = random.next();
  if (plan < 0.7) return { startAt, machines, keepsIdle, callsPerInvocation: 50, bindings: {} };
  // Some have set the variable, and are on the plan that it is not for: the platform then refuses calls.
  const callsPerInvocation = plan < 0.95 ? 10_000 : 50;
  return { startAt, machines, keepsIdle, callsPerInvocation, bindings: { CALLS_PER_RUN: '1000' } };
}
