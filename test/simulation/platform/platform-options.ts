import type { TraceEntry } from '../simulation.ts';
import type { Program } from './bundle.ts';
import type { Fault } from './fault-plan.ts';
import type { Machine } from './isolate.ts';
import type { SeededRandom } from './random.ts';
import type { Seams } from './seams.ts';

/** The options of a deployment that is simulated. */
export interface PlatformOptions {
  readonly program: Program;
  readonly seed: number;
  readonly startAt: number;
  readonly duration: number;
  readonly faults: (random: SeededRandom, machines: readonly string[]) => readonly Fault[];
  readonly seams: Seams;
  readonly machines: readonly Machine[];
  /** Subrequests of one invocation: the plan's limit. */
  readonly callsPerInvocation: number;
  /** False: an object that has nothing to do is evicted at once. */
  readonly keepsIdle: boolean;
  /** The only decisions and faults that happen; null: all, see {@link Simulation.decide}. */
  readonly only: ReadonlySet<string> | null;
  readonly onTrace: ((entry: TraceEntry) => void) | null;
}
