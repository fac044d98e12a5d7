import { parseOwnJson } from '../../lib/json.ts';
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
  JOINED,
  runOf,
  isOutdated,
  newestOf,
  toldBy,
  type Holder,
} from './incident.ts';
import type { Look, Move } from './context.ts';
import { type Early, readContent, readExpired, readTitle, readIncident, writeItem } from './store.ts';
import { nameOf, type IncidentParts, type IncidentRef, nameOfShared } from './entries.ts';
import { recount, miss } from './open-incidents.ts';
import { whoHasMessages, type HeldIncident } from './who-has.ts';
import type { AcceptedEvent, DraftItem, HolderChange } from '../state/acceptance.ts';

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
 * number among the items of its incident, both from 1. One that says who has the incident has the number before it,
 * or {@link JOINED}.
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

export type ItemsResult = ReturnType<Arrivals['take']>;

type Known = ReturnType<Early['of']>;

const NOTHING_KNOWN: Known = { told: null, holder: null };

/** The incidents that one person has now, or has no longer. */
interface Heard {
  readonly route: string;
  readonly who: string | null;
  readonly holder: HolderChange;
  readonly incidents: HeldIncident[];
}

/** An item that is only counted; `standing` is null if its incident is over, or kept by itself. */
interface Counted {
  readonly ref: BeyondRef;
  readonly key: string | null;
  readonly standing: Standing | null;
}

export class Arrivals {
  readonly #look: Look;
  readonly #early: Early;
  readonly moves: Move[] = [];
  /** The incidents that changed, and the items that belong to no incident: they end a rest. */
  readonly changed: IncidentRef[] = [];
  isBeyond = false;
  /** The items of this event that opened something. Those that are urgent have as many places beside the others. */
  #places = { urgent: new Set<number>(), others: new Set<number>() };
  /** What this event says of who has incidents, by the message that says it. */
  #heard = new Map<string, Heard>();

  constructor(look: Look, early: Early) {
    this.#look = look;
    this.#early = early;
  }

  /**
   * `waiting`: the number of items that wait for a notification; `beyond`: of those that are only counted; `messages`: to
   * those who know of an incident that somebody has by now, or has no longer.
   */
  take(event: AcceptedEvent, items: readonly DraftItem[]) {
    const { open, beyond } = this.#look;
    const { source } = event;
    const references: ItemReference[] = [];
    const counts: Counted[] = [];
    const counted = new Set<DraftItem>();
    this.#places = { urgent: new Set(), others: new Set() };
    this.#heard = new Map();
    open.stands(source, event.isOpen === true);
    // In most accounts nothing is only counted.
    const isAnyCounted = beyond.nextAt() !== null;
    const counting = beyond.receivers().filter((one) => one.source === source);
    let waiting = 0;
    for (const item of items) {
      const { route, index, key } = item;
      const take = this.#takerOf(event, item);
      const others = this.#others(event, item);
      const place = { source, route, grouped: item.group ?? '' };
      let isAny = false;
      let isNews = false;
      for (const phone of item.phones) {
        const arrived = take(phone ?? '');
        if (arrived !== RESOLVES_NOTHING) isAny = true;
        if (arrived !== OUTDATED) isNews = true;
        const n = typeof arrived === 'number' ? arrived : arrived.items || JOINED;
        references.push([route, index, key, phone, n]);
        const ref = { ...place, phone: phone ?? '' };
        if (arrived === ONLY_COUNTED) {
          counted.add(item);
          counts.push({ ref, key, standing: standingIn(event, item) });
        } else if (key !== null && arrived !== OUTDATED && (isAnyCounted || counts.length > 0))
          counts.push({ ref, key, standing: null });
        const isDecided = typeof arrived === 'number' ? arrived !== ONLY_COUNTED : runOf(arrived, n) !== null;
        if (!isDecided) waiting += 1;
      }
      for (const phone of others) take(phone);
      // It is over for everybody.
      for (const { phone, route: of } of item.isResolved && isNews ? counting : [])
        if (of === route) counts.push({ ref: { ...place, phone }, key, standing: null });
      if (!isAny) this.#remember(event, item);
    }
    this.#count(counts);
    if (counted.size > 0) this.isBeyond = true;
    const messages = [...this.#heard.values()].flatMap(
      ({ route, who, holder: { isBack, message }, incidents }) =>
        whoHasMessages(incidents, { route, who, isBack, ...message }),
    );
    return { references, waiting, beyond: counted.size, messages };
  }

