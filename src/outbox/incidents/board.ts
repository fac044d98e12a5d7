import { earliest } from '../../lib/earliest.ts';
import { iso } from '../../lib/iso.ts';
import { pendingOf, pendingSince, type Held, type Incident, type Pending } from './incident.ts';
import type { ItemWaitReason } from '../state/states.ts';
import type { GroupFacts } from './due.ts';
import type { Holding } from './plan.ts';
import { Timetable, type Timed } from './timetable.ts';

/** Which incident of which receiver. */
export interface Place {
  readonly source: string;
  readonly route: string;
  /** The incident's key; of an item that belongs to none, its event and place in it. */
  readonly key: string;
  /** Empty for a `status`, which has no receiver. */
  readonly phone: string;
}

/** An incident that burns, or whose end is not told yet. */
export interface Entry {
  readonly place: Place;
  readonly group: Group;
  readonly incident: Incident;
  readonly grouping: Grouping;
  /** Why it is not told, and until when at most (ms; null: it is not known). */
  held: (Held & { readonly until: number | null }) | null;
}

/** What an item waits for. `until`: it is not told before, unless something changes (ISO 8601); absent: not known. */
export interface ItemWait {
  readonly for: ItemWaitReason;
  readonly until?: string;
}

/** What an incident is told with, and when it is not told. */
export interface Grouping {
  /** What it has in common with the others of its group; null: it is told by itself. */
  readonly grouped: string | null;
  /** It is not told while one of these is open. */
  readonly unlessOpen: readonly string[];
}

/** Incidents of one receiver that are told together. */
export interface Group extends Timed {
  readonly name: string;
  readonly teller: Teller;
  readonly entries: Map<string, Entry>;
  readonly counts: Record<Pending | 'held', number>;
  waitsSince: number | null;
  toldAt: number | null;
  /** No incident of it flaps out or expires before this (ms). */
  timersAt: number;
}

/** What a receiver is told of one route. */
export interface Teller extends Timed {
  readonly source: string;
  readonly route: string;
  readonly phone: string;
  readonly groups: Map<string, Group>;
  /** When it was told something, as far back as its throttle looks (ms). */
  told: readonly number[];
  held: Holding | null;
  /** How many incidents ended since then without being told. */
  missed: number;
  /** Its last message, as long as that waits to be sent. */
  unsent: Unsent | null;
  /** Groups that are to be told as soon as their receiver may be told something. */
  readonly due: Set<Group>;
}

/** An incident before and after a message told it. */
export interface ToldEntry {
  readonly place: Place;
  readonly grouping: Grouping;
  readonly group: Group;
  readonly before: Incident;
  readonly after: Incident;
}

/** A message that waits to be sent, and what it tells. */
export interface Unsent {
  readonly seq: number;
  readonly told: readonly ToldEntry[];
  /** The times of earlier messages. */
  readonly toldBefore: readonly number[];
}

/** The name of an incident, as `unless_open` and people have it. */
export const nameOf = ({ source, route, key }: Omit<Place, 'phone'>): string => `${source}/${route}/${key}`;

