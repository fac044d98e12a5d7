import type { RouteBudget } from './budget.ts';

/** What a template can read. The parts are never merged: a payload cannot pose as a header or an event. */
export interface Scope {
  /** The parsed body. */
  payload: unknown;
  event: {
    id: string;
    type: string | null;
    source: string;
    received_at: string;
    dedupe_key: string | null;
  };
  /** By lower-case name; those that authenticate are not among them. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** What a route's renders of the event may do together; without it each has its own budget. */
  readonly budget?: RouteBudget;
  /** The current element of a route's `each`. */
  item?: unknown;
  /** Its place, from 1. */
  index?: number;
  /** What else a render sees that is told when it is due; absent: it is of one event, and made at once. */
  readonly told?: Told;
}

/** A group's items, or those of a digest, when they are told. */
export interface Told {
  /** When it is told, ISO 8601. `now` is this time. */
  readonly at: string;
  /** Values by name. The names are among `ROOTS`; those that are absent are empty. */
  readonly names: Readonly<Record<string, unknown>>;
}

/** The names that have a value as soon as an event is there. */
export const EVENT_ROOTS: readonly string[] = ['payload', 'event', 'headers', 'query', 'item', 'index'];

/** The only names that have a value before a template assigns its own: those of an event, and those when it is told. */
export const ROOTS: readonly string[] = [
  ...EVENT_ROOTS,
  ...'items fresh ended count more first last missed since opened_at ended_at burned_ms times key flapping changes'.split(
    ' ',
  ),
];
