/** The outcome of an event. `partly_failed`: a route could not be rendered, and another one made its messages. */
export const EVENT_STATES = ['routed', 'partly_failed', 'unmatched', 'failed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** `sending` is derived from the calls in flight; the others are written. */
export const MESSAGE_STATES = [
  'queued',
  'sending',
  'sent',
  'retrying',
  'uncertain',
  'dead',
  'expired',
  'cancelled',
  'superseded',
  'suppressed',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const WRITTEN_STATES = MESSAGE_STATES.filter((state) => state !== 'sending');

export type States = readonly MessageState[];

export const DUE_STATES = ['queued', 'retrying'] as const satisfies States;

/** Messages in these states wait for the alarm, or for a person. */
export const WAITING_STATES = [...DUE_STATES, 'uncertain'] as const satisfies States;
export type WaitingState = (typeof WAITING_STATES)[number];

export const QUEUE_STATES = [...DUE_STATES, 'sending', 'uncertain', 'dead'] as const satisfies States;
export type QueueState = (typeof QUEUE_STATES)[number];

export const RETRYABLE_STATES = [
  'dead',
  'uncertain',
  'expired',
  'cancelled',
  'suppressed',
  'retrying',
] as const satisfies States;
export type RetryableState = (typeof RETRYABLE_STATES)[number];

const CANCELLABLE_STATES = [...WAITING_STATES, 'dead'] as const satisfies States;

export const isOneOf = (states: readonly string[]) => (state: string) => states.includes(state);

/** These accept any text, since a row's state is text. */
export const isDue = isOneOf(DUE_STATES);
export const isWaiting = isOneOf(WAITING_STATES);
/** True if a message leaves the state only if a person acts on it. */
export const isFinal = (state: string): boolean => !isDue(state) && state !== 'sending';
export const isRetryable = isOneOf(RETRYABLE_STATES);
export const isCancellable = isOneOf(CANCELLABLE_STATES);

/** Why messages wait, and items: `answers/api-message.ts` and `api-incident.ts` say what each means. */
export const WAIT_REASONS = [
  'pause',
  'login',
  'circuit',
  'retry',
  'delay',
  'receiver',
  'contact',
  'pace',
  'turn',
] as const;

export const ITEM_WAIT_REASONS = ['group', 'quiet', 'throttle', 'turn'] as const;

/** Why a notification goes out, see `answers/api-message.ts`. */
export const NOTIFY_REASONS = [
  'first',
  'new',
  'joined',
  'turn',
  'escalated',
  'resolved',
  'removed',
  'repeat',
  'unacknowledged',
  'flapping',
  'stable',
  'corrected',
  'digest',
  'morning',
] as const;
export type NotifyReason = (typeof NOTIFY_REASONS)[number];

/** An item has exactly one of these for each receiver. */
export const OUTCOMES = [
  'notified',
  'summarized',
  'resolved',
  'silenced',
  'inhibited',
  'expired',
  'outdated',
  'waiting',
] as const;
export type ItemOutcome = (typeof OUTCOMES)[number];

export const INCIDENT_STATES = ['open', 'acknowledged', 'resolved', 'expired', 'unwatched'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** True if an incident goes on, as far as is known. */
export const goesOn = (state: string): boolean => state === 'open' || state === 'acknowledged';

/** `retry`: the time of its next attempt, or the `delay` of its route. */
export const BLOCKERS = ['pause', 'circuit', 'receiver', 'contact', 'retry', 'pace'] as const;
export type Blocker = (typeof BLOCKERS)[number];
