import type { MessageRow } from '../state/message.ts';
import { NONE_MISSED } from '../../render/notification-scope.ts';
import type { Entry, Group, Outgoing, Subscriber, SubscriberRef, SubscriberState } from './entries.ts';
import { pendingOf, type Incident } from './incident.ts';
import { missedAs, type Missed } from './outcomes.ts';

/** Returns the content of a receiver's row; null if there is none. */
export type StateOf = (of: SubscriberRef) => SubscriberState | null;

const NOTHING: SubscriberState = { sentAt: [], held: null, rest: null, quiets: [] };

/** The receivers with incidents that are open, held back or on their way. Rows hold what is known of the others. */
export class Subscribers {
  readonly #stateOf: StateOf;
  readonly #byKey = new Map<string, Subscriber>();
  /** The time when the first of them is to be looked at (ms; Infinity: never). */
  #nextAt = Infinity;
  #asked = 0;

  constructor(stateOf: StateOf) {
    this.#stateOf = stateOf;
  }

  get size(): number {
    return this.#byKey.size;
  }

  values(): IterableIterator<Subscriber> {
    return this.#byKey.values();
  }

  /** Null if it is not in memory. */
  get(of: SubscriberRef): Subscriber | null {
    return this.#byKey.get(keyOf(of)) ?? null;
  }

  /** Returns a receiver, which is in memory from now on. */
  of(of: SubscriberRef): Subscriber {
    const known = this.get(of);
    if (known !== null) return known;
    const { source, route, phone } = of;
    const state = { ...NOTHING, ...this.#stateOf(of) };
    const subscriber: Subscriber = {
      source,
      route,
      phone,
      groups: new Map(),
      entries: new Map(),
      missed: { ...NONE_MISSED, unwatched: state.held?.unwatched ?? 0 },
      missedAt: -Infinity,
      messages: [],
      until: null,
      lookedAt: -Infinity,
      rules: null,
      lookAt: Infinity,
      asked: 0,
      ...state,
    };
    this.#byKey.set(keyOf(of), subscriber);
    return subscriber;
  }

  /** The time when the next receiver is to be looked at (ms); null: never. */
  get nextAt(): number | null {
    return this.#nextAt === Infinity ? null : this.#nextAt;
  }

  /** Has a receiver looked at by this time (ms) at the latest. */
  bringForward(subscriber: Subscriber, at: number): void {
    if (at >= subscriber.lookAt) return;
    subscriber.lookAt = at;
    subscriber.asked = this.#asked += 1;
    this.#nextAt = Math.min(this.#nextAt, at);
  }

  /**
   * Takes the receivers that are due by now (ms), earliest first. Those with the same time come in the order in which
   * it was set.
   */
  takeDue(now: number): readonly Subscriber[] {
    if (this.#nextAt > now) return [];
    const due: Subscriber[] = [];
    this.#nextAt = Infinity;
    for (const subscriber of this.#byKey.values())
      if (subscriber.lookAt <= now) due.push(subscriber);
      else this.#nextAt = Math.min(this.#nextAt, subscriber.lookAt);
    due.sort((one, other) => one.lookAt - other.lookAt || one.asked - other.asked);
    for (const subscriber of due) subscriber.lookAt = Infinity;
    return due;
  }

  /**
   * Returns the message of a row that is queued or tried, and its receiver; null if there is none, or it is not about
   * incidents.
   */
  outgoing(row: RowOfReceiver & Pick<MessageRow, 'seq'>) {
    const subscriber = this.get(receiverOf(row));
    const message = subscriber?.messages.find(({ seq }) => seq === row.seq);
    return subscriber === null || message === undefined ? null : { subscriber, message };
  }

  /** Removes a receiver from memory if nothing of it is open, on its way or due: its row is read again when needed. */
  forgetIdle(subscriber: Subscriber): void {
    const { groups, messages, held, lookAt } = subscriber;
    const isIdle = groups.size === 0 && messages.length === 0 && held === null && lookAt === Infinity;
    if (isIdle) this.#byKey.delete(keyOf(subscriber));
  }
}

const keyOf = ({ source, route, phone }: SubscriberRef): string => `${source}\n${route}\n${phone}`;

type RowOfReceiver = Pick<MessageRow, 'source' | 'route' | 'phone'>;

/** The receiver of a message. */
export const receiverOf = ({ source, route, phone }: RowOfReceiver): SubscriberRef => ({
  source: source ?? '',
  route: route ?? '',
  phone: phone ?? '',
});

/** Adds a message that is queued or tried. */
export function addMessage({ messages }: Subscriber, message: Omit<Outgoing, 'groups'>): Outgoing {
  const outgoing = { ...message, groups: new Set(message.says.groups) };
  messages.push(outgoing);
  return outgoing;
}

/** Counts incidents that closed without a notification, at this time (ms). */
export function miss(
  subscriber: Subscriber,
  as: Missed,
  { at, count = 1 }: { readonly at: number; readonly count?: number },
): void {
  if (count === 0) return;
  subscriber.missed = { ...subscriber.missed, [as]: subscriber.missed[as] + count };
  subscriber.missedAt = Math.max(subscriber.missedAt, at);
}

/** Something was heard of an incident that had closed: the morning's message counts it as it is now. */
export function recount(subscriber: Subscriber, before: Incident, incident: Incident, now: number): void {
  const since = subscriber.held?.since ?? Infinity;
  if (missedAs(before) !== 'expired' || (before.resolvedAt ?? 0) < since) return;
  const { missed } = subscriber;
  subscriber.missed = { ...missed, expired: Math.max(0, missed.expired - 1) };
  const as = pendingOf(incident) === 'nothing' ? missedAs(incident) : null;
  if (as !== null) miss(subscriber, as, { at: now });
}

/** Removes a message that has ended, or that another row replaces. */
export function removeMessage({ messages }: Subscriber, seq: number): void {
  const at = messages.findIndex((one) => one.seq === seq);
  if (at >= 0) messages.splice(at, 1);
}

/** Returns a subscriber's group of this name, and makes it if there is none. */
export function groupOf(subscriber: Subscriber, name: string): Group {
  const known = subscriber.groups.get(name);
  if (known !== undefined) return known;
  const group: Group = { name, subscriber, entries: new Set(), due: null, changesAt: Infinity };
  subscriber.groups.set(name, group);
  return group;
}

/** Removes an entry from its group, which ends with its last entry. */
export function leave(entry: Entry): void {
  const { group } = entry;
  group.entries.delete(entry);
  if (group.entries.size === 0) group.subscriber.groups.delete(group.name);
}
