import type { Source, Route } from '../../config/compiled/config.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import type { RenderedMessage, RouteResult } from './route-result.ts';
import type { RouteFailure } from '../../render/failure.ts';
import { ownValue } from '../../lib/json.ts';
import type { Provider } from '../../provider/provider.ts';

/** The number of items of one webhook and route after which one that is faulty is left out. */
export const MAX_ITEMS = 1_000;

/** The maximum number of messages that one route makes from a webhook. An element that fails counts as a message. */
export const MAX_MESSAGES_PER_ROUTE = 1_000;

/** The maximum number of elements that a route examines. Elements beyond its messages are not examined. */
export const MAX_ELEMENTS = 10_000;

/** The most rows of one webhook: of messages, and of receivers of items. Resolutions have as many for themselves. */
export const MAX_ROWS = 10_000;

/**
 * Of all texts of a webhook's messages and items (UTF-16 units): 4,096 in each of a thousand messages. Several such
 * webhooks must fit into an isolate's memory, twice if the outbox runs in it.
 */
const MAX_CHARACTERS = 4_200_000;

export type Bound = 'minute' | 'items' | 'messages' | 'rows' | 'characters' | 'elements';

/** The number that is still allowed, and the bound that sets it. */
type Capacity = Readonly<{ count: number; by: 'minute' | 'rows' }>;

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

  /** The rows left for messages, or for receivers of an item. `isEnd`: of resolutions. */
  rows(isEnd = false): Capacity {
    const count = isEnd ? this.#resolutions : this.#rows;
    return this.#ofMinute <= count ? { count: this.#ofMinute, by: 'minute' } : { count, by: 'rows' };
  }

  /** Returns the number of an element. `identity`: equal for the same element in another route. */
  placeOf(identity: unknown): number {
    const place = this.#places.get(identity) ?? this.#places.size + 1;
    this.#places.set(identity, place);
    return place;
  }

  take(rows: number, characters: number, isEnd = false): void {
    if (isEnd) this.#resolutions -= rows;
    else this.#rows -= rows;
    this.#ofMinute -= rows;
    this.#characters -= characters;
  }
}

export const allowanceOf = ({ limit }: Pick<Source, 'limit'>): Allowance =>
  new Allowance(limit?.messagesPerMinute ?? null);

/** Returns the number of messages, with an item counted once per receiver. */
export const messagesOf = ({ messages, items = [] }: Pick<RouteResult, 'messages' | 'items'>): number =>
  items.reduce((sum, { phones }) => sum + phones.length, messages.length);

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

export const charactersOf = (messages: readonly Pick<RenderedMessage, 'params' | 'fallback'>[]): number =>
  lengthOf(
    messages
      .flatMap(({ params, fallback = [] }) => [params, ...fallback.map((one) => one.params)])
      .flatMap((params) => Object.values(params)),
  );

/** The length of an item without its receivers. */
export const charactersOfItem = (item: Pick<DraftItem, 'value' | 'key' | 'group' | 'inhibitedBy'>): number =>
  lengthOf([item.value, item.key ?? '', item.group ?? '', ...item.inhibitedBy]);

const WHY: Readonly<Record<Exclude<Bound, 'minute'>, string>> = {
  items: `after ${MAX_ITEMS} items, those with an error are left out`,
  messages: `a route may make ${MAX_MESSAGES_PER_ROUTE} messages from a webhook`,
  rows: `a webhook may make ${MAX_ROWS} messages, with an item counted once per receiver`,
  characters: `the texts of a webhook may have ${MAX_CHARACTERS} characters in total`,
  elements: `a route looks at ${MAX_ELEMENTS} elements of a webhook`,
};

interface LeftOutOf {
  readonly route: Pick<Route, 'name' | 'each'>;
  readonly unit: 'items' | 'messages';
  readonly perMinute: number | null;
  readonly of: number;
  /** The number of further elements that the sender left out. */
  readonly bySender: number;
}

/** Counts the elements and messages of a webhook that a route leaves out. */
export class LeftOut {
  readonly #of: LeftOutOf;
  /** The part that the limit of its source leaves out: all elements from one on, and messages of the one before. */
  #ofMinute: { readonly messages: number; readonly seen: number } | null = null;
  /** The first of all other bounds that left something out. */
  #by: Exclude<Bound, 'minute'> | null = null;
  #elements = 0;
  #messages = 0;

