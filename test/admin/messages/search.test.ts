import { describe, expect, it } from 'vitest';
import { SearchSum } from '../../../src/admin/messages/search.ts';
import { eventIdFloor } from '../../../src/lib/id.ts';
import { iso } from '../../../src/lib/iso.ts';
import type { EventPage } from '../../../src/outbox/read/list-events.ts';
import type { EventSummary } from '../../../src/outbox/answers/api-event.ts';

const at = (second: number): string => eventIdFloor(second * 1_000);
const item = (second: number): EventSummary => ({
  id: at(second),
  source: 'shop',
  type: null,
  state: 'routed',
  received_at: iso(second * 1_000),
  duplicates: 0,
  config_version: 1,
  stored: true,
});

/** A page of an object: the events that it found, and the time where the page ends. */
const page = (found: readonly number[], end: number | null): EventPage => ({
  items: found.map(item),
  next_cursor: end === null ? null : at(end),
  searched: { events: 10, bytes: 500 },
});

function searched(pages: readonly EventPage[], shown: readonly number[], next_cursor: string | null) {
  const sum = new SearchSum();
  for (const one of pages) sum.add(one);
  return sum.of({ items: shown.map(item), next_cursor }).searched;
}

describe('how far a search looked', () => {
  it('is to the end, when no object has more', () => {
    expect(searched([page([9], null), page([], null)], [9], null)).toEqual({
      events: 20,
      bytes: 1_000,
      back_to: null,
      complete: true,
    });
  });

  it('is as far as the object that came least far', () => {
    const { back_to, complete } = searched([page([], 50), page([], 70), page([], null)], [], 'next');
    expect({ back_to, complete }).toEqual({ back_to: iso(70_000), complete: false });
  });

  it('is to the last one shown, when another page has more of what was found', () => {
    const { back_to } = searched([page([90], null), page([80], null)], [90], 'next');
    expect(back_to).toBe(iso(90_000));
  });

  it('is no further than an object that is behind what another one found', () => {
    const { back_to } = searched([page([], 95), page([90], null)], [], 'next');
    expect(back_to).toBe(iso(95_000));
  });
});
