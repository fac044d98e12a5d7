import { clockOffset } from './shift.ts';

/** What a relay is started with so that its clock is this process's: another entry, and the offset as a variable. */
export const relayClock = (): { readonly entry?: string; readonly vars: Readonly<Record<string, string>> } =>
  clockOffset() === 0
    ? { vars: {} }
    : { entry: 'test/clock/relay.ts', vars: { TEST_CLOCK_MS: String(clockOffset()) } };

/** What goes into the environment of a Node process so that its clock is this one's. */
export const processClock = (): Readonly<Record<string, string>> =>
  clockOffset() === 0
    ? {}
    : {
        TEST_CLOCK_MS: String(clockOffset()),
        NODE_OPTIONS: `--import=${new URL('run.ts', import.meta.url).href}`,
      };
