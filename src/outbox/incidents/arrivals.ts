import type { AcceptedEvent, DraftItem } from '../state/acceptance.ts';
import { entryKey, type Board, type Grouping, type Place } from './board.ts';
import { arrive, fateOf, pendingOf, type Incident } from './incident.ts';
import { readIncident, writeItem } from './store.ts';
import { iso } from '../../lib/iso.ts';

/**
 * Where an event's item is, for one receiver: its route, its place in the event from 1, its key (null: it belongs to no
 * incident), its receiver, and which item of its incident it is, from 1.
 */
export type ItemReference = readonly [
  route: string,
  index: number,
  key: string | null,
  phone: string | null,
  n: number,
  /** The silence that took it, where it would have made a message at once. */
  silence?: string,
];

/** The items of an event that silences took. */
export const silencedReferences = ({ silenced = [] }: AcceptedEvent): readonly ItemReference[] =>
  silenced.map(({ route, index, silence }) => [route, index, null, null, 0, silence]);

/** An incident that the surrounding commit changes. */
interface Changed {
  readonly place: Place;
  readonly incident: Incident;
  readonly grouping: Grouping;
}

/** An incident that opened, ended, or is held back, for one receiver. */
export interface Move {
  readonly stage: 'incident.opened' | 'incident.resolved' | 'incident.expired' | 'incident.held';
  readonly place: Place;
  /** What holds it back: a silence, or the id of an incident. */
  readonly by?: string;
}

/** The items of one commit. The board knows of them when they are on their way to the disk, see {@link apply}. */
export class Arrivals {
  readonly #sql: SqlStorage;
  readonly #board: Board;
  readonly #now: number;
  readonly #changed = new Map<string, Changed>();
  /** What opened and ended. */
  readonly moves: Move[] = [];

  constructor(sql: SqlStorage, board: Board, now: number) {
    this.#sql = sql;
    this.#board = board;
    this.#now = now;
  }

  /** Writes an event's items, in the caller's transaction. Returns where they are, and how many of them wait. */
  take(
    event: AcceptedEvent,
    items: readonly DraftItem[],
  ): { readonly references: readonly ItemReference[]; readonly waiting: number } {
    const references: ItemReference[] = [];
    let waiting = 0;
    for (const item of items)
      for (const phone of item.phones) {
        const incident = this.#arrive(event, item, phone ?? '');
        references.push([item.route, item.index, item.key, phone, incident.items]);
        if (fateOf(incident, incident.items) === null) waiting += 1;
      }
    return { references, waiting };
  }

  /** Tells the board. To be called after the transaction, before anything is awaited. */
  apply(): void {
    for (const { place, incident, grouping } of this.#changed.values())
      this.#board.put(place, incident, grouping, this.#now);
  }

  #arrive(event: AcceptedEvent, item: DraftItem, phone: string): Incident {
    const { source, id, type, receivedAt, dedupe, stored } = event;
    const place = { source, route: item.route, key: item.key ?? `${id}:${item.index}`, phone };
    const at = entryKey(place);
    const entry = this.#board.get(place);
    const known = this.#changed.get(at)?.incident ?? entry?.incident ?? readIncident(this.#sql, place);
    const held = entry?.held ?? null;
    const isLone = item.key === null;
    const incident = arrive(
      known,
      { isResolved: item.isResolved, isLone },
      { flaps: item.flapping, held, now: this.#now },
    );
    const grouping = { grouped: item.group, unlessOpen: item.inhibitedBy };
    const content = {
      ...grouping,
      event: {
        id,
        type,
        source,
        received_at: iso(receivedAt),
        dedupe_key: dedupe?.key ?? null,
      },
      value: pendingOf(incident) === 'over' && known === null ? 'null' : item.value,
      stored,
    };
    writeItem(this.#sql, place, { known, incident, now: this.#now }, content);
    this.#changed.set(at, { place, incident, grouping });
    const isOpen = incident.endedAt === null;
    if (!isLone && isOpen !== (known !== null && known.endedAt === null))
      this.moves.push({ stage: isOpen ? 'incident.opened' : 'incident.resolved', place });
    return incident;
  }
}
