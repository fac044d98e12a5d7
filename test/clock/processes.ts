import { join } from 'node:path';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { clockOffset } from './shift.ts';

/**
 * The entry and the variables of a relay that shares this process's clock: another entry, and the offset as a variable.
 */
export const relayClock = (): { readonly entry?: string; readonly vars: Readonly<Record<string, string>> } =>
  clockOffset() === 0
    ? { vars: {} }
    : { entry: 'test/clock/relay.ts', vars: { TEST_CLOCK_MS: String(clockOffset()) } };

/** The same for a relay of `hookbell dev`, with the bundle of that entry in a folder. */
export async function devRelayClock(
  folder: string,
): Promise<{ readonly worker?: string; readonly vars: Readonly<Record<string, string>> }> {
  const { entry, vars } = relayClock();
  if (entry === undefined) return { vars };
  await bundleWorker(entry, folder, { name: 'clock' });
  return { worker: join(folder, 'clock.js'), vars };
}

/** The environment of a Node process that shares this one's clock. */
export const processClock = (): Readonly<Record<string, string>> =>
  clockOffset() === 0
    ? {}
    : {
        TEST_CLOCK_MS: String(clockOffset()),
        NODE_OPTIONS: `--import=${new URL('run.ts', import.meta.url).href}`,
      };
