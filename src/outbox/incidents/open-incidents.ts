import { type Standing, mayHold } from '../../lib/shares.ts';
import { iso } from '../../lib/time.ts';
import type { ItemWait } from '../../answers/api-incident.ts';
import { factsOf } from './owed.ts';
import {
  isOnItsWay,
  nameOf,
  nameOfGroup,
  type Entry,
  type Group,
  type Grouping,
  type IncidentParts,
  type IncidentRef,
  type Subscriber,
  type SubscriberRef,
  type Outgoing,
  type SubscriberState,
} from './entries.ts';
import { isEnd, pendingOf, type Incident, missedAs, type Missed } from './incident.ts';
import type { MessageRow } from '../state/message.ts';
import { NONE_MISSED } from '../../render/notification-scope.ts';

/** The maximum number of open incidents of an account, whoever their receivers are … */
export const MAX_OPEN = 10_000;

/** … and with each of their receivers: 0.8 to 3.3 KB of memory each. Items that belong to no incident count here alone. */
export const MAX_ENTRIES = 30_000;

/** The incidents that are open, in memory: by receiver and route, by group, and by name. */
export class OpenIncidents {
  readonly subscribers: Subscribers;
  /** The time when another receiver of something open goes on call (ms; Infinity: never). */
  handoverAt = Infinity;
  readonly #pairs = new Holdings(MAX_ENTRIES);
  readonly #incidents = new Holdings(MAX_OPEN);
  readonly #openSources = new Set<string>();
  readonly #byName = new Map<string, Set<Entry>>();
  /** The entries that are held back, by the name of the incident that inhibits them. */
  readonly #inhibited = new Map<string, Set<Entry>>();
  #unchecked = new Set<Entry>();

  constructor(stateOf: StateOf = () => null) {
    this.subscribers = new Subscribers(stateOf);
  }

  get size(): number {
    return this.#pairs.taken();
  }

  /** A source that cannot prove its sender has the share of those. */
  stands(source: string, isOpen: boolean): void {
    if (isOpen) this.#openSources.add(source);
    else this.#openSources.delete(source);
  }

