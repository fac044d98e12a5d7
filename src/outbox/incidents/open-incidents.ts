import { earliest } from '../../lib/earliest.ts';
import { iso } from '../../lib/iso.ts';
import type { ItemWaitReason } from '../state/states.ts';
import { factsOf } from './due.ts';
import {
  nameOf,
  nameOfGroup,
  type Entry,
  type Group,
  type Grouping,
  type IncidentParts,
  type IncidentRef,
  type Subscriber,
} from './entries.ts';
import { HeldBack } from './held-back.ts';
import { isMissed, pendingOf, type Incident } from './incident.ts';
import { Notices } from './notices.ts';
import { Subscribers, type StateOf, type SubscriberRef } from './subscribers.ts';
import { Timetable } from './timetable.ts';

/** What an item waits for. `until`: nobody is notified before, unless something changes (ISO 8601); absent: not known. */
export interface ItemWait {
  readonly for: ItemWaitReason;
  readonly until?: string;
}

/** How many incidents an account holds open, whoever their receivers are … */
export const MAX_OPEN = 10_000;

/** … and with each of their receivers: about 900 bytes of memory each. Items that belong to no incident count here alone. */
export const MAX_ENTRIES = 40_000;

/** The incidents that are open, in memory: by receiver and route, by group, by name, and by when to look at them. */
export class OpenIncidents {
  readonly groupTimes = new Timetable<Group>();
  readonly subscriberTimes = new Timetable<Subscriber>();
  readonly subscribers: Subscribers;
  readonly heldBack = new HeldBack();
  readonly notices = new Notices();
  #size = 0;
  readonly #byName = new Map<string, Set<Entry>>();

