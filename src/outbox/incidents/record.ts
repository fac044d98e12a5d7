import { DAY } from '../../lib/duration.ts';
import type { Attempt, MessageRow } from '../state/message.ts';
import type { MessageState } from '../state/states.ts';
import { beyondIn } from './beyond.ts';
import { changed, type Change, type Look } from './context.ts';
import type { Entry, Notice, SaysOne, Subscriber } from './entries.ts';
import { maybeNotified, notified, settled, type Incident, type Said } from './incident.ts';
import { saidOf } from './notice.ts';
import { entryOf } from './review.ts';
import { readIncident, writeIncident, writeSubscriber } from './store.ts';

/** No throttle looks further back (ms), or counts more messages. */
const MAX_THROTTLE_MS = 7 * DAY;
const MAX_SENT = 100;

/** How a message ended, or why it waits. */
export type Ended = Extract<
  MessageState,
  'sent' | 'retrying' | 'queued' | 'uncertain' | 'dead' | 'expired' | 'cancelled'
>;

/** What a record writes; nothing of it is in memory yet. */
interface Writes {
  readonly changes: readonly Change[];
  /** Statements about incidents that are closed meanwhile: only the outcome of their items is written. */
  readonly outcomes: readonly SaysOne[];
  /** What is new of the receiver; absent: nothing. */
  readonly subscriber: Partial<Pick<Subscriber, 'sentAt' | 'held' | 'rest'>>;
}

/**
 * A call for a message about incidents has ended, or the message is over without one. This is the only place where it is written what a
 * receiver was notified of. To be called in the transaction that writes the message's own state. When it throws, nothing has changed, so
 * that it can be called again.
 */
export function record(look: Look, row: MessageRow, state: Ended, outcome: Attempt['outcome'] | null): void {
  const { notices, deps } = look;
  const notice = notices.get(row.seq);
  if (notice === null) return recordSummary(look, row, state);
  const { subscriber, says } = notice;
  const writes = writesOf(look, notice, row.seq, state, outcome === 'uncertain');
  writeAll(look, notice, row.seq, writes);
  look.apply(writes.changes);
  notice.before = null;
  Object.assign(subscriber, writes.subscriber);
  if (state === 'sent' && says.endsHold) subscriber.missed = Math.max(0, subscriber.missed - says.missed);
  if (state === 'queued' || state === 'retrying') return;
  notices.remove(row.seq);
  lookAgain(look, notice);
  if (state === 'sent') deps.onNotified(row);
}

/** What a summary that surely arrived nowhere says stays due, unless a person took it out of delivery. */
function recordSummary({ beyond, now }: Look, row: MessageRow, state: Ended): void {
  if (state !== 'dead' && state !== 'expired') return;
  const summary = beyondIn(row);
  if (summary !== null) beyond.giveBack(summary, now);
}

function writesOf(look: Look, notice: Notice, seq: number, state: Ended, isUncertain: boolean): Writes {
  if (state === 'sent') return sent(look, notice, seq);
  // It waits for a person, and is taken for sent until then.
  if (state === 'uncertain') return { ...mayHaveArrived(look, notice), changes: taken(look, notice, seq) };
  if (state === 'queued' || state === 'retrying')
    return isUncertain
      ? mayHaveArrived(look, notice)
      : { changes: undone(look, notice), outcomes: [], subscriber: {} };
  // A call that surely failed has notified nobody; after an uncertain one they may have been.
  return {
    changes: undone(look, notice),
    outcomes: [],
    subscriber: {
      rest: { since: look.now, after: state, failures: (notice.subscriber.rest?.failures ?? 0) + 1 },
    },
  };
}

function writeAll(look: Look, notice: Notice, seq: number, { changes, outcomes, subscriber }: Writes): void {
  const { sql, deps } = look;
  deps.storage.transactionSync(() => {
    look.writeRows(changes);
    for (const one of outcomes) writeOutcome(look, notice, one, seq);
    if (Object.keys(subscriber).length > 0) writeSubscriber(sql, { ...notice.subscriber, ...subscriber });
  });
}

