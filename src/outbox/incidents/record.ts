import { DAY } from '../../lib/time.ts';
import type { MissedCounts } from '../../render/notification-scope.ts';
import { log } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { About } from '../state/acceptance.ts';
import { messageId, type Attempt, type MessageRow } from '../state/message.ts';
import type { MessageState } from '../../schema/states.ts';
import { keepNotifiedAt, type Look } from './context.ts';
import type { Entry, IncidentRef, Rest, Says, SaysOne, Subscriber, SubscriberState } from './entries.ts';
import {
  type Incident,
  isEnd,
  maybeNotified,
  notCalled,
  notified,
  pendingOf,
  resolvedUnsaid,
} from './incident.ts';
import { removeMessage } from './open-incidents.ts';
import { hashOf, saidOf, saysOf } from './owed.ts';
import { readIncident, readSays, writeIncident } from './store.ts';

/** A throttle looks back so far (ms), and counts at most so many messages. */
const MAX_THROTTLE_MS = 7 * DAY;
const MAX_SENT = 100;

export type Ended = Extract<
  MessageState,
  'sent' | 'retrying' | 'queued' | 'uncertain' | 'dead' | 'expired' | 'cancelled' | 'suppressed'
>;

/**
 * A call has ended; `outcome` is null if the message is over without one. To be called in the transaction that writes the
 * message's state.
 */
export function record(look: Look, row: MessageRow, state: Ended, outcome: Attempt['outcome'] | null): void {
  const { open, beyond, now } = look;
  const found = open.subscribers.outgoing(row);
  if (found === null) {
    // The content of a summary that certainly arrived nowhere stays due, unless a person took it out of delivery.
    const said = state === 'dead' || state === 'expired' ? readSays(row) : null;
    if (said?.form === 'beyond') beyond.giveBack(said, now);
    return;
  }
  const { subscriber, message } = found;
  const { says } = message;
  const isSent = state === 'sent';
  // The message waits for a person, and counts as sent until then; the outcome of its items is open.
  const isTaken = isSent || state === 'uncertain';
  beyond.tell(subscriber, says, isTaken || outcome === 'uncertain');
  const after = ({ incident, held }: Pick<Entry, 'incident' | 'held'>, one: SaysOne): Incident => {
    const said = saidOf(one);
    // It may have arrived: an opening then needs its resolution, and a resolution is still due.
    if (outcome === 'uncertain' && !isTaken) return maybeNotified(incident, said.statement);
    if (!isTaken) return notCalled(incident, held);
    const next = notified(incident, said, row.seq, now);
    return isSent ? next : { ...next, outcomes: incident.outcomes };
  };
  if (outcome !== null || message.isCalling)
    for (const one of says.incidents) {
      const { source, route, phone } = subscriber;
      const ref = { source, route, phone, key: one[0] };
      const entry = open.get(ref);
      // Written even if it equals the state in memory: its row may have the belief from before the call.
      if (entry !== null) look.set(entry, after(entry, one));
      else recordClosed(look, ref, isSent, (known) => after({ incident: known, held: null }, one));
    }
  if (isTaken)
    for (const name of says.groups) {
      const group = subscriber.groups.get(name);
      if (group !== undefined) keepNotifiedAt(look, group, { notifiedAt: now, notifiedIn: row.seq });
    }
  // A receiver who has opted out is not waited for: for them, resolved incidents are done.
  if (state === 'suppressed')
    for (const entry of subscriber.entries.values())
      if (isEnd(pendingOf(entry.incident))) look.set(entry, resolvedUnsaid(entry.incident, entry.held));
  const isFirst = subscriber.rest === null;
  const change: Partial<SubscriberState> = {};
  // What was or may have been sent takes a place of the throttle.
  if (!says.isFree && (isSent || outcome === 'uncertain')) {
    const { route, throttle } = look.rulesFor(subscriber);
    const before = subscriber.sentAt.filter((at) => at > now - MAX_THROTTLE_MS);
    // Without its route it is unknown if a throttle counts it: a call that the last instance left is recorded before the
    // configuration is read.
    if (route === null || throttle.length > 0) change.sentAt = [...before, now].slice(-MAX_SENT);
  }
  if (state === 'dead' || state === 'expired' || state === 'cancelled' || state === 'suppressed')
    change.rest = restAfter(subscriber, says, state, now);
  if (isSent && says.endsHold) change.held = null;
  if (isSent && !isFirst) change.rest = null;
  if (Object.keys(change).length > 0) look.setSubscriber(subscriber, change);
  // From now on, items of no incident may expire, including those that this message did not name.
  if (isFirst && subscriber.rest !== null) for (const group of subscriber.groups.values()) group.due = null;
  message.isCalling = false;
  if (state === 'queued' || state === 'retrying') return;
  if (isSent && says.endsHold) subscriber.missed = withoutSaid(subscriber.missed, says.missed);
  removeMessage(subscriber, row.seq);
  // The receiver is looked at again, for the items that waited for this.
  open.subscribers.bringForward(subscriber, now);
  if (isSent) logNotified(look, row);
}

