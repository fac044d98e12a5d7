import type { Random, TraceEntry } from '../simulation.ts';
import type { FaultsInForce } from './faults-in-force.ts';
import type { Isolates } from './isolate.ts';
import type { Owner } from './owner.ts';
import type { Scheduler } from './scheduler.ts';
import type { Seams } from './seams.ts';

/** The things that the parts of one simulated platform share. */
export interface Parts {
  readonly scheduler: Scheduler;
  /** The platform's own stream: the world draws from another. */
  readonly random: Random;
  readonly faults: FaultsInForce;
  readonly seams: Seams;
  readonly isolates: () => Isolates;
  readonly callsPerInvocation: number;
  /** False: an object that has nothing to do is evicted at once. */
  readonly keepsIdle: boolean;
  /** Returns the time that something takes on its way (ms). */
  readonly latency: () => number;
  readonly trace: (entry: Omit<TraceEntry, 'at'>) => void;
  readonly count: (what: string, by?: number) => void;
  /** A call of this owner has arrived at a server outside. */
  readonly callIsOut: (owner: Owner) => void;
  /** An object was lost in the middle of something. */
  readonly lost: (object: string) => void;
}
