import type { Searched } from '../../outbox/answers/api-event.ts';
import { fromBase32 } from '../../lib/id.ts';
import { iso } from '../../lib/iso.ts';
import type { EventPage } from '../../outbox/read/list-events.ts';
import type { Page } from '../../outbox/read/read.ts';

/** A page of events, and how far the search in all outboxes got. */
export interface SearchedPage<Item> extends Page<Item> {
  /** Absent if the request did not search. */
  readonly searched?: Searched;
}

/** Adds up the outboxes' parts of a search. */
export class SearchSum {
  #pages: EventPage[] = [];

  add(page: EventPage): EventPage {
    this.#pages.push(page);
    return page;
  }

  /** The merged page with the sums. */
  of<Item extends { readonly id: string }>(page: Page<Item>): Page<Item> & { readonly searched: Searched } {
    const sum = (key: 'events' | 'bytes'): number =>
      this.#pages.reduce((total, { searched }) => total + (searched?.[key] ?? 0), 0);
    const found = this.#pages.reduce((total, { items }) => total + items.length, 0);
    const ends = this.#pages.map(({ next_cursor }) => next_cursor);
    // More hits follow after the last item of this page.
    if (found > page.items.length) ends.push(page.items.at(-1)?.id ?? null);
    const edge = ends
      .filter((end) => end !== null)
      .toSorted()
      .at(-1);
    const complete = page.next_cursor === null;
    return {
      ...page,
      searched: {
        events: sum('events'),
        bytes: sum('bytes'),
        back_to: complete || edge === undefined ? null : iso(timeOf(edge)),
        complete,
      },
    };
  }
}

/** Returns the time when the event with this id was received (ms). */
const timeOf = (id: string): number => fromBase32(id.slice('evt_'.length, 'evt_'.length + 10)) ?? 0;