/** The incidents that are open, in memory: by receiver and route, by group, and by when to look at them. */
export class Board {
  readonly groupTimes = new Timetable<Group>();
  readonly tellerTimes = new Timetable<Teller>();
  readonly tellers = new Map<string, Teller>();
  readonly #entries = new Map<string, Entry>();
  /** How many receivers an incident of this name burns for. */
  readonly #burning = new Map<string, number>();
  /** Incidents that are not told because of this one. */
  readonly #inhibited = new Map<string, Set<Entry>>();
  readonly #silenced = new Set<Entry>();
  /** Whether a silence or an open incident holds them back is to be looked at. */
  #unchecked = new Set<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** How many incidents are open, whoever their receivers are. */
  get burning(): number {
    const names = new Set<string>();
    for (const { place, incident } of this.#entries.values()) if (burns(incident)) names.add(nameOf(place));
    return names.size;
  }

  /** How many items wait: the incidents that have something to be told. */
  get waiting(): number {
    let waiting = 0;
    for (const { groups } of this.tellers.values())
      for (const { counts } of groups.values())
        waiting += counts.opened + counts.flaps + counts.ended + counts.held;
    return waiting;
  }

  get(place: Place): Entry | null {
    return this.#entries.get(entryKey(place)) ?? null;
  }

  /** What an incident waits for that is to be told; null: it is not open. */
  waitOf(place: Place): ItemWait | null {
    const entry = this.get(place);
    if (entry === null) return null;
    const { group } = entry;
    const { teller } = group;
    const isDue = teller.due.has(group);
    const { lookAt } = isDue ? teller : group;
    return {
      for: isDue ? (teller.held?.by ?? 'turn') : 'group',
      ...(lookAt !== Infinity && { until: iso(lookAt) }),
    };
  }

  /** The entries of an incident, one for each receiver. */
  entriesOf(name: string): readonly Entry[] {
    return [...this.#entries.values()].filter(({ place }) => nameOf(place) === name);
  }

  isBurning(name: string): boolean {
    return this.#burning.has(name);
  }

  teller({ source, route, phone }: Omit<Place, 'key'>): Teller {
    const key = `${source}\n${route}\n${phone}`;
    let teller = this.tellers.get(key);
    if (teller === undefined) {
      teller = {
        source,
        route,
        phone,
        groups: new Map(),
        told: [],
        held: null,
        missed: 0,
        unsent: null,
        due: new Set(),
        lookAt: Infinity,
      };
      this.tellers.set(key, teller);
    }
    return teller;
  }

  /** An incident is now like this; its group is looked at now (ms). */
  put(place: Place, incident: Incident, grouping: Grouping, now: number): void {
    const key = entryKey(place);
    const known = this.#entries.get(key);
    const isOver = pendingOf(incident) === 'over';
    // What was told with others ends with them.
    const isBound = known?.incident.told === 'burns';
    const name = isBound ? known.group.name : nameOfGroup(place, grouping.grouped);
    const isSame = known !== undefined && known.group.name === name;
    const held = known?.held ?? null;
    if (known !== undefined) this.#remove(key, known, isSame && !isOver);
    if (isOver) {
      const isMissed = incident.fates.at(-1)?.fate === 'resolved' && known?.incident.told === 'nothing';
      if (isMissed && known.group.teller.held !== null) known.group.teller.missed += 1;
      this.#closed(nameOf(place), now);
      return;
    }
    const group = known !== undefined && isSame ? known.group : groupOf(this.teller(place), name);
    const entry: Entry = { place, group, incident, grouping, held: null };
    this.#entries.set(key, entry);
    group.entries.set(key, entry);
    const incidentName = nameOf(place);
    if (burns(incident)) this.#burning.set(incidentName, (this.#burning.get(incidentName) ?? 0) + 1);
    if (incident.flapping !== 'no') group.timersAt = 0;
    if (incident.toldAt !== null) group.toldAt = Math.max(group.toldAt ?? 0, incident.toldAt);
    this.#count(entry);
    if (pendingOf(incident) === 'opened')
      if (held !== null) this.hold(entry, held);
      else this.#unchecked.add(entry);
    this.groupTimes.bringForward(group, now);
    this.#closed(incidentName, now);
  }

  /** It is not told: because of a silence, or an incident that is open. */
  hold(entry: Entry, held: NonNullable<Entry['held']>): void {
    this.#uncount(entry);
    entry.held = held;
    this.#count(entry);
    if (held.fate === 'silenced') this.#silenced.add(entry);
    else {
      const inhibited = this.#inhibited.get(held.by) ?? new Set();
      this.#inhibited.set(held.by, inhibited.add(entry));
    }
  }

  /** Takes out what is new, or was released, since this was asked last. */
  takeUnchecked(): Iterable<Entry> {
    const unchecked = this.#unchecked;
    if (unchecked.size > 0) this.#unchecked = new Set();
    return unchecked;
  }

  /** What held it back may be over. */
  release(entry: Entry, now: number): void {
    if (entry.held === null) return;
    this.#uncount(entry);
    this.#forgetHeld(entry);
    this.#count(entry);
    this.#unchecked.add(entry);
    this.groupTimes.bringForward(entry.group, now);
  }

  /** Silences have changed, or may have: what they hold back is looked at again. */
  releaseSilenced(now: number): void {
    for (const entry of this.#silenced) this.release(entry, now);
  }

  /** When something is to be looked at (ms); null: never. */
  nextAt(): number | null {
    return earliest([this.groupTimes.nextAt(), this.tellerTimes.nextAt()]);
  }

  /** Everything is looked at again. */
  lookAtAll(now: number): void {
    this.releaseSilenced(now);
    for (const teller of this.tellers.values()) {
      this.tellerTimes.bringForward(teller, now);
      for (const group of teller.groups.values()) {
        group.timersAt = 0;
        this.groupTimes.bringForward(group, now);
      }
    }
  }

  #closed(name: string, now: number): void {
    if (this.isBurning(name)) return;
    for (const entry of this.#inhibited.get(name) ?? []) this.release(entry, now);
  }

  #remove(key: string, entry: Entry, isReplaced: boolean): void {
    const { group, place, incident } = entry;
    this.#uncount(entry);
    this.#forgetHeld(entry);
    this.#unchecked.delete(entry);
    this.#entries.delete(key);
    group.entries.delete(key);
    if (burns(incident)) {
      const name = nameOf(place);
      const left = (this.#burning.get(name) ?? 1) - 1;
      if (left === 0) this.#burning.delete(name);
      else this.#burning.set(name, left);
    }
    if (group.entries.size > 0 || isReplaced) return;
    group.teller.groups.delete(group.name);
    group.teller.due.delete(group);
    this.groupTimes.set(group, Infinity);
  }

  #forgetHeld(entry: Entry): void {
    if (entry.held === null) return;
    this.#silenced.delete(entry);
    const inhibited = this.#inhibited.get(entry.held.by);
    inhibited?.delete(entry);
    if (inhibited?.size === 0) this.#inhibited.delete(entry.held.by);
    entry.held = null;
  }

  #count(entry: Entry): void {
    const { group, incident } = entry;
    const kind = kindOf(entry);
    group.counts[kind] += 1;
    if (isWaiting(kind)) group.waitsSince = Math.min(group.waitsSince ?? Infinity, pendingSince(incident));
  }

  #uncount(entry: Entry): void {
    const { group } = entry;
    group.counts[kindOf(entry)] -= 1;
    const { opened, flaps, ended } = group.counts;
    if (opened + flaps + ended === 0) group.waitsSince = null;
  }
}

