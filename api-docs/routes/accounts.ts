import { accountRoutes } from '../../src/admin/accounts.ts';
import { accountExamples } from '../examples/accounts.ts';
import { accountStatus, accountStatusPage } from '../../src/outbox/answers/api-status.ts';
import { described } from '../spec.ts';

/** An account's status, pause, resume and circuit. */
export const accountSpecs = described(accountRoutes, {
  listAccountStatus: {
    tag: 'accounts',
    summary: 'Read the status of every account',
    answer: {
      description: 'All configured accounts, in one page.',
      schema: accountStatusPage,
      examples: accountExamples.all,
    },
  },
  getAccountStatus: {
    tag: 'accounts',
    summary: "Read an account's status",
    answer: { description: 'Its status.', schema: accountStatus, examples: accountExamples.status },
    problems: ['not-found'],
  },
  pauseAccount: {
    tag: 'accounts',
    summary: 'Pause an account',
    description: 'Its messages remain queued, and webhooks are accepted as before.',
    answer: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.paused },
    problems: ['not-found'],
  },
  resumeAccount: {
    tag: 'accounts',
    summary: 'Resume an account',
    description: 'Ends a pause, including one that the gateway caused by refusing the login.',
    answer: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.status },
    problems: ['not-found'],
  },
});
