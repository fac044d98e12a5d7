import { type Standing, mayHold } from '../../lib/shares.ts';
import { iso } from '../../lib/time.ts';
import type { ItemWait } from '../answers/api-incident.ts';
import { factsOf } from './due.ts';
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
} from './entries.ts';
import { isEnd, pendingOf, type Incident } from './incident.ts';
import { missedAs } from './outcomes.ts';
import { groupOf, leave, miss, Subscribers, type StateOf } from './subscribers.ts';

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

  /** `stateOf`: returns the content of a receiver's row; null if there is none. */
  constructor(stateOf: StateOf = () => null) {
    this.subscribers = new Subscribers(stateOf);
  }

  get size(): number {
    return this.#pairs.all;
  }

  /** Notes whether a source cannot prove its sender, so that it has the share of those. */
  stands(source: string, isOpen: boolean): void {
    if (isOpen) this.#openSources.add(source);
    else this.#openSources.delete(source);
  }

  /**
   * True if there is room for one more receiver of an incident, or for an item that belongs to none (`isLone`). Others
   * are only counted.
   */
  hasRoomFor(incident: IncidentParts, standing: Standing, isLone = false): boolean {
    const room = (holdings: Holdings): boolean => holdings.hasRoomFor(incident, standing, this.#openSources);
    return room(this.#pairs) && (isLone || this.#byName.has(nameOf(incident)) || room(this.#incidents));
  }

  /** The number of open incidents, whoever their receivers are. */
  get open(): number {
    let open = 0;
    for (const name of this.#byName.keys()) if (this.isOpen(name)) open += 1;
    return open;
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

  /** Returns the silence or incident that holds an incident back; null if nothing does. */
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
    return {
      for: isDue ? (by === 'joined' ? 'turn' : by) : 'group',
      ...(at !== null && at !== Infinity && { until: iso(at) }),
    };
  }

  /** The entries of an incident, one for each receiver. */
  entriesOf(name: string): readonly Entry[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  /** The entries of each incident. */
  all(): Iterable<ReadonlySet<Entry>> {
    return this.#byName.values();
  }

  /** True if an incident of this name is open, for anybody. */
  isOpen(name: string): boolean {
    return this.openOne(name) !== null;
  }

  /** Returns an incident of this name, as it is for one of the receivers for whom it is open; null if it is open for nobody. */
  openOne(name: string): Incident | null {
    for (const { incident } of this.#byName.get(name) ?? [])
      if (incident.resolvedAt === null) return incident;
    return null;
  }

  /** Returns a receiver of a route, which is in memory from now on. */
  subscriber(of: SubscriberRef): Subscriber {
    return this.subscribers.of(of);
  }

  /** Stores an incident's new state; its receiver is looked at now (ms). */
  put(ref: IncidentRef, incident: Incident, grouping: Grouping, now: number): void {
    const known = this.get(ref);
    const pending = pendingOf(incident);
    if (pending === 'nothing') {
      if (known !== null) {
        this.#countMissed(known, incident, now);
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

  /** Takes out the entries to look at: those that are new, changed while they were held back, or were released since the last call. */
  takeUnchecked(): Iterable<Entry> {
    const unchecked = this.#unchecked;
    if (unchecked.size > 0) this.#unchecked = new Set();
    return unchecked;
  }

  /** Holds it back: nobody is notified until it is released. */
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

  /** Has everything looked at again. Silences and lists may have changed, and with them the holds. */
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

  /** Counts for the morning an incident that ended in quiet hours without a notification. */
  #countMissed({ group: { subscriber } }: Entry, incident: Incident, now: number): void {
    const missed = subscriber.held === null ? null : missedAs(incident);
    if (missed !== null) miss(subscriber, missed, { at: now });
  }

  #add({ source: s, route: r, key, phone: p }: IncidentRef, name: string, incident: Incident): Entry {
    const subscriber = this.subscriber({ source: s, route: r, phone: p });
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

interface Place {
  readonly source: string;
  readonly route: string;
}

/** How much of what has room for so many is taken: by each source, by each route, and in all. */
class Holdings {
  readonly #room: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get all(): number {
    return this.#all;
  }

  change({ source, route }: Place, by: 1 | -1): void {
    this.#all += by;
    for (const name of [source, placeName({ source, route })]) {
      const taken = this.#of(name) + by;
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
  }

  /** True if a source may have one more; of what is urgent, a route. */
  hasRoomFor(place: Place, standing: Standing, openSources: Iterable<string>): boolean {
    let open = 0;
    for (const source of openSources) open += this.#of(source);
    const own = this.#of(standing === 'urgent' ? placeName(place) : place.source);
    return mayHold(standing, { own, open, all: this.#all }, this.#room);
  }

  #of(name: string): number {
    return this.#taken.get(name) ?? 0;
  }
}

/** Ids of sources have no slash. */
const placeName = ({ source, route }: Place): string => `${source}/${route}`;