/** It may have arrived: as an opening it needs its resolution, as a resolution it is still due, and it took its place. */
const mayHaveArrived = (look: Look, notice: Notice): Writes => ({
  changes: changesOf(look, notice, (incident, { statement }) => maybeNotified(incident, statement)),
  outcomes: [],
  subscriber: placeTaken(look, notice),
});

/** As if it were sent; the outcome of its items is open. */
const taken = (look: Look, notice: Notice, seq: number): readonly Change[] =>
  changesOf(look, notice, (incident, said) => ({
    ...notified(incident, said, seq, look.now),
    outcomes: incident.outcomes,
  }));

function sent(look: Look, notice: Notice, seq: number): Writes {
  const { subscriber, says } = notice;
  return {
    changes: changesOf(look, notice, (incident, said) => notified(incident, said, seq, look.now)),
    outcomes: says.incidents.filter(([key]) => entryOf(look.open, subscriber, key) === null),
    subscriber: {
      ...placeTaken(look, notice),
      ...(says.endsHold && { held: null }),
      ...(subscriber.rest !== null && { rest: null }),
    },
  };
}

/** A message takes a place of the throttle, if there is one. */
function placeTaken(look: Look, { subscriber, says }: Notice): Writes['subscriber'] {
  const { now } = look;
  const { route, throttle } = look.rulesFor(subscriber);
  // Without its route nobody knows: a call that the last instance left is recorded before the configuration is read.
  const isThrottled = route === null || throttle.length > 0;
  if (says.isFree || !isThrottled) return {};
  return {
    sentAt: [...subscriber.sentAt.filter((at) => at > now - MAX_THROTTLE_MS), now].slice(-MAX_SENT),
  };
}

/** What becomes of the incidents that it says something of, as far as they are open. */
const changesOf = (
  look: Look,
  notice: Notice,
  becomes: (incident: Incident, said: Said) => Incident,
): readonly Change[] =>
  entriesOf(look, notice).map(([entry, one]) => asNew(entry, becomes(entry.incident, saidOf(one))));

/** It is written even if it is as it was: its row has what was known before the call. */
const asNew = (entry: Entry, incident: Incident): Change => ({
  ...changed(entry, incident),
  known: { ...entry.incident },
});

/** Its incident is closed meanwhile, by a person or because nothing was heard of it: only the outcome of its items is written. */
function writeOutcome(look: Look, { subscriber }: Notice, one: SaysOne, seq: number): void {
  const { source, route, phone } = subscriber;
  const ref = { source, route, phone, key: one[0] };
  const known = readIncident(look.sql, ref);
  if (known === null) return;
  const { outcomes } = notified(known, saidOf(one), seq, look.now);
  const incident = { ...known, outcomes };
  writeIncident(look.sql, ref, { known, incident, now: look.now });
}

/** The call has surely notified nobody: what was believed before it still is. */
function undone(look: Look, notice: Notice): readonly Change[] {
  const { before } = notice;
  if (before === null) return [];
  return entriesOf(look, notice).map(([entry, [key]]) => {
    const believed = before.get(key) ?? entry.incident.believed;
    return asNew(entry, settled({ ...entry.incident, believed }, entry.held));
  });
}

/** What waited for the message is looked at. */
function lookAgain({ open, now }: Look, { subscriber, says }: Notice): void {
  for (const name of says.groups) {
    const group = subscriber.groups.get(name);
    if (group !== undefined) open.groupTimes.bringForward(group, now);
  }
  open.subscriberTimes.bringForward(subscriber, now);
}

const entriesOf = ({ open }: Look, { subscriber, says }: Notice): (readonly [Entry, SaysOne])[] =>
  says.incidents.flatMap((one) => {
    const entry = entryOf(open, subscriber, one[0]);
    return entry === null ? [] : [[entry, one] as const];
  });

/** Something opened or was resolved: what was not sent is tried again. */
export function endRest(sql: SqlStorage, subscriber: Subscriber): boolean {
  if (subscriber.rest === null) return false;
  const rest = { ...subscriber.rest, after: 'over' } as const;
  writeSubscriber(sql, { ...subscriber, rest });
  subscriber.rest = rest;
  return true;
}
