import type { Acknowledged, Escalation } from './escalation.ts';
import type { OutcomeRun } from './outcomes.ts';
import type { Told } from './told.ts';

/**
 * One problem, and its receiver's knowledge of it. Two facts change independently: the incident *is* open or not (an
 * item says so), and its receiver *believes* that it is open or not (the gateway has taken a message that says so). Its
 * receiver is owed the difference. An item that belongs to no incident is a problem of its own, and its receiver is
 * notified of it once. Pure: nothing here reads a clock or writes a row. Times are ms since the epoch; messages are
 * named by their number in the outbox.
 */
export interface Incident {
  /** True if it is one item that belongs to no incident. */
  readonly isLone: boolean;
  /** How bad its newest firing item says that it is, see `severityLevel`; absent: 0. */
  readonly severity?: number | undefined;
  /** The number of items that it got, over all its openings. Outcomes are kept by an item's number in this count. */
  readonly items: number;
  /** The number of times that it fired since it opened. */
  readonly occurrences: number;
  readonly openedAt: number;
  /** Null if it is open. */
  readonly resolvedAt: number | null;
  /** When the problem began and ended, by its sender's clock; null if the sender did not say. See {@link spanOf}. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  /** The last that its sender said of it; null if its items have no times of their own. */
  readonly told: Told | null;
  /** The time of its last item. */
  readonly heardAt: number;
  readonly believed: Belief;
  /** The belief of its receiver before the call that is under way; null if none is. */
  readonly before: Belief | null;
  /** The last message that notified of it since it opened; null if none did. */
  readonly notifiedIn: number | null;
  readonly notifiedAt: number | null;
  /** The times when it opened and resolved, as far back as flapping looks. */
  readonly changes: readonly number[];
  /** `new`: it is flapping, and its receiver was not notified of that. */
  readonly flapping: 'no' | 'new' | 'notified';
  /** The person who has it, so that nothing is repeated; null if nobody has said so since it opened. */
  readonly acknowledged: Acknowledged | null;
  /** Null if only its opening matters so far. */
  readonly escalation: Escalation | null;
  /** The person who resolved it by hand; null if it is open, or an item resolved it. */
  readonly resolvedBy: string | null;
  /** The reason why it ended, if nobody says that the problem is over; null: it is open, or it is resolved. */
  readonly lost: Lost | null;
  readonly outcomes: readonly OutcomeRun[];
}

/**
 * The state that its receiver believes. A receiver who was never notified believes that it is closed. `either`: a
 * message contradicts what the receiver knew before, and its outcome is uncertain or its call is under way. `past`: it
 * expired after they may have been notified, and they are owed its end: what fires from now on is another opening.
 */
export type Belief = 'open' | 'closed' | 'either' | 'past';

/**
 * The end of what is known of an incident, which is not the end of its problem: nothing was heard of it, its route or
 * source is not watched any more, or its receiver left the list before they were notified.
 */
export type Lost = 'expired' | 'unwatched' | 'left';

/** The state of an incident that a message states. */
export type Statement = 'open' | 'resolved' | 'unwatched' | 'flapping';

/** The number of changes between open and resolved, in a time, that makes an incident flap. */
export interface Flaps {
  readonly changes: number;
  readonly perMs: number;
}

/** The reason why nobody is notified of an incident: a silence, another open incident, or its receiver has left the list. */
export interface Held {
  readonly why: 'silenced' | 'inhibited' | 'left';
  readonly by: string;
}
