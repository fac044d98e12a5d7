import type { RouteBudget } from './budget.ts';

/** The scope of a template. Its parts are never merged: a payload cannot pose as a header or an event. */
export interface Scope {
  payload: unknown;
  event: {
    id: string;
    type: string | null;
    source: string;
    received_at: string;
    dedupe_key: string | null;
    /** Its language (BCP 47), if its source's `locale` is read from it; absent: it has the source's. */
    locale?: string;
    /** The number of elements that its sender left out of the list that a notification is about; absent: none. */
    left_out?: number;
  };
  /** By lower-case name, without those that authenticate the sender. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The budget that a route's renders of the event share; if absent, each render has its own. */
  readonly budget?: RouteBudget;
  /** The current element of a route's `each`. */
  item?: unknown;
  index?: number;
  /** The links that its receiver can press, by the names of the actions; absent: there are none. */
  readonly actions?: Readonly<Record<string, { readonly url: string }>>;
  /** Further names of a notification; absent: the message is about one event, and is made at once. */
  readonly notification?: {
    /** The time of rendering, ISO 8601. `now` is this time. */
    readonly at: string;
    /** Values by name. The names are among `ROOTS`; absent ones are empty. */
    readonly names: Readonly<Record<string, unknown>>;
  };
}

/** The names that have a value as soon as there is an event. */
export const EVENT_ROOTS: readonly string[] = ['payload', 'event', 'headers', 'query', 'item', 'index'];

/** The only names that have a value before a template assigns its own: an event's and a notification's. */
export const ROOTS: readonly string[] = [
  ...EVENT_ROOTS,
  ...'firing new resolved count more first last missed unheard since escalation'.split(' '),
  ...'started_at resolved_at duration_ms occurrences key flapping changes'.split(' '),
];

/** The names of a message: these, and the links of its route's `actions`. */
export const MESSAGE_ROOTS: readonly string[] = [...ROOTS, 'actions'];