/** A person closed it meanwhile, so only the outcome of its items is written. If it expired, its resolution may still come. */
function recordClosed(
  { sql, now }: Look,
  ref: IncidentRef,
  isSent: boolean,
  after: (known: Incident) => Incident,
): void {
  const known = readIncident(sql, ref);
  if (known === null || (!isSent && known.lost !== 'expired')) return;
  const { believed, outcomes } = after(known);
  const belief = known.lost === 'expired' ? { believed, before: null } : {};
  writeIncident(sql, ref, { known, incident: { ...known, ...belief, outcomes }, now });
}

function logNotified({ deps: { account, tag } }: Look, row: MessageRow): void {
  const { source, route, phone, seq } = row;
  const { form, why, new: opened, resolved, firing } = parseOwnJson<About>(row.about ?? '{}');
  const to = { message: messageId(seq, tag), source, route, account: account(), phone };
  log('info', 'incident.notified', { ...to, form, why, new: opened, resolved, firing });
}

const withoutSaid = (missed: MissedCounts, said: MissedCounts): MissedCounts => ({
  resolved: Math.max(0, missed.resolved - said.resolved),
  expired: Math.max(0, missed.expired - said.expired),
  unwatched: Math.max(0, missed.unwatched - said.unwatched),
});

/** Other content may still be sent. A person cancels all it would say by now; an expired message only its own text. */
function restAfter({ rest, groups }: Subscriber, says: Says, after: Rest['after'], now: number): Rest {
  const next: Rest = { since: now, after, failures: (rest?.failures ?? 0) + 1 };
  if (after !== 'expired' && after !== 'cancelled') return next;
  const before = rest?.after === 'expired' || rest?.after === 'cancelled' ? (rest.said ?? []) : [];
  const own = says.groups.flatMap((name) => groups.get(name) ?? []);
  const unsent = after === 'expired' ? says.incidents : saysOf(own, new Set());
  return { ...next, said: [...new Set([...before, ...unsent.map(([key, one]) => hashOf(key, one))])] };
}

/** Something opened or was resolved, or an item of no incident came: messages that rested may be sent again. */
export function endRests(look: Look, refs: readonly IncidentRef[]): void {
  const { open, deps } = look;
  for (const ref of refs) {
    const subscriber = open.subscribers.of(ref);
    endRest(look, subscriber);
    const group = open.get(ref)?.group.name ?? '';
    // No other message is queued before one that ends a hold.
    for (const { seq, groups, says, isTried, isCalling } of subscriber.messages)
      if ((says.endsHold || groups.has(group)) && isTried && !isCalling) deps.messages.hurry(seq);
    open.subscribers.forgetIdle(subscriber);
  }
}

/** Ends a receiver's rest: the unsent content may be sent at once. */
export function endRest(look: Look, subscriber: Subscriber): void {
  const { rest } = subscriber;
  // Of many items that come at once, only one ends the rest: each would write the receiver's row.
  if (rest === null || rest.after === 'over') return;
  const { since, failures } = rest;
  look.setSubscriber(subscriber, { rest: { since, after: 'over', failures } });
  look.open.subscribers.bringForward(subscriber, look.now);
}
