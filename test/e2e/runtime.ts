import { readFileSync } from 'node:fs';
import {
  startWorkerd,
  type DeployedWorker,
  type Runtime as Workerd,
  type RuntimeOptions,
} from '../../runtime/workerd.ts';
import { workerdPath } from '../../runtime/workerd-path.ts';
import { relayClock } from '../clock/processes.ts';

export { freePort } from '../../runtime/workerd.ts';

/** A workerd process under test. */
export interface Runtime extends Workerd {
  /** The most memory that it ever had resident, in MiB. */
  peakMemoryMib(): number;
}

/** Starts workerd as `hookbell dev` does, with the clock of the tests. */
export async function startRuntime(options: Omit<RuntimeOptions, 'program'>): Promise<Runtime> {
  const program = workerdPath();
  if (program === null) throw new Error('workerd is not installed: npm ci');
  const [first, ...others] = options.workers;
  const runtime = await startWorkerd({
    ...options,
    program,
    workers: [withClock(first), ...others.map(withClock)],
  });
  return { ...runtime, peakMemoryMib: () => peakMemoryMib(runtime.pid) };
}

const withClock = (worker: DeployedWorker): DeployedWorker => ({
  ...worker,
  vars: { ...worker.vars, ...relayClock().vars },
});

/** Linux only; elsewhere nothing is known, and it is 0. */
function peakMemoryMib(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
