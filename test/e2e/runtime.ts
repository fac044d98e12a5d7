import {
  startWorkerd,
  type DeployedWorker,
  type Runtime,
  type RuntimeOptions,
  workerdPath,
} from '../../cli/dev/workerd/workerd.ts';
import { relayClock } from '../clock/processes.ts';

export { freePort, type Runtime, type RuntimeOptions } from '../../cli/dev/workerd/workerd.ts';

/** Starts workerd as `hookbell dev` does, with the clock of the tests; a variable of the worker's own is another clock. */
export async function startRuntime(options: Omit<RuntimeOptions, 'program'>): Promise<Runtime> {
  const program = workerdPath();
  if (program === null) throw new Error('workerd is not installed: npm ci');
  const [first, ...others] = options.workers;
  return startWorkerd({ ...options, program, workers: [withClock(first), ...others.map(withClock)] });
}

const withClock = (worker: DeployedWorker): DeployedWorker => ({
  ...worker,
  vars: { ...relayClock().vars, ...worker.vars },
});