  /** `stateOf`: what the row of a receiver says; null: it has none. */
  constructor(stateOf: StateOf = () => null) {
    this.subscribers = new Subscribers(stateOf);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether one more receiver of an incident is kept; null: of an item that belongs to none. What is not kept is counted. */
  hasRoomFor(incident: IncidentParts | null): boolean {
    if (this.#size >= MAX_ENTRIES) return false;
    return incident === null || this.#byName.has(nameOf(incident)) || this.#byName.size < MAX_OPEN;
  }

  /** How many incidents are open, whoever their receivers are. */
  get open(): number {
    let open = 0;
    for (const name of this.#byName.keys()) if (this.isOpen(name)) open += 1;
    return open;
  }

  /** How many items wait: the incidents of which somebody is to be notified. */
  get waiting(): number {
    let waiting = 0;
    for (const { entries } of this.subscribers.values()) {
      const { counts } = factsOf(entries.values());
      waiting += counts.opened + counts.flaps + counts.resolved + counts.held;
    }
    return waiting;
  }

  get(ref: IncidentRef): Entry | null {
    return this.subscribers.get(ref)?.entries.get(ref.key) ?? null;
  }

  /** What holds an incident back; null: nothing. */
  heldOf(ref: IncidentRef): Entry['held'] {
    return this.get(ref)?.held ?? null;
  }

  /** What an incident waits for; null: nobody is to be notified. */
  waitOf(ref: IncidentRef): ItemWait | null {
    const entry = this.get(ref);
    if (entry === null) return null;
    const { group } = entry;
    const { subscriber } = group;
    const isDue = subscriber.due.has(group) || subscriber.notices.has(group.name);
    const { lookAt } = isDue ? subscriber : group;
    const by = subscriber.held?.by ?? 'turn';
    return {
      for: isDue ? (by === 'joined' ? 'turn' : by) : 'group',
      ...(lookAt !== Infinity && { until: iso(lookAt) }),
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

  /** Whether an incident of this name is open, for anybody. */
  isOpen(name: string): boolean {
    for (const { incident } of this.#byName.get(name) ?? []) if (incident.resolvedAt === null) return true;
    return false;
  }

  subscriber(of: SubscriberRef): Subscriber {
    return this.subscribers.of(of);
  }

  /** An incident is now like this; its group is looked at now (ms). */
  put(ref: IncidentRef, incident: Incident, grouping: Grouping, now: number): void {
    const known = this.get(ref) ?? undefined;
    const isClosed = pendingOf(incident) === 'nothing';
    // What was notified with others is resolved with them.
    const isBound = known !== undefined && known.incident.believed !== 'closed';
    const name = isBound ? known.group.name : nameOfGroup(ref, grouping.grouped);
    const isSame = known !== undefined && known.group.name === name;
    const held = known?.held ?? null;
    if (known !== undefined) this.#remove(known, isSame && !isClosed);
    if (isClosed) {
      this.#countMissed(known, incident);
      this.#closed(nameOf(ref), now);
      return;
    }
    const group = known !== undefined && isSame ? known.group : groupOf(this.subscriber(ref), name);
    const { source, route, phone, entries } = group.subscriber;
    // Tens of thousands share the texts of their receiver.
    const own = known?.ref ?? { source, route, key: ref.key, phone };
    const entry: Entry = { ref: own, group, incident, grouping: sharedOf(grouping), held: null };
    entries.set(ref.key, entry);
    group.entries.add(entry);
    this.#size += 1;
    const incidentName = nameOf(ref);
    if (!incident.isLone)
      this.#byName.set(incidentName, (this.#byName.get(incidentName) ?? new Set()).add(entry));
    // Nothing holds back a resolution.
    if (pendingOf(incident) !== 'resolved')
      if (held !== null) this.heldBack.hold(entry, held);
      else if (pendingOf(incident) === 'opened') this.heldBack.toCheck(entry);
    this.groupTimes.bringForward(group, now);
    this.#closed(incidentName, now);
  }

  /** What held it back may have ended. */
  release(entry: Entry, now: number): void {
    if (entry.held === null) return;
    this.heldBack.forget(entry);
    this.heldBack.toCheck(entry);
    this.groupTimes.bringForward(entry.group, now);
  }

  /** When something is to be looked at (ms); null: never. */
  nextAt(): number | null {
    return earliest([this.groupTimes.nextAt(), this.subscriberTimes.nextAt()]);
  }

  /** Everything is looked at again. Silences and lists may have changed: what they hold back, too. */
  lookAtAll(now: number): void {
    for (const subscriber of this.subscribers.values()) {
      for (const entry of subscriber.entries.values())
        if (entry.held !== null && entry.held.why !== 'inhibited') this.release(entry, now);
      this.subscriberTimes.bringForward(subscriber, now);
      for (const group of subscriber.groups.values()) this.groupTimes.bringForward(group, now);
    }
  }

  #closed(name: string, now: number): void {
    if (this.isOpen(name)) return;
    for (const entry of this.heldBack.by(name)) this.release(entry, now);
  }

  /** What opened and closed in quiet hours without a notification, or expired in them, is counted in the morning. */
  #countMissed(known: Entry | undefined, incident: Incident): void {
    if (known === undefined || known.group.subscriber.held === null) return;
    if (isMissed(incident)) known.group.subscriber.missed += 1;
  }

  #remove(entry: Entry, isReplaced: boolean): void {
    const { group, ref } = entry;
    this.heldBack.forget(entry);
    group.subscriber.entries.delete(ref.key);
    group.entries.delete(entry);
    this.#size -= 1;
    const name = nameOf(ref);
    const entries = this.#byName.get(name);
    entries?.delete(entry);
    if (entries?.size === 0) this.#byName.delete(name);
    if (group.entries.size > 0 || isReplaced) return;
    group.subscriber.groups.delete(group.name);
    group.subscriber.due.delete(group);
    this.groupTimes.set(group, Infinity);
  }
}

/** A subscriber's group of this name; it is made if there is none. */
function groupOf(subscriber: Subscriber, name: string): Group {
  const known = subscriber.groups.get(name);
  if (known !== undefined) return known;
  const group: Group = { name, subscriber, entries: new Set(), lookAt: Infinity };
  subscriber.groups.set(name, group);
  return group;
}

const BY_ITSELF: Grouping = { grouped: null, inhibitedBy: [] };

const sharedOf = (grouping: Grouping): Grouping =>
  grouping.grouped === null && grouping.inhibitedBy.length === 0 ? BY_ITSELF : grouping;
