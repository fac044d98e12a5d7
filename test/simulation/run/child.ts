import { seamsWith } from '../faults/planted.ts';
import { compileWorker } from '../platform/bundle.ts';
import { createWorld } from '../world/world.ts';
import { runSeed } from './run-seed.ts';

/** One of the processes that `npm run simulate` shares its seeds among: runs each seed that it is sent, and sends back the result. */
export interface Job {
  readonly seed: number;
  readonly hours: number;
  readonly isFaulty: boolean;
  /** The only decisions and faults that happen; null: all. */
  readonly only: readonly string[] | null;
  /** The name of a planted fault; null: none is. */
  readonly planted: string | null;
}

const program = await compileWorker();

process.on('message', (job: Job) => {
  void runSeed({
    program,
    createWorld,
    ...job,
    seams: seamsWith(job.planted),
    only: job.only === null ? null : new Set(job.only),
    onTrace: null,
    onTurn: ({ counts, startedAt, scheduler }) =>
      process.send?.({ kind: 'progress', simulatedMs: scheduler.now - startedAt, counts }),
  }).then((result) => process.send?.({ kind: 'result', result }));
});
process.send?.({ kind: 'ready' });
