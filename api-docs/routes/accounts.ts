import { example, type Examples, prose } from '../spec.ts';
import { documentProse } from './documents.ts';
import { accountStatus, accountStatusPage } from '../../src/outbox/answers/api-status.ts';

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

const capped = {
  ...calm,
  queued: 12,
  receivers_at_cap: {
    receivers: 1,
    messages: 9,
    per_hour: 30,
    next_at: '2026-11-21T08:11:40.418Z',
    last_at: '2026-11-21T08:12:31.902Z',
  },
  drain_seconds: 2034,
};

export const accountExamples = {
  all: { all: { items: [calm], next_cursor: null } },
  status: { status: calm, capped: example('A receiver at its limit', capped) },
  paused: { paused: paused },
} as const satisfies Record<string, Examples>;

const { list, read, write, remove } = documentProse('accounts');

/** An account's document, status, pause, resume and circuit. */
export const accountProse = prose('accounts', {
  listAccounts: list,
  getAccount: read,
  putAccount: write,
  deleteAccount: remove,
  listAccountStatus: {
    summary: 'Read the status of every account',
    answer: {
      description: 'All configured accounts, in one page.',
      schema: accountStatusPage,
      examples: accountExamples.all,
    },
  },
  getAccountStatus: {
    summary: "Read an account's status",
    answer: { description: 'Its status.', schema: accountStatus, examples: accountExamples.status },
    problems: ['not-found'],
  },
  pauseAccount: {
    summary: 'Pause an account',
    description: 'Its messages remain queued, and webhooks are accepted as before.',
    answer: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.paused },
    problems: ['not-found'],
  },
  resumeAccount: {
    summary: 'Resume an account',
    description: 'Ends a pause, including one that the gateway caused by refusing the login.',
    answer: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.status },
    problems: ['not-found'],
  },
});
