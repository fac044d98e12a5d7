import type { IncidentRef, Subscriber, SubscriberState } from './entries.ts';

/** Which receiver of a route. */
export type SubscriberRef = Omit<IncidentRef, 'key'>;

/** What the row of a receiver says; null: it has none. */
export type StateOf = (of: SubscriberRef) => SubscriberState | null;

const NOTHING: SubscriberState = { sentAt: [], held: null, rest: null, quiets: [] };

/** The receivers of which something is open, held back or on its way. Of others their rows say what is to be known. */
export class Subscribers {
  readonly #stateOf: StateOf;
  readonly #byKey = new Map<string, Subscriber>();

  constructor(stateOf: StateOf) {
    this.#stateOf = stateOf;
  }

  get size(): number {
    return this.#byKey.size;
  }

  values(): IterableIterator<Subscriber> {
    return this.#byKey.values();
  }

  /** Null: it is not in memory. */
  get(of: SubscriberRef): Subscriber | null {
    return this.#byKey.get(keyOf(of)) ?? null;
  }

  /** From now on it is in memory. */
  of(of: SubscriberRef): Subscriber {
    const known = this.get(of);
    if (known !== null) return known;
    const { source, route, phone } = of;
    const subscriber: Subscriber = {
      source,
      route,
      phone,
      groups: new Map(),
      entries: new Map(),
      missed: 0,
      notices: new Map(),
      due: new Set(),
      rules: null,
      lookAt: Infinity,
      ...NOTHING,
      ...this.#stateOf(of),
    };
    this.#byKey.set(keyOf(of), subscriber);
    return subscriber;
  }

  /** Takes it out of memory, if nothing of it is open, on its way or to be looked at: its row is read again when it is needed. */
  forgetIdle(subscriber: Subscriber): void {
    const { groups, notices, held, lookAt } = subscriber;
    const isIdle = groups.size === 0 && notices.size === 0 && held === null && lookAt === Infinity;
    if (isIdle) this.#byKey.delete(keyOf(subscriber));
  }
}

const keyOf = ({ source, route, phone }: SubscriberRef): string => `${source}\n${route}\n${phone}`;
