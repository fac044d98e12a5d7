import type { OutboxStatus } from '../../../src/answers/api-status.ts';

/** The status of an account in which nothing happens, but for what `over` says. */
export const quietStatus = (over: Partial<OutboxStatus> = {}): OutboxStatus => ({
  account: 'default',
  queued: 0,
  retrying: 0,
  sending: 0,
  uncertain: 0,
  dead: 0,
  waiting: 0,
  open_incidents: 0,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: null,
  storage: { bytes: 1_000, max_bytes: 9_000, state: 'ok' },
  drain_seconds: 0,
  ...over,
});
