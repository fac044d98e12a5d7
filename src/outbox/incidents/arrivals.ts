import { personName } from '../../lib/person-name.ts';
import { standingOf, type Standing } from '../../lib/shares.ts';
import { iso } from '../../lib/time.ts';
import type { BeyondRef } from './beyond.ts';
import {
  openedBeside,
  acknowledge,
  giveBack,
  arrive,
  pendingOf,
  type Incident,
  runOf,
  isOutdated,
  newestOf,
  toldBy,
  type Holder,
} from './incident.ts';
import type { Look, Move } from './context.ts';
import { type Early, readContent, readExpired, readTitle, readIncident, writeItem } from './store.ts';
import { nameOf, type IncidentParts, type IncidentRef, nameOfShared, type Entry } from './entries.ts';
import { recount, miss } from './open-incidents.ts';
import { whoHasMessages, type HeldIncident } from './who-has.ts';
import type { AcceptedEvent, DraftItem, DraftMessage, HolderChange } from '../state/acceptance.ts';

/** So many items of a webhook may open something. Each counts once, whatever the number of its receivers and routes. */
export const MAX_ITEMS = 1_000;

/** Instead of its number: it resolves nothing, since its incident was never open, or has opened again. */
export const RESOLVES_NOTHING = 0;

/** It is only counted; see `beyond.ts`. */
export const ONLY_COUNTED = -1;

/** Something newer is known of its incident, or it says who has an incident that is not open. */
export const OUTDATED = -2;

type NoNumber = typeof RESOLVES_NOTHING | typeof ONLY_COUNTED | typeof OUTDATED;

/**
 * An event's item, for one receiver. `index`: its place in the event; `key`: null if it belongs to no incident; `n`: its
 * number among the items of its incident, both from 1. One that says who has the incident has the number before it.
 */
export type ItemReference = readonly [
  route: string,
  index: number,
  key: string | null,
  phone: string | null,
  n: number,
  /** The silence that took the item, if it would otherwise have made a message at once. */
  silence?: string,
];

export const silencedReferences = ({ silenced = [] }: AcceptedEvent): readonly ItemReference[] =>
  silenced.map(({ route, index, silence }) => [route, index, null, null, 0, silence]);

export interface ItemsResult {
  readonly references: readonly ItemReference[];
  readonly waiting: number;
  /** So many items are only counted. */
  readonly beyond: number;
  /** To those who know of an incident that somebody has by now, or has no longer. */
  readonly messages: readonly DraftMessage[];
}

type Known = ReturnType<Early['of']>;

const NOTHING_KNOWN: Known = { told: null, holder: null };

export class Arrivals {
  readonly #look: Look;
  readonly #early: Early;
  readonly moves: Move[] = [];
  /** The incidents that changed, and the items that belong to no incident: they end a rest. */
  readonly changed: IncidentRef[] = [];
  isBeyond = false;
  /** The items of this event that opened something. Those that are urgent have as many places beside the others. */
  #places = { urgent: new Set<number>(), others: new Set<number>() };

  constructor(look: Look, early: Early) {
    this.#look = look;
    this.#early = early;
  }

  take(event: AcceptedEvent, items: readonly DraftItem[]): ItemsResult {
    const references: ItemReference[] = [];
    this.#places = { urgent: new Set(), others: new Set() };
    this.#look.open.stands(event.source, event.isOpen === true);
    const counting = new Counting(this.#look);
    const counted = new Set<DraftItem>();
    const holders = new HolderChanges(this.#look);
    let waiting = 0;
    for (const item of items) {
      const { route, index, key } = item;
      const take = this.#takerOf(event, item, holders);
      const others = this.#others(event, item);
      let isAny = false;
      for (const phone of item.phones) {
        const arrived = take(phone ?? '');
        if (arrived !== RESOLVES_NOTHING) isAny = true;
        const n = typeof arrived === 'number' ? arrived : arrived.items;
        references.push([route, index, key, phone, n]);
        const of = { source: event.source, route, phone: phone ?? '', grouped: item.group ?? '' };
        if (arrived === ONLY_COUNTED) {
          counted.add(item);
          counting.add(of, key, standingIn(event, item));
        } else if (key !== null && arrived !== OUTDATED) counting.end(of, key);
        const isDecided = typeof arrived === 'number' ? arrived !== ONLY_COUNTED : runOf(arrived, n) !== null;
        if (!isDecided) waiting += 1;
      }
      for (const phone of others) take(phone);
      if (!isAny) this.#remember(event, item);
    }
    counting.write();
    if (counted.size > 0) this.isBeyond = true;
    return { references, waiting, beyond: counted.size, messages: holders.messages() };
  }

  #takerOf(event: AcceptedEvent, item: DraftItem, holders: HolderChanges) {
    const { source } = event;
    const { route, key, at, isResolved, holder } = item;
    const ref = { source, route, key: key ?? '' };
    const known = key === null || at === undefined ? NOTHING_KNOWN : this.#knownOf(ref);
    if (at !== undefined && isOutdated(known.told, { at: at.ms, isEnd: isResolved }, at.isArrival))
      return (phone: string) => this.#hear({ ...ref, phone });
    if (holder === undefined) return (phone: string) => this.#arrive(event, item, phone, known);
    const isOpen = holders.take(ref, holder, at);
    if (!isOpen) this.#remember(event, item);
    return (phone: string) => (isOpen ? this.#look.open.get({ ...ref, phone })?.incident : null) ?? OUTDATED;
  }

  #knownOf(ref: IncidentParts): Known {
    const name = nameOf(ref);
    if (!this.#look.open.isOpen(name)) return this.#early.of(ref, this.#look.now);
    const told = this.#look.open.entriesOf(name).map(({ incident }) => incident.told);
    return { told: newestOf(told), holder: null };
  }

  /** An outdated item: the incident was heard of, and stays as it is. */
  #hear(ref: IncidentRef): typeof OUTDATED {
    const entry = this.#look.open.get(ref);
    if (entry !== null) this.#look.set(entry, { ...entry.incident, heardAt: this.#look.now });
    return OUTDATED;
  }

  /** An item that ends an incident, or says who has it, came before its opening. */
  #remember({ source }: AcceptedEvent, { route, key, at, isResolved, holder }: DraftItem): void {
    if (key === null || at === undefined) return;
    const by = holder?.isBack === false ? holder.by : null;
    this.#early.remember({ source, route, key }, { at: at.ms, isEnd: isResolved, by }, this.#look.now);
  }

