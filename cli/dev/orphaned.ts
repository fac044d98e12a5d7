import type { Env } from '../io.ts';

const LOOK_EVERY_MS = 500;

/**
 * Calls `stop` when npm, which started this process, is gone. npm passes a signal on to the shell that it runs a command
 * in, and not every shell passes it on; a killed npm passes on nothing.
 */
export function onOrphaned(env: Env, stop: () => void): void {
  if (env['npm_command'] === undefined && env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
}
