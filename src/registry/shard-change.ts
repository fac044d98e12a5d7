import type { FieldError } from '../lib/problem.ts';
import type { OutboxStatus } from '../outbox/read/status.ts';
import type { AccountPolicy } from '../config/config.ts';
import type { SetChange } from './placements.ts';

/** Warns of what a change of `shards` does not keep. */
export function shardWarnings({ before, after }: Omit<SetChange, 'documents'>): readonly FieldError[] {
  return [...after.accounts].flatMap(([name, { shards }]) => {
    const old = before.accounts.get(name)?.shards ?? shards;
    if (old === shards) return [];
    const message = `goes from ${old} to ${shards}: a receiver that moves to another object starts a new hourly cap there, and messages that wait in the old object may arrive after newer ones`;
    return [{ path: `accounts.${name}.shards`, message }];
  });
}

/** What is needed of an outbox. */
interface Asked {
  readonly status: () => Promise<Pick<OutboxStatus, 'queued' | 'retrying' | 'sending'>>;
}

/** Warns of messages that wait in accounts which are removed. */
export function waitingWarnings(
  { before, documents, after }: SetChange,
  outboxes: (account: string, policy: AccountPolicy) => readonly Asked[],
): Promise<readonly FieldError[]> {
  const removed = [...before.accounts].filter(([name]) => name in documents && !after.accounts.has(name));
  return Promise.all(
    removed.map(async ([name, policy]) => {
      const waiting = await Promise.all(outboxes(name, policy).map((outbox) => outbox.status())).then(
        (parts) => parts.reduce((sum, { queued, retrying, sending }) => sum + queued + retrying + sending, 0),
        () => 'an unknown number of',
      );
      const message = `is removed: ${waiting} messages wait in it and are sent with its last settings; lists show it until all of it is deleted`;
      return { path: `accounts.${name}`, message };
    }),
  );
}