  /** Those who left the list and may know that it is open hear of its end, too, even after it expired. */
  #others({ source }: AcceptedEvent, { route, key, phones, isResolved }: DraftItem): readonly string[] {
    if (key === null) return [];
    const ref = { source, route, key };
    const open = this.#look.open.entriesOf(nameOf(ref)).map((entry) => entry.ref.phone);
    const known = isResolved ? new Set([...open, ...readExpired(this.#look.sql, ref)]) : open;
    return [...known].filter((phone) => !phones.includes(phone === '' ? null : phone));
  }

  #arrive(event: AcceptedEvent, item: DraftItem, phone: string, { holder }: Known): Incident | NoNumber {
    const { source, id, type, replay, dedupe, stored } = event;
    const receivedAt = replay?.at ?? event.receivedAt;
    const now = this.#look.now;
    const ref = { source, route: item.route, key: item.key ?? `${id}:${item.index}`, phone };
    const isLone = item.key === null;
    const entry = this.#look.open.get(ref);
    const known = entry?.incident ?? readIncident(this.#look.sql, ref);
    // If it has fired after a resolution that is now replayed, the resolution is not about it.
    const mayBePast = item.isResolved && replay !== null && known?.resolvedAt === null;
    const isPast = mayBePast && readContent(this.#look.sql, ref).event.received_at > iso(receivedAt);
    if (item.isResolved && (known === null || isPast)) return RESOLVES_NOTHING;
    const isOpening = entry === null && !item.isResolved;
    const standing = standingIn(event, item);
    const places = standing === 'urgent' ? this.#places.urgent : this.#places.others;
    const hasPlace = places.has(item.place) || places.size < MAX_ITEMS;
    if (isOpening && !(hasPlace && this.#look.open.hasRoomFor(ref, standing, isLone))) return ONLY_COUNTED;
    if (isOpening) places.add(item.place);
    const by = { flaps: item.flapping, held: entry?.held ?? null, now };
    const arrived = arrive(known, { ...item, isLone }, by);
    const others =
      entry === null && arrived.resolvedAt === null ? this.#look.open.openOne(nameOf(ref)) : null;
    const opened = others === null ? arrived : openedBeside(arrived, others);
    const incident = heldSince(opened, holder, item.at?.ms ?? now, now);
    const grouping = { grouped: item.group, inhibitedBy: item.inhibitedBy };
    const about = {
      id,
      type,
      source,
      received_at: iso(receivedAt),
      dedupe_key: dedupe?.key ?? null,
      ...(event.locale !== undefined && { locale: event.locale }),
      ...(item.leftOut !== undefined && { left_out: item.leftOut }),
    };
    const value = pendingOf(incident) === 'nothing' && known === null ? 'null' : item.value;
    writeItem(this.#look.sql, ref, { known, incident, now }, { ...grouping, event: about, value, stored });
    this.#look.open.put(ref, incident, grouping, now);
    const subscriber = this.#look.open.subscribers.get(ref);
    if (entry === null && known !== null && subscriber !== null) recount(subscriber, known, incident, now);
    const isOpen = incident.resolvedAt === null;
    if (isOpen === (known !== null && known.resolvedAt === null)) return incident;
    this.changed.push(ref);
    if (!isLone) this.moves.push({ stage: isOpen ? 'incident.opened' : 'incident.resolved', ref });
    return incident;
  }
}

const standingIn = ({ isOpen }: AcceptedEvent, { priority }: DraftItem): Standing =>
  standingOf(isOpen === true, priority ?? 'normal');

/** Somebody may have it since before its opening came, `began` (ms). Their acknowledgement lasts from when that came. */
function heldSince(opened: Incident, holder: Known['holder'], began: number, now: number): Incident {
  if (holder === null || holder.by === null || holder.at < began) return opened;
  const { by, heardAt } = holder;
  return acknowledge(acknowledge(opened, toldOf(by, now)), toldOf(by, heardAt));
}

const toldOf = (by: string, at: number): Holder => ({ by, at, isTold: true });

/** What one event changes of the counts of incidents beyond the bounds. */
class Counting {
  readonly #look: Look;
  readonly #byGroup = new Map<
    string,
    {
      readonly ref: BeyondRef;
      readonly keys: (string | null)[];
      readonly over: Set<string>;
      standing: Standing;
    }
  >();

  constructor(look: Look) {
    this.#look = look;
  }

  add(ref: BeyondRef, key: string | null, standing: Standing): void {
    const of = this.#of(ref);
    of.standing = standing;
    of.keys.push(key);
    if (key !== null) of.over.delete(key);
  }

  end(ref: BeyondRef, key: string): void {
    // In most accounts nothing is only counted.
    if (this.#byGroup.size === 0 && this.#look.beyond.nextAt() === null) return;
    const { keys, over } = this.#of(ref);
    over.add(key);
    const at = keys.lastIndexOf(key);
    if (at >= 0) keys.splice(at, 1);
  }

  write(): void {
    const { beyond, now, open } = this.#look;
    for (const { ref, keys, over, standing } of this.#byGroup.values()) {
      if (over.size > 0) {
        const missed = beyond.end(ref, over, this.#isTold(ref), now);
        const subscriber = open.subscribers.get(ref);
        if (subscriber !== null && subscriber.held !== null) miss(subscriber, 'resolved', now, missed);
      }
      if (keys.length > 0) beyond.add(ref, keys, standing, now);
    }
  }

  #isTold(ref: BeyondRef): boolean {
    const name = nameOfShared(ref.grouped);
    const subscriber = this.#look.open.subscribers.get(ref);
    if (subscriber === null || !subscriber.groups.has(name)) return false;
    return !subscriber.messages.some(({ isCalling, groups }) => isCalling && groups.has(name));
  }

  #of(ref: BeyondRef) {
    const { source, route, phone, grouped } = ref;
    const name = JSON.stringify([source, route, phone, grouped]);
    const known = this.#byGroup.get(name) ?? { ref, keys: [], over: new Set<string>(), standing: 'signed' };
    this.#byGroup.set(name, known);
    return known;
  }
}

/** The incidents that one person has now, or has no longer. */
interface Heard {
  readonly route: string;
  readonly who: string | null;
  readonly holder: HolderChange;
  readonly incidents: HeldIncident[];
}

/** The changes of one event in who has incidents: as by a press, those who know of an incident hear of it. */
class HolderChanges {
  readonly #look: Look;
  readonly #heard = new Map<string, Heard>();

  constructor(look: Look) {
    this.#look = look;
  }

  /** Changes an incident. False: it is not open. */
  take(name: IncidentParts, holder: HolderChange, at: DraftItem['at']): boolean {
    const had = this.#look.open.openOne(nameOf(name))?.acknowledged ?? null;
    const { now } = this.#look;
    const changed = this.#look.change(name, ({ incident: known }) => {
      const told = at === undefined ? known.told : toldBy(known.told, { at: at.ms, isEnd: false });
      const heard = { ...known, told, heardAt: now };
      return holder.isBack ? giveBack(heard, null, now) : acknowledge(heard, toldOf(holder.by, now));
    });
    const has = changed[0]?.incident.acknowledged ?? null;
    const who = holder.isBack ? had : has;
    const isNews = holder.isBack ? had !== null && had.by !== has?.by : had === null;
    if (who !== null && isNews) this.#hear(changed, name, holder, personName(who.by));
    return changed.length > 0;
  }

  messages(): readonly DraftMessage[] {
    return [...this.#heard.values()].flatMap(({ route, who, holder: { isBack, message }, incidents }) =>
      whoHasMessages(incidents, { route, who, isBack, ...message }),
    );
  }

  #hear(changed: readonly Entry[], of: IncidentParts, holder: HolderChange, who: string | null): void {
    const { route, key } = of;
    const notified = changed.flatMap(({ ref: { phone }, incident: { believed } }) =>
      believed === 'closed' || phone === '' ? [] : [phone],
    );
    const [first] = changed;
    if (first === undefined || notified.length === 0) return;
    const title = readTitle(this.#look.sql, first.ref);
    const name = JSON.stringify([route, holder.isBack, who]);
    const heard = this.#heard.get(name) ?? { route, who, holder, incidents: [] };
    heard.incidents.push({ key, title, state: 'open', notified });
    this.#heard.set(name, heard);
  }
}