  #takerOf(event: AcceptedEvent, item: DraftItem): (phone: string) => Incident | NoNumber {
    const { open, now } = this.#look;
    const { source } = event;
    const { route, key, at, isResolved, holder } = item;
    const ref = { source, route, key: key ?? '' };
    const known = key === null || at === undefined ? NOTHING_KNOWN : this.#knownOf(ref);
    if (at !== undefined && isOutdated(known.told, { ...at, at: at.ms, isEnd: isResolved }, at.isArrival))
      // Its incident was heard of, and stays as it is.
      return (phone) => {
        const entry = open.get({ ...ref, phone });
        if (entry !== null) this.#look.set(entry, { ...entry.incident, heardAt: now });
        return OUTDATED;
      };
    if (holder === undefined) return (phone) => this.#arrive(event, item, phone, known);
    const isOpen = this.#changeHolder(ref, holder, at);
    if (!isOpen) this.#remember(event, item);
    return (phone) => (isOpen ? open.get({ ...ref, phone })?.incident : null) ?? OUTDATED;
  }

  #knownOf(ref: IncidentParts): Known {
    const { open, now } = this.#look;
    const name = nameOf(ref);
    if (!open.isOpen(name)) return this.#early.of(ref, now);
    return { told: newestOf(open.entriesOf(name).map(({ incident }) => incident.told)), holder: null };
  }

  /** An item that ends an incident, or says who has it, came before its opening. */
  #remember({ source }: AcceptedEvent, { route, key, at, isResolved, holder }: DraftItem): void {
    if (key === null || at === undefined) return;
    const by = holder?.isBack === false ? holder.by : null;
    this.#early.remember(
      { source, route, key },
      { at: at.ahead ?? at.ms, isEnd: isResolved, by },
      this.#look.now,
    );
  }

  /** Those who left the list and may know that it is open hear of its end, too, even after it expired. */
  #others({ source }: AcceptedEvent, { route, key, phones, isResolved }: DraftItem): readonly string[] {
    if (key === null) return [];
    const ref = { source, route, key };
    const open = this.#look.open.entriesOf(nameOf(ref)).map((entry) => entry.ref.phone);
    const past = isResolved ? readExpired(this.#look.sql, ref).map((one) => one.ref.phone) : [];
    return [...new Set([...open, ...past])].filter((phone) => !phones.includes(phone === '' ? null : phone));
  }

  #arrive(event: AcceptedEvent, item: DraftItem, phone: string, { holder }: Known): Incident | NoNumber {
    const { source, id, type, replay, dedupe, stored } = event;
    const receivedAt = replay?.at ?? event.receivedAt;
    const { open, sql, now } = this.#look;
    const ref = { source, route: item.route, key: item.key ?? `${id}:${item.index}`, phone };
    const isLone = item.key === null;
    const entry = open.get(ref);
    const known = entry?.incident ?? readIncident(sql, ref);
    // If it has fired after a resolution that is now replayed, the resolution is not about it.
    const mayBePast = item.isResolved && replay !== null && known?.resolvedAt === null;
    const isPast = mayBePast && readContent(sql, ref).event.received_at > iso(receivedAt);
    if (item.isResolved && (known === null || isPast)) return RESOLVES_NOTHING;
    const isOpening = entry === null && !item.isResolved;
    const standing = standingIn(event, item);
    const places = standing === 'urgent' ? this.#places.urgent : this.#places.others;
    const hasPlace = places.has(item.place) || places.size < MAX_ITEMS;
    if (isOpening && !(hasPlace && open.hasRoomFor(ref, standing, isLone))) return ONLY_COUNTED;
    if (isOpening) places.add(item.place);
    const by = { flaps: item.flapping, held: entry?.held ?? null, now };
    const arrived = arrive(known, { ...item, isLone }, by);
    const others = entry === null && arrived.resolvedAt === null ? open.openOne(nameOf(ref)) : null;
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
    writeItem(sql, ref, { known, incident, now }, { ...grouping, event: about, value, stored });
    open.put(ref, incident, grouping, now);
    const subscriber = open.subscribers.get(ref);
    if (entry === null && known !== null && subscriber !== null) recount(subscriber, known, incident, now);
    const isOpen = incident.resolvedAt === null;
    if (isOpen === (known !== null && known.resolvedAt === null)) return incident;
    this.changed.push(ref);
    if (!isLone) this.moves.push({ stage: isOpen ? 'incident.opened' : 'incident.resolved', ref });
    return incident;
  }

  /** Writes what is beyond the bounds, and what of it is over: of each key, the last item decides. */
  #count(all: readonly Counted[]): void {
    const { beyond, now, open } = this.#look;
    for (const [name, own] of Map.groupBy(all, ({ ref }) => JSON.stringify(ref))) {
      const ref = parseOwnJson<BeyondRef>(name);
      // Items of no incident have no key.
      const last = [...new Map(own.map((one, at) => [one.key ?? at, one])).values()];
      const over = new Set(last.flatMap(({ key, standing }) => (standing === null ? (key ?? []) : [])));
      if (over.size > 0) {
        const subscriber = open.subscribers.get(ref);
        const group = nameOfShared(ref.grouped);
        const isCalling = subscriber?.messages.some((one) => one.isCalling && one.groups.has(group));
        const isTold = subscriber?.groups.has(group) === true && isCalling === false;
        const missed = beyond.end(ref, over, isTold, now);
        if (subscriber?.held) miss(subscriber, 'resolved', now, missed);
      }
      const more = last.filter((one) => one.standing !== null);
      const standing = more.at(-1)?.standing ?? null;
      const keys = more.map(({ key }) => key);
      if (standing !== null) beyond.add(ref, keys, standing, now);
    }
  }

  /** Changes an incident as a press does: those who know of it hear of that. False: it is not open. */
  #changeHolder(name: IncidentParts, holder: HolderChange, at: DraftItem['at']): boolean {
    const { open, now, sql } = this.#look;
    const { isBack } = holder;
    const had = open.openOne(nameOf(name))?.acknowledged ?? null;
    const changed = this.#look.change(name, ({ incident: known }) => {
      const told = at === undefined ? known.told : toldBy(known.told, { at: at.ms, isEnd: false });
      const heard = { ...known, told, heardAt: now };
      return isBack ? giveBack(heard, null, now) : acknowledge(heard, toldOf(holder.by, now));
    });
    const [first] = changed;
    if (first === undefined) return false;
    const has = first.incident.acknowledged;
    const isNews = isBack ? had?.by !== has?.by : had === null;
    const holderNow = isBack ? had : has;
    const notified = changed.flatMap(({ ref: { phone }, incident: { believed } }) =>
      believed === 'closed' || phone === '' ? [] : [phone],
    );
    if (holderNow === null || !isNews || notified.length === 0) return true;
    const { route, key } = name;
    const who = personName(holderNow.by);
    const message = JSON.stringify([route, isBack, who]);
    const heard = this.#heard.get(message) ?? { route, who, holder, incidents: [] };
    heard.incidents.push({ key, title: readTitle(sql, first.ref), state: 'open', notified });
    this.#heard.set(message, heard);
    return true;
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
