import type { Source } from '../../config/compiled/config.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import type { RenderedMessage, RouteResult } from './route-result.ts';

/** The number of items of one webhook and route after which one that is faulty is left out. */
export const MAX_ITEMS = 1_000;

/** The maximum number of messages that one route makes from a webhook. An element that fails counts as a message. */
export const MAX_MESSAGES_PER_ROUTE = 1_000;

/** The maximum number of elements that a route examines. Elements beyond its messages are not examined. */
export const MAX_ELEMENTS = 10_000;

/**
 * The maximum number of rows that one webhook makes: one per message, and one per receiver of an item. Resolutions have
 * the same number for themselves.
 */
export const MAX_ROWS = 10_000;

/**
 * The maximum length of all texts of one webhook's messages and items, in UTF-16 units: 4,096 in each of a thousand
 * messages. Several such webhooks at once must fit into an isolate's memory, twice if the outbox runs in the same
 * isolate.
 */
export const MAX_CHARACTERS = 4_200_000;

/** The bound that a webhook has reached. */
export type Bound = 'minute' | 'items' | 'messages' | 'rows' | 'characters' | 'elements';

/** The number that is still allowed, and the bound that sets it. */
interface Capacity {
  readonly count: number;
  readonly by: 'minute' | 'rows';
}

/** The rest of a webhook's allowance. All of its routes share it. */
export class Allowance {
  /** The number of messages that its source may make in a minute; null for any. */
  readonly perMinute: number | null;
  readonly #places = new Map<unknown, number>();
  #ofMinute: number;
  #rows = MAX_ROWS;
  #resolutions = MAX_ROWS;
  #characters = MAX_CHARACTERS;

  constructor(perMinute: number | null) {
    this.perMinute = perMinute;
    this.#ofMinute = perMinute ?? Infinity;
  }

  /** UTF-16 units. */
  get characters(): number {
    return this.#characters;
  }

  /** The rows left for messages, or for receivers of an item. */
  get rows(): Capacity {
    return this.#within({ count: this.#rows, by: 'rows' });
  }

  /** The rows left for receivers of resolutions. */
  get resolutions(): Capacity {
    return this.#within({ count: this.#resolutions, by: 'rows' });
  }

  /** Returns the number of an element. `identity`: equal for the same element in another route. */
  placeOf(identity: unknown): number {
    const place = this.#places.get(identity) ?? this.#places.size + 1;
    this.#places.set(identity, place);
    return place;
  }

  take(rows: number, characters: number): void {
    this.#rows -= rows;
    this.#ofMinute -= rows;
    this.#characters -= characters;
  }

  takeResolution(rows: number, characters: number): void {
    this.#resolutions -= rows;
    this.#ofMinute -= rows;
    this.#characters -= characters;
  }

  #within(capacity: Capacity): Capacity {
    return this.#ofMinute <= capacity.count ? { count: this.#ofMinute, by: 'minute' } : capacity;
  }
}

/** The allowance of one webhook of a source. */
export const allowanceOf = ({ limit }: Pick<Source, 'limit'>): Allowance =>
  new Allowance(limit?.messagesPerMinute ?? null);

/** Returns the number of messages, with an item counted once per receiver. */
export const messagesOf = ({ messages, items = [] }: Pick<RouteResult, 'messages' | 'items'>): number =>
  items.reduce((sum, { phones }) => sum + phones.length, messages.length);

export const charactersOf = (messages: readonly Pick<RenderedMessage, 'params' | 'fallback'>[]): number =>
  messages.reduce(
    (sum, { params, fallback = [] }) =>
      [params, ...fallback.map((one) => one.params)]
        .flatMap((one) => Object.values(one))
        .reduce((inner, text) => inner + text.length, sum),
    0,
  );

/** The length of an item without its receivers. */
export const charactersOfItem = ({
  value,
  key,
  group,
  inhibitedBy,
}: Pick<DraftItem, 'value' | 'key' | 'group' | 'inhibitedBy'>): number =>
  [value, key ?? '', group ?? '', ...inhibitedBy].reduce((sum, text) => sum + text.length, 0);
