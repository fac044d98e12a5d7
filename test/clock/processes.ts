import { clockOffset } from './shift.ts';

/**
 * The entry and the variables of a relay that shares this process's clock: another entry, and the offset as a variable.
 */
export const relayClock = (): { readonly entry?: string; readonly vars: Readonly<Record<string, string>> } =>
  clockOffset() === 0
    ? { vars: {} }
    : { entry: 'test/clock/relay.ts', vars: { TEST_CLOCK_MS: String(clockOffset()) } };

/** The environment of a Node process that shares this one's clock. */
export const processClock = (): Readonly<Record<string, string>> =>
  clockOffset() === 0
    ? {}
    : {
        TEST_CLOCK_MS: String(clockOffset()),
        NODE_OPTIONS: `--import=${new URL('run.ts', import.meta.url).href}`,
      };
