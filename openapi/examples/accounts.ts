import type { Examples } from '../spec.ts';

const calm = {
  account: 'default',
  queued: 3,
  retrying: 0,
  sending: 1,
  uncertain: 0,
  dead: 0,
  waiting: 2,
  open_incidents: 1,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: { per_minute: 30, burst: 5 },
  storage: { bytes: 48103424, max_bytes: 9999220736, state: 'ok' },
  drain_seconds: 6,
};

const paused = {
  ...calm,
  sending: 0,
  paused: { since: '2026-11-21T07:38:11.002Z', by: 'token', reason: 'paused through the admin API' },
  drain_seconds: null,
};

export const accountExamples = {
  status: { status: { value: calm } },
  paused: { paused: { value: paused } },
} as const satisfies Record<string, Examples>;
