import { iso } from '../../lib/iso.ts';
import type { AcceptedEvent, DraftItem } from '../state/acceptance.ts';
import type { Beyond } from './beyond.ts';
import { nameOf, type IncidentRef } from './entries.ts';
import { arrive, pendingOf, type Incident } from './incident.ts';
import { openedBeside } from './joined.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { runOf } from './outcomes.ts';
import { readContent, readIncident, writeItem } from './store.ts';

/**
 * The place of an item that resolves nothing: its incident was never open and has no row, or has opened again since.
 */
export const RESOLVES_NOTHING = 0;

/** The place of an item that is only counted; see `beyond.ts`. */
export const ONLY_COUNTED = -1;

/**
 * The place of an event's item, for one receiver: its route, its place in the event from 1, its key (null: it belongs
 * to no incident), its receiver, and its number among the items of its incident, from 1, or {@link RESOLVES_NOTHING} or
 * {@link ONLY_COUNTED}.
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

/** Returns the items of an event that silences took. */
export const silencedReferences = ({ silenced = [] }: AcceptedEvent): readonly ItemReference[] =>
  silenced.map(({ route, index, silence }) => [route, index, null, null, 0, silence]);

/** An incident that opened, ended, or was held back, for one receiver. */
export interface Move {
  readonly stage:
    'incident.opened' | 'incident.resolved' | 'incident.expired' | 'incident.held' | 'incident.escalated';
  readonly ref: IncidentRef;
  /** The silence that holds it back, or the id of an incident, or the step that was taken. */
  readonly by?: string;
}

/** The outcome of an event's items. */
export interface ItemsResult {
  readonly references: readonly ItemReference[];
  /** The number of items that wait. */
  readonly waiting: number;
  /** The number of items that are only counted, since too much is open. */
  readonly beyond: number;
}

/** The items of one commit. */
export class Arrivals {
  readonly #sql: SqlStorage;
  readonly #open: OpenIncidents;
  readonly #beyond: Beyond;
  readonly #now: number;
  /** The incidents that opened and were resolved. */
  readonly moves: Move[] = [];
  /** The incidents that changed, and the items that belong to no incident: they end a rest. */
  readonly changed: IncidentRef[] = [];
  /** True if something is only counted. */
  isBeyond = false;

  constructor(sql: SqlStorage, open: OpenIncidents, beyond: Beyond, now: number) {
    this.#sql = sql;
    this.#open = open;
    this.#beyond = beyond;
    this.#now = now;
  }

  /** Takes an event's items into rows and memory. */
  take(event: AcceptedEvent, items: readonly DraftItem[]): ItemsResult {
    const references: ItemReference[] = [];
    const beyond = new Map<string, (string | null)[]>();
    const counted = new Set<DraftItem>();
    let waiting = 0;
    for (const item of items) {
      const { route, index, key } = item;
      for (const phone of item.phones) {
        const arrived = this.#arrive(event, item, phone ?? '');
        const n = typeof arrived === 'number' ? arrived : arrived.items;
        references.push([route, index, key, phone, n]);
        if (arrived === ONLY_COUNTED) {
          counted.add(item);
          const of = `${route}\n${phone ?? ''}`;
          const keys = beyond.get(of);
          if (keys === undefined) beyond.set(of, [key]);
          else keys.push(key);
        }
        const isDecided =
          typeof arrived === 'number' ? arrived === RESOLVES_NOTHING : runOf(arrived, n) !== null;
        if (!isDecided) waiting += 1;
      }
      for (const phone of this.#others(event, item)) this.#arrive(event, item, phone);
    }
    for (const [of, keys] of beyond) {
      const [route = '', phone = ''] = of.split('\n');
      this.#beyond.add({ source: event.source, route, phone, keys }, this.#now);
      this.isBeyond = true;
    }
    return { references, waiting, beyond: counted.size };
  }

  /**
   * Returns those who left the list and may know that the incident is open: they are notified, too, when it is
   * resolved.
   */
  #others({ source }: AcceptedEvent, { route, key, phones }: DraftItem): readonly string[] {
    if (key === null) return [];
    const open = this.#open.entriesOf(nameOf({ source, route, key })).map(({ ref }) => ref.phone);
    return open.filter((phone) => !phones.includes(phone === '' ? null : phone));
  }

  /** True if an incident has fired after a resolution that is now replayed: the resolution is not about it. */
  #hasFiredSince(ref: IncidentRef, { resolvedAt }: Incident, at: number): boolean {
    return resolvedAt === null && readContent(this.#sql, ref).event.received_at > iso(at);
  }

  #arrive(
    event: AcceptedEvent,
    item: DraftItem,
    phone: string,
  ): Incident | typeof RESOLVES_NOTHING | typeof ONLY_COUNTED {
    const { source, id, type, replay, dedupe, stored } = event;
    const receivedAt = replay?.at ?? event.receivedAt;
    const now = this.#now;
    const ref = { source, route: item.route, key: item.key ?? `${id}:${item.index}`, phone };
    const isLone = item.key === null;
    const entry = this.#open.get(ref);
    const known = entry?.incident ?? readIncident(this.#sql, ref);
    if (
      item.isResolved &&
      (known === null || (replay !== null && this.#hasFiredSince(ref, known, receivedAt)))
    )
      return RESOLVES_NOTHING;
    if (entry === null && !item.isResolved && !this.#open.hasRoomFor(isLone ? null : ref))
      return ONLY_COUNTED;
    const arrived = arrive(
      known,
      { isResolved: item.isResolved, isLone },
      { flaps: item.flapping, held: entry?.held ?? null, now },
    );
    const others = entry === null && arrived.resolvedAt === null ? this.#open.openOne(nameOf(ref)) : null;
    const incident = others === null ? arrived : openedBeside(arrived, others);
    const grouping = { grouped: item.group, inhibitedBy: item.inhibitedBy };
    const content = {
      ...grouping,
      event: {
        id,
        type,
        source,
        received_at: iso(receivedAt),
        dedupe_key: dedupe?.key ?? null,
      },
      value: pendingOf(incident) === 'nothing' && known === null ? 'null' : item.value,
      stored,
    };
    writeItem(this.#sql, ref, { known, incident, now }, content);
    this.#open.put(ref, incident, grouping, now);
    const isOpen = incident.resolvedAt === null;
    if (isOpen === (known !== null && known.resolvedAt === null)) return incident;
    this.changed.push(ref);
    if (!isLone) this.moves.push({ stage: isOpen ? 'incident.opened' : 'incident.resolved', ref });
    return incident;
  }
}