  constructor(of: LeftOutOf) {
    this.#of = of;
  }

  /** Counts an element. */
  element(by: Exclude<Bound, 'minute'>): void {
    this.#by ??= by;
    this.#elements += 1;
  }

  /** Counts the last messages, or receivers, of element number `seen`. */
  part(by: Bound, messages: number, seen: number): void {
    if (messages <= 0) return;
    if (by === 'minute') this.#ofMinute = { messages, seen };
    else {
      this.#by ??= by;
      this.#messages += messages;
    }
  }

  /** Counts all elements after the first `seen`. */
  after(by: Bound, seen: number): void {
    const count = this.#of.of - seen;
    if (count <= 0) return;
    if (by === 'minute') this.#ofMinute ??= { messages: 0, seen };
    else {
      this.#by ??= by;
      this.#elements += count;
    }
  }

  /** Not written like a failure: nothing is wrong with the route. `made`: its number of items or messages. */
  notes(made: number): readonly RouteFailure[] {
    const texts: string[] = [];
    if (this.#by !== null) texts.push(`${this.#beyond(made)}: ${WHY[this.#by]}`);
    if (this.#ofMinute !== null)
      texts.push(
        `${this.#beyondMinute(this.#ofMinute)}: its source may make ${this.#of.perMinute} messages a minute (\`limit.messages_per_minute\`)`,
      );
    const { route, bySender } = this.#of;
    const { name, each } = route;
    const more = counted(bySender, 'more element');
    if (bySender > 0 && made > 0)
      texts.push(`got only a part: the sender left out ${more} of \`${each?.source}\``);
    const note = { route: name, parameter: 'limit', expression: '', code: 'left-out' } as const;
    return texts.map((text) => ({ ...note, reason: `route \`${name}\` ${text}` }));
  }

  #beyond(made: number): string {
    const { route, unit } = this.#of;
    if (made === 0) {
      const count = this.#elements + (this.#messages > 0 ? 1 : 0);
      return `left out ${route.each === null ? 'all messages' : counted(count, 'element')}`;
    }
    const parts: string[] = [];
    if (this.#messages > 0) parts.push(this.#partText());
    if (this.#elements > 0)
      parts.push(unit === 'items' ? `${this.#elements} more` : counted(this.#elements, 'more element'));
    const took = unit === 'items' ? `took ${counted(made, 'item')}` : `made ${counted(made, 'message')}`;
    return `${took} and left out ${parts.join(' and ')}`;
  }

  #partText(): string {
    const { route, unit } = this.#of;
    if (unit === 'items') return `${counted(this.#messages, 'receiver')} of the last one`;
    return route.each === null
      ? `${this.#messages} more`
      : `${counted(this.#messages, 'message')} of the last element`;
  }

  #beyondMinute({ messages, seen }: { readonly messages: number; readonly seen: number }): string {
    const { route, of } = this.#of;
    const parts: string[] = [];
    if (messages > 0)
      parts.push(`${counted(messages, 'message')}${route.each === null ? '' : ` of element ${seen}`}`);
    if (seen < of) parts.push(route.each === null ? 'all messages' : elements(seen + 1, of));
    return `left out ${parts.join(' and ')}`;
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const elements = (from: number, to: number): string =>
  from === to ? `element ${to}` : `elements ${from} to ${to}`;

/** Returns the number of elements that the sender has left out of a route's list; 0 if it does not say so. */
export function leftOutBySender(
  said: Provider['left_out'],
  { each }: Pick<Route, 'each'>,
  payload: unknown,
): number {
  if (said === undefined || each === null || !reads(each.source, `payload.${said.list}`)) return 0;
  const list = ownValue(payload, said.list);
  const number = ownValue(payload, 'count' in said ? said.count : said.total);
  if (!Array.isArray(list) || !Number.isSafeInteger(number)) return 0;
  return Math.max(0, Number(number) - ('count' in said ? 0 : list.length));
}

/** True if an expression begins with this path: filters may follow it. */
const reads = (expression: string, path: string): boolean =>
  expression.trimStart().startsWith(path) && !/^[\w.[-]/.test(expression.trimStart().slice(path.length));