export const entryKey = ({ source, route, key, phone }: Place): string =>
  `${source}\n${route}\n${phone}\n${key}`;

/** Whether it is open: others may depend on that. */
const burns = ({ endedAt, isLone }: Incident): boolean => endedAt === null && !isLone;

const nameOfGroup = ({ key }: Place, grouped: string | null): string =>
  grouped === null ? `#${key}` : `=${grouped}`;

function groupOf(teller: Teller, name: string): Group {
  let group = teller.groups.get(name);
  if (group === undefined) {
    const counts = { opened: 0, flaps: 0, ended: 0, known: 0, muted: 0, over: 0, held: 0 };
    const entries = new Map<string, Entry>();
    group = { name, teller, entries, counts, waitsSince: null, toldAt: null, timersAt: 0, lookAt: Infinity };
    teller.groups.set(name, group);
  }
  return group;
}

export const factsOf = ({ counts, waitsSince, toldAt }: Group): GroupFacts => ({
  counts,
  waitsSince,
  toldAt,
});

const kindOf = ({ held, incident }: Entry): Pending | 'held' =>
  held === null ? pendingOf(incident) : 'held';

const isWaiting = (kind: Pending | 'held'): boolean =>
  kind === 'opened' || kind === 'flaps' || kind === 'ended';
