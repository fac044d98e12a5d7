import { prose } from '../spec.ts';
import { documentProse } from './documents.ts';
import { accountStatus, accountStatusPage } from '../../src/outbox/answers/api-status.ts';

const { list, read, write, remove } = documentProse('accounts');

/** An account's document, status, pause, resume and circuit. */
export const accountProse = prose('accounts', {
  listAccounts: list,
  getAccount: read,
  putAccount: write,
  deleteAccount: remove,
  listAccountStatus: {
    summary: 'Read the status of every account',
    answer: { description: 'All configured accounts, in one page.', schema: accountStatusPage },
  },
  getAccountStatus: {
    summary: "Read an account's status",
    answer: { description: 'Its status.', schema: accountStatus },
    problems: ['not-found'],
  },
  pauseAccount: {
    summary: 'Pause an account',
    description: 'Its messages remain queued, and webhooks are accepted as before.',
    answer: { description: 'Its new status.', schema: accountStatus },
    problems: ['not-found'],
  },
  resumeAccount: {
    summary: 'Resume an account',
    description: 'Ends a pause, including one that the gateway caused by refusing the login.',
    answer: { description: 'Its new status.', schema: accountStatus },
    problems: ['not-found'],
  },
});
