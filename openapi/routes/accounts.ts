import { accountExamples } from '../examples/accounts.ts';
import { accountStatus, accountStatusPage } from '../schemas/accounts.ts';
import type { RouteSpec } from '../spec.ts';

/** An account's status, pause, resume and circuit. */
export const accountRoutes: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/status',
    id: 'listAccountStatus',
    tag: 'accounts',
    summary: 'Read the status of every account',
    answers: {
      200: {
        description: 'All configured sources, in one page.',
        schema: accountStatusPage,
        examples: accountExamples.all,
      },
    },
  },
  {
    method: 'get',
    path: '/accounts/{name}/status',
    id: 'getAccountStatus',
    tag: 'accounts',
    summary: "Read an account's status",
    answers: {
      200: { description: 'Its status.', schema: accountStatus, examples: accountExamples.status },
    },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/accounts/{name}/pause',
    id: 'pauseAccount',
    tag: 'accounts',
    summary: 'Pause an account',
    description: 'Its messages remain queued, and webhooks are accepted as before.',
    answers: {
      200: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.paused },
    },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/accounts/{name}/resume',
    id: 'resumeAccount',
    tag: 'accounts',
    summary: 'Resume an account',
    description: 'After a pause, also one that the gateway caused by refusing the login.',
    answers: {
      200: { description: 'Its new status.', schema: accountStatus, examples: accountExamples.status },
    },
    problems: ['not-found'],
  },
];
