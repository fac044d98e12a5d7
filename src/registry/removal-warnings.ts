import type { FieldError } from '../lib/problem.ts';
import type { OutboxStatus } from '../outbox/read/status.ts';
import type { SetChange } from './removed-accounts.ts';

/** The calls to an outbox. */
interface AskedOutbox {
  readonly status: () => Promise<Pick<OutboxStatus, 'queued' | 'retrying' | 'sending'>>;
}

/** Warns of messages that wait in accounts which are removed. */
export function removalWarnings(
  { before, documents, after }: SetChange,
  outbox: (account: string) => AskedOutbox,
): Promise<readonly FieldError[]> {
  const removed = [...before.accounts.keys()].filter(
    (name) => name in documents && !after.accounts.has(name),
  );
  return Promise.all(
    removed.map(async (name) => {
      const waiting = await outbox(name)
        .status()
        .then(
          ({ queued, retrying, sending }) => queued + retrying + sending,
          () => 'an unknown number of',
        );
      const message = `is removed, with ${waiting} waiting ${waiting === 1 ? 'message' : 'messages'}, which are sent with its last settings; lists show it until everything in it is deleted`;
      return { path: `accounts.${name}`, message };
    }),
  );
}
