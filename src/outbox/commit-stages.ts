import { describeError, log } from '../lib/log.ts';
import type { Base } from './base.ts';
import type { Stages } from './commit.ts';
import { UNREAD_MS, type Incidents } from './incidents/incidents.ts';
import { isSuppressedIn, isWholeRouteSuppressed } from './incidents/suppressed.ts';
import { takeIn } from './intake.ts';
import { logMessage } from './log-lines.ts';
import type { Messages } from './messages.ts';
import type { OtherAccounts } from './other-accounts.ts';
import type { Schedule } from './schedule.ts';
import type { Unsent } from './send/claim.ts';
import { FAULT_MS } from './send/flight.ts';
import type { Acceptance, Receipt } from './state/acceptance.ts';
import { messageId, type MessageRow } from './state/message.ts';
import type { StorageWatch } from './storage-watch.ts';

interface Parts {
  readonly base: Base;
  readonly messages: Messages;
  readonly incidents: Incidents;
  readonly others: OtherAccounts;
  readonly schedule: Schedule;
  readonly storageWatch: StorageWatch;
}

/** The stages of an outbox's commits: what other parts do while messages are recorded, accepted and claimed. */
export function commitStages(parts: Parts): Stages<Acceptance, Receipt> {
  const { base, messages, incidents, others, schedule, storageWatch } = parts;
  const { account, claims, clock, config, origin, owner, tail } = base;
  /** A message is over without a call. */
  const ended = (row: MessageRow, state: Unsent | 'superseded'): void => {
    others.ended(row, state, null);
    logMessage(`message.${state}`, row, origin());
    tail.changed(row, state);
  };
  return {
    begin: () => void incidents.load(),
    accept: (acceptances) => takeIn(base, messages, incidents, acceptances),
    notify: () => incidents.notify(config.inForce(clock())),
    review: (row) => {
      const reviewed = incidents.review(row, config.known);
      if (typeof reviewed !== 'string') return reviewed;
      if (reviewed === 'superseded') {
        ended(row, 'superseded');
        claims.counters.reached(row.source, 'superseded', clock());
      } else {
        // Only an older configuration could be read: the registry is asked again after a while.
        const isBehind = config.inForce(clock()) !== null;
        messages.postpone(row, clock() + (isBehind ? FAULT_MS : UNREAD_MS));
      }
      return null;
    },
    onFault: ({ seq }, thrown) => {
      const message = messageId(seq, base.tag);
      log('error', 'outbox.message.failed', { account: account(), message, error: describeError(thrown) });
    },
    postpone: (row, at) => messages.postpone(row, at),
    isSuppressed: (row) => isSuppressedIn(config.known, row),
    onEnded: (row, state) => {
      if (state === 'suppressed' && isWholeRouteSuppressed(config.known, row, clock())) owner.suppressed(row);
      // Last, since it changes memory: a transaction that fails is undone.
      ended(row, state);
    },
    onPutBack: (row) => incidents.putBack(row),
    onClaimed: (row) => tail.changed(row, 'sending'),
    end: () => {
      schedule.keepAlive();
      storageWatch.look();
    },
  };
}
