import { DAY } from '../../lib/duration.ts';
import type { Attempt, MessageRow } from '../state/message.ts';
import type { MessageState } from '../state/states.ts';
import { changed, type Change, type Look } from './context.ts';
import type { Entry, Subscriber } from './entries.ts';
import { maybeNotified, notified, settled, type Incident } from './incident.ts';
import { saidOf } from './notice.ts';
import type { Notice } from './entries.ts';
import { entryOf } from './review.ts';
import { readIncident, writeIncident, writeSubscriber } from './store.ts';

/** No throttle looks further back (ms), or counts more messages. */
const MAX_THROTTLE_MS = 7 * DAY;
const MAX_SENT = 100;

/** How long a receiver rests after a message that was not sent (ms), longer each time. */
const REST_MS = 5 * 60_000;
const MOST_REST_MS = 6 * 3_600_000;

/** How a message ended, or why it waits. */
export type Ended = Extract<
  MessageState,
  'sent' | 'retrying' | 'queued' | 'uncertain' | 'dead' | 'expired' | 'cancelled'
>;

/**
 * A call for a message about incidents has ended, or the message is over without one. This is the only place where it is written what a
 * receiver was notified of. To be called in the transaction that writes the message's own state.
 */
export function record(look: Look, row: MessageRow, state: Ended, outcome: Attempt['outcome'] | null): void {
  const { notices } = look;
  const notice = notices.get(row.seq);
  if (notice === null) return;
  const isUncertain = outcome === 'uncertain';
  if (state === 'queued' || state === 'retrying')
    return isUncertain ? writeMaybe(look, notice) : undo(look, notice);
  notices.remove(row.seq);
  if (state === 'sent') writeSent(look, notice, row);
  // It waits for a person, and is taken for sent until then.
  else if (state === 'uncertain') {
    writeWhat(look, notice, taken(look, row.seq));
    if (takePlace(look, notice)) writeSubscriber(look.sql, notice.subscriber);
  } else {
    // A call that surely failed has notified nobody; after an uncertain one they may have been.
    undo(look, notice);
    rest(look, notice, state);
  }
  lookAgain(look, notice);
}

/** It may have arrived: as an opening it needs its resolution, as a resolution it is still due, and it took its place. */
function writeMaybe(look: Look, notice: Notice): void {
  writeWhat(look, notice, maybe);
  if (takePlace(look, notice)) writeSubscriber(look.sql, notice.subscriber);
}

/** A message takes a place of the throttle, if there is one. Returns whether it did. */
function takePlace(look: Look, { subscriber, says }: Notice): boolean {
  const { now } = look;
  if (says.isFree || look.rulesFor(subscriber).throttle.length === 0) return false;
  subscriber.sentAt = [...subscriber.sentAt.filter((at) => at > now - MAX_THROTTLE_MS), now].slice(-MAX_SENT);
  return true;
}

type Writes = (incident: Incident, said: ReturnType<typeof saidOf>) => Incident;

const maybe: Writes = (incident, { statement }) => maybeNotified(incident, statement);

/** As if it were sent; what became of its items is open. */
const taken =
  ({ now }: Look, seq: number): Writes =>
  (incident, said) => ({ ...notified(incident, said, seq, now), outcomes: incident.outcomes });

function writeWhat(look: Look, notice: Notice, writes: Writes): void {
  look.write(
    entriesOf(look, notice).map(([entry, one]): Change => {
      // The row has what was known before the call.
      const incident = writes(entry.incident, saidOf(one));
      return { ...changed(entry, incident), known: { ...entry.incident } };
    }),
  );
  notice.before = null;
}

function writeSent(look: Look, notice: Notice, row: MessageRow): void {
  const { sql, now, deps } = look;
  const { subscriber, says } = notice;
  const closed = says.incidents.filter(([key]) => entryOf(look.open, subscriber, key) === null);
  writeWhat(look, notice, (incident, said) => notified(incident, said, row.seq, now));
  for (const one of closed) writeOutcome(look, notice, one, row.seq);
  const takesPlace = takePlace(look, notice);
  if (says.endsHold) {
    subscriber.held = null;
    subscriber.missed = Math.max(0, subscriber.missed - says.missed);
  }
  const wasResting = subscriber.rest !== null;
  subscriber.rest = null;
  if (takesPlace || says.endsHold || wasResting) writeSubscriber(sql, subscriber);
  deps.onNotified(row);
}

/** Its incident is closed meanwhile, by a person or because nothing was heard of it: only the outcome of its items is written. */
function writeOutcome(
  look: Look,
  { subscriber }: Notice,
  one: Notice['says']['incidents'][number],
  seq: number,
): void {
  const { source, route, phone } = subscriber;
  const ref = { source, route, phone, key: one[0] };
  const known = readIncident(look.sql, ref);
  if (known === null) return;
  const { outcomes } = notified(known, saidOf(one), seq, look.now);
  const incident = { ...known, outcomes };
  writeIncident(look.sql, ref, { known, incident, now: look.now });
}

/** The call has surely notified nobody: what was believed before it still is. */
function undo(look: Look, notice: Notice): void {
  const { before } = notice;
  if (before === null) return;
  look.write(
    entriesOf(look, notice).map(([entry, [key]]): Change => {
      const believed = before.get(key) ?? entry.incident.believed;
      const incident = settled({ ...entry.incident, believed }, entry.held);
      return { ...changed(entry, incident), known: { ...entry.incident } };
    }),
  );
  notice.before = null;
}

/** What was not sent stays due, but is not tried again at once. */
function rest(look: Look, { subscriber }: Notice, state: Ended): void {
  const { now, sql } = look;
  const { repeatMs } = look.rulesFor(subscriber);
  const failures = (subscriber.rest?.failures ?? 0) + 1;
  const backOff = now + Math.min(MOST_REST_MS, REST_MS * 2 ** (failures - 1));
  // A person, or the route's `expires`, took it out of delivery: the next repeat or change says it.
  const later = repeatMs === null ? null : now + repeatMs;
  subscriber.rest = { until: state === 'dead' ? backOff : later, failures };
  writeSubscriber(sql, subscriber);
}

/** What waited for the message is looked at. */
function lookAgain({ open, now }: Look, { subscriber, says }: Notice): void {
  for (const name of says.groups) {
    const group = subscriber.groups.get(name);
    if (group !== undefined) open.groupTimes.bringForward(group, now);
  }
  open.subscriberTimes.bringForward(subscriber, now);
}

const entriesOf = (
  { open }: Look,
  { subscriber, says }: Notice,
): (readonly [Entry, Notice['says']['incidents'][number]])[] =>
  says.incidents.flatMap((one) => {
    const entry = entryOf(open, subscriber, one[0]);
    return entry === null ? [] : [[entry, one] as const];
  });

/** Something opened or was resolved: what was not sent is tried again. */
export function endRest(sql: SqlStorage, subscriber: Subscriber): boolean {
  if (subscriber.rest === null) return false;
  subscriber.rest = { ...subscriber.rest, until: 0 };
  writeSubscriber(sql, subscriber);
  return true;
}