  /** True if there is room for one more receiver of an incident, or for an item that belongs to none (`isLone`). */
  hasRoomFor(incident: IncidentParts, standing: Standing, isLone = false): boolean {
    const room = (holdings: Holdings): boolean => holdings.hasRoomFor(incident, standing, this.#openSources);
    return room(this.#pairs) && (isLone || this.#byName.has(nameOf(incident)) || room(this.#incidents));
  }

  get open(): number {
    return [...this.#byName.keys()].filter((name) => this.isOpen(name)).length;
  }

  /** The number of waiting items: incidents that somebody is to be notified of. */
  get waiting(): number {
    let waiting = 0;
    for (const { entries } of this.subscribers.values()) {
      const { counts } = factsOf(entries.values());
      waiting += counts.opened + counts.flaps + counts.resolved + counts.unwatched + counts.held;
    }
    return waiting;
  }

  get(ref: IncidentRef): Entry | null {
    return this.subscribers.get(ref)?.entries.get(ref.key) ?? null;
  }

  heldOf(ref: IncidentRef): Entry['held'] {
    return this.get(ref)?.held ?? null;
  }

  /** Returns the reason why an incident waits; null if nobody is to be notified. */
  waitOf(ref: IncidentRef): ItemWait | null {
    const group = this.get(ref)?.group;
    if (group === undefined) return null;
    const { held, lookedAt, until } = group.subscriber;
    // A hold is known before anything was looked at again, such as after a restart.
    const isDue = isOnItsWay(group) || (group.due === null ? held !== null : group.due.at <= lookedAt);
    const at = isDue ? (until ?? held?.until ?? null) : (group.due?.at ?? null);
    const by = held?.by ?? 'turn';
    const waitsFor = by === 'joined' ? 'turn' : by;
    const time = at !== null && at !== Infinity && { until: iso(at) };
    return { for: isDue ? waitsFor : 'group', ...time };
  }

  entriesOf(name: string): readonly Entry[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  all(): Iterable<ReadonlySet<Entry>> {
    return this.#byName.values();
  }

  isOpen(name: string): boolean {
    return this.openOne(name) !== null;
  }

  /** Returns an incident as it is for one of the receivers for whom it is open; null if it is open for nobody. */
  openOne(name: string): Incident | null {
    for (const { incident } of this.#byName.get(name) ?? [])
      if (incident.resolvedAt === null) return incident;
    return null;
  }

  /** Stores an incident's new state; its receiver is looked at now (ms). */
  put(ref: IncidentRef, incident: Incident, grouping: Grouping, now: number): void {
    const known = this.get(ref);
    const pending = pendingOf(incident);
    if (pending === 'nothing') {
      if (known !== null) {
        const { subscriber } = known.group;
        // For the morning, if it ended in quiet hours without a notification.
        const missed = subscriber.held === null ? null : missedAs(incident);
        if (missed !== null) miss(subscriber, missed, now);
        this.#remove(known);
        this.#changed(known.group, now);
      }
    } else {
      // Incidents that were notified together are resolved together.
      const isBound = known !== null && known.incident.believed !== 'closed';
      const name = isBound ? known.group.name : nameOfGroup(ref, grouping.grouped);
      const entry = known ?? this.#add(ref, name, incident);
      if (entry.group.name !== name) {
        leave(entry);
        entry.group = groupOf(entry.group.subscriber, name);
        entry.group.entries.add(entry);
      }
      Object.assign(entry, { incident, grouping: sharedOf(grouping) });
      // Nothing holds back an end.
      if (isEnd(pending)) this.#forgetHold(entry);
      // Its newest item may end a silence or an inhibition, but does not bring its receiver back to a list.
      else if (entry.held === null ? pending === 'opened' : entry.held.why !== 'left')
        this.#unchecked.add(entry);
      this.#changed(entry.group, now);
    }
    const name = nameOf(ref);
    if (!this.isOpen(name)) for (const entry of this.#inhibited.get(name) ?? []) this.release(entry, now);
  }

  /** Takes out the entries to look at: new ones, and those that changed while they were held back, or were released. */
  takeUnchecked(): Iterable<Entry> {
    const unchecked = this.#unchecked;
    if (unchecked.size > 0) this.#unchecked = new Set();
    return unchecked;
  }

  hold(entry: Entry, held: NonNullable<Entry['held']>, now: number): void {
    this.#forgetHold(entry);
    entry.held = held;
    if (held.why === 'inhibited') {
      this.#inhibited.set(held.by, (this.#inhibited.get(held.by) ?? new Set()).add(entry));
      this.#lookAlong(held.by);
    }
    this.#changed(entry.group, now);
  }

  /** It inhibits one more incident: its own hold is checked again, since the two may now inhibit each other. */
  #lookAlong(inhibitor: string): void {
    const names = new Set([inhibitor]);
    for (const name of names)
      for (const entry of this.#byName.get(name) ?? [])
        if (entry.held?.why === 'inhibited') {
          this.#unchecked.add(entry);
          names.add(entry.held.by);
        }
  }

  /** Has it looked at again: the reason that held it back may have ended. */
  release(entry: Entry, now: number): void {
    if (entry.held === null) return;
    this.#forgetHold(entry);
    this.#unchecked.add(entry);
    this.#changed(entry.group, now);
  }

  /** Silences and lists may have changed, and with them the holds. */
  lookAtAll(now: number): void {
    for (const subscriber of this.subscribers.values()) {
      for (const entry of subscriber.entries.values())
        if (entry.held !== null && entry.held.why !== 'inhibited') this.release(entry, now);
      this.subscribers.bringForward(subscriber, now);
      for (const group of subscriber.groups.values()) group.due = null;
    }
  }

  #changed(group: Group, now: number): void {
    group.due = null;
    this.subscribers.bringForward(group.subscriber, now);
  }

  #forgetHold(entry: Entry): void {
    this.#unchecked.delete(entry);
    if (entry.held === null) return;
    const inhibited = this.#inhibited.get(entry.held.by);
    inhibited?.delete(entry);
    if (inhibited?.size === 0) this.#inhibited.delete(entry.held.by);
    entry.held = null;
  }

  #add({ source: s, route: r, key, phone: p }: IncidentRef, name: string, incident: Incident): Entry {
    const subscriber = this.subscribers.of({ source: s, route: r, phone: p });
    // The texts of a receiver are shared by tens of thousands of entries.
    const { source, route, phone, entries } = subscriber;
    const ref = { source, route, key, phone };
    const group = groupOf(subscriber, name);
    const entry: Entry = { ref, group, incident, grouping: BY_ITSELF, held: null };
    entries.set(key, entry);
    group.entries.add(entry);
    this.#pairs.change(ref, 1);
    const ofName = nameOf(ref);
    if (incident.isLone) return entry;
    if (!this.#byName.has(ofName)) this.#incidents.change(ref, 1);
    this.#byName.set(ofName, (this.#byName.get(ofName) ?? new Set()).add(entry));
    return entry;
  }

  #remove(entry: Entry): void {
    const { group, ref } = entry;
    this.#forgetHold(entry);
    group.subscriber.entries.delete(ref.key);
    leave(entry);
    this.#pairs.change(ref, -1);
    const name = nameOf(ref);
    const entries = this.#byName.get(name);
    entries?.delete(entry);
    if (entries?.size !== 0) return;
    this.#byName.delete(name);
    this.#incidents.change(ref, -1);
  }
}

const BY_ITSELF: Grouping = { grouped: null, inhibitedBy: [] };

const sharedOf = (grouping: Grouping): Grouping =>
  grouping.grouped === null && grouping.inhibitedBy.length === 0 ? BY_ITSELF : grouping;

type Place = Pick<IncidentRef, 'source' | 'route'>;

/** How much of a room is taken: by each source, by each route, and in all. */
class Holdings {
  readonly #room: number;
  readonly #taken = new Map<string, number>();

  constructor(room: number) {
    this.#room = room;
  }

  /** Of one source or route, or of all. */
  taken(by = ALL): number {
    return this.#taken.get(by) ?? 0;
  }

  change(place: Place, by: 1 | -1): void {
    for (const name of [ALL, place.source, placeName(place)]) {
      const taken = this.taken(name) + by;
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
  }

  /** True if a source may have one more; of what is urgent, a route. */
  hasRoomFor(place: Place, standing: Standing, openSources: Iterable<string>): boolean {
    let open = 0;
    for (const source of openSources) open += this.taken(source);
    const own = this.taken(standing === 'urgent' ? placeName(place) : place.source);
    return mayHold(standing, { own, open, all: this.taken() }, this.#room);
  }
}

/** No source has this name. */
const ALL = '';

/** Ids of sources have no slash. */
const placeName = ({ source, route }: Place): string => `${source}/${route}`;

type StateOf = (of: SubscriberRef) => SubscriberState | null;

const NOTHING: SubscriberState = { sentAt: [], held: null, rest: null, quiets: [] };

/** The receivers with incidents that are open, held back or on their way. Rows hold what is known of the others. */
class Subscribers {
  readonly #stateOf: StateOf;
  readonly #byKey = new Map<string, Subscriber>();
  /** The time when the first of them is to be looked at (ms; Infinity: never). */
  nextAt = Infinity;
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

  get(of: RowOfReceiver): Subscriber | null {
    return this.#byKey.get(nameOfReceiver(of)) ?? null;
  }

  /** Returns a receiver, which is in memory from now on. */
  of(of: RowOfReceiver): Subscriber {
    const known = this.get(of);
    if (known !== null) return known;
    const ref = { source: of.source ?? '', route: of.route ?? '', phone: of.phone ?? '' };
    const state = { ...NOTHING, ...this.#stateOf(ref) };
    const subscriber: Subscriber = {
      ...ref,
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
    this.#byKey.set(nameOfReceiver(of), subscriber);
    return subscriber;
  }

  /** Has a receiver looked at by this time (ms) at the latest. */
  bringForward(subscriber: Subscriber, at: number): void {
    if (at >= subscriber.lookAt) return;
    subscriber.lookAt = at;
    subscriber.asked = this.#asked += 1;
    this.nextAt = Math.min(this.nextAt, at);
  }

  /** Takes the receivers that are due by now (ms), earliest first; then in the order in which that was set. */
  takeDue(now: number): readonly Subscriber[] {
    if (this.nextAt > now) return [];
    const due: Subscriber[] = [];
    this.nextAt = Infinity;
    for (const subscriber of this.#byKey.values())
      if (subscriber.lookAt <= now) due.push(subscriber);
      else this.nextAt = Math.min(this.nextAt, subscriber.lookAt);
    due.sort((one, other) => one.lookAt - other.lookAt || one.asked - other.asked);
    for (const subscriber of due) subscriber.lookAt = Infinity;
    return due;
  }

  /** Returns the message of a row that is queued or tried, and its receiver; null: it is not about incidents, or over. */
  outgoing(row: RowOfReceiver & Pick<MessageRow, 'seq'>) {
    const subscriber = this.get(row);
    const message = subscriber?.messages.find(({ seq }) => seq === row.seq);
    return subscriber === null || message === undefined ? null : { subscriber, message };
  }

  /** Forgets a receiver of whom nothing is open, on its way or due: its row is read again when needed. */
  forgetIdle(subscriber: Subscriber): void {
    const { groups, messages, held, lookAt } = subscriber;
    const isIdle = groups.size === 0 && messages.length === 0 && held === null && lookAt === Infinity;
    if (isIdle) this.#byKey.delete(nameOfReceiver(subscriber));
  }
}

type RowOfReceiver = Pick<MessageRow, 'source' | 'route' | 'phone'>;

/** A `status` has no phone. */
export const nameOfReceiver = ({ source, route, phone }: RowOfReceiver): string =>
  `${source ?? ''}\n${route ?? ''}\n${phone ?? ''}`;

export function addMessage({ messages }: Subscriber, message: Omit<Outgoing, 'groups'>): Outgoing {
  const outgoing = { ...message, groups: new Set(message.says.groups) };
  messages.push(outgoing);
  return outgoing;
}

/** Counts incidents that closed without a notification, at this time (ms). */
export function miss(subscriber: Subscriber, as: Missed, at: number, count = 1): void {
  if (count === 0) return;
  subscriber.missed = { ...subscriber.missed, [as]: subscriber.missed[as] + count };
  subscriber.missedAt = Math.max(subscriber.missedAt, at);
}

/** Something was heard of an incident that had closed: the morning's message counts it as it is now. */
export function recount(subscriber: Subscriber, before: Incident, incident: Incident, now: number): void {
  const since = subscriber.held?.since ?? Infinity;
  const was = missedAs(before);
  if (was === null || (before.resolvedAt ?? 0) < since) return;
  const { missed } = subscriber;
  subscriber.missed = { ...missed, [was]: Math.max(0, missed[was] - 1) };
  const as = pendingOf(incident) === 'nothing' ? missedAs(incident) : null;
  if (as !== null) miss(subscriber, as, now);
}

export function removeMessage({ messages }: Subscriber, seq: number): void {
  const at = messages.findIndex((one) => one.seq === seq);
  if (at >= 0) messages.splice(at, 1);
}

function groupOf(subscriber: Subscriber, name: string): Group {
  const known = subscriber.groups.get(name);
  if (known !== undefined) return known;
  const group: Group = { name, subscriber, entries: new Set(), due: null, changesAt: Infinity };
  subscriber.groups.set(name, group);
  return group;
}

/** A group ends with its last entry. */
function leave(entry: Entry): void {
  const { group } = entry;
  group.entries.delete(entry);
  if (group.entries.size === 0) group.subscriber.groups.delete(group.name);
}
