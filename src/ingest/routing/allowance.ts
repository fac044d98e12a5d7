import type { Route, Source } from '../../config/compiled/config.ts';
import { ownValue } from '../../lib/json.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import type { Provider } from '../../provider/provider.ts';
import type { RouteFailure } from '../../render/failure.ts';
import type { RenderedMessage, TakenRoute } from './result.ts';

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

/** What each bound says of what it leaves out; that of a minute is the source's own. */
const WHY = {
  items: `after ${MAX_ITEMS} items, those with an error are left out`,
  messages: `a route may make ${MAX_MESSAGES_PER_ROUTE} messages from a webhook`,
  rows: `a webhook may make ${MAX_ROWS} messages, with an item counted once per receiver`,
  characters: `the texts of a webhook may have ${MAX_CHARACTERS} characters in total`,
  elements: `a route looks at ${MAX_ELEMENTS} elements of a webhook`,
};

export type Bound = keyof typeof WHY | 'minute';

/** The rest of a webhook's allowance. All of its routes share it. */
export class Allowance {
  /** UTF-16 units. */
  characters = MAX_CHARACTERS;
  readonly #places = new Map<unknown, number>();
  #ofMinute: number;
  #rows = MAX_ROWS;
  #resolutions = MAX_ROWS;

  constructor(limit: Pick<NonNullable<Source['limit']>, 'messagesPerMinute'> | null) {
    this.#ofMinute = limit?.messagesPerMinute ?? Infinity;
  }

  /** The rows left for messages, or for receivers of an item, and their bound. `isEnd`: of resolutions. */
  rows(isEnd = false): Readonly<{ count: number; by: 'minute' | 'rows' }> {
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
    this.characters -= characters;
  }
}

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

/** Counts the elements and messages of a webhook that a route leaves out. */
export function leftOutOf({ source, route: { name, each, alerting }, of, bySender }: TakenRoute) {
  /** The part that the limit of its source leaves out: all elements from one on, and messages of the one before. */
  let ofMinute: { readonly messages: number; readonly seen: number } | null = null;
  /** The first of all other bounds that left something out, and what all of them did. */
  let first: keyof typeof WHY | null = null;
  const left = { elements: 0, messages: 0 };

  const beyond = (made: number): string => {
    const { elements, messages } = left;
    if (made === 0)
      return `left out ${each === null ? 'all messages' : counted(elements + (messages > 0 ? 1 : 0), 'element')}`;
    const ofLast = each === null ? `${messages} more` : `${counted(messages, 'message')} of the last element`;
    const [took, part, rest] =
      alerting === null
        ? [`made ${counted(made, 'message')}`, ofLast, counted(elements, 'more element')]
        : [
            `took ${counted(made, 'item')}`,
            `${counted(messages, 'receiver')} of the last one`,
            `${elements} more`,
          ];
    return `${took} and left out ${both(messages > 0 && part, elements > 0 && rest)}`;
  };

  const beyondMinute = ({ messages, seen }: NonNullable<typeof ofMinute>): string => {
    const part = `${counted(messages, 'message')}${each === null ? '' : ` of element ${seen}`}`;
    const elements = seen + 1 === of ? `element ${of}` : `elements ${seen + 1} to ${of}`;
    return `left out ${both(messages > 0 && part, seen < of && (each === null ? 'all messages' : elements))}`;
  };

  return {
    /** Counts elements after the first `seen`, and the last messages, or receivers, of that one. */
    add(by: Bound, seen: number, elements: number, messages = 0): void {
      if (elements <= 0 && messages <= 0) return;
      if (by === 'minute') {
        ofMinute ??= { messages, seen };
        return;
      }
      first ??= by;
      left.elements += elements;
      left.messages += messages;
    },
    /** Not written like a failure: nothing is wrong with the route. `made`: its number of items or messages. */
    notes(made: number): readonly RouteFailure[] {
      const perMinute = `its source may make ${source.limit?.messagesPerMinute} messages a minute (\`limit.messages_per_minute\`)`;
      const more = counted(bySender, 'more element');
      const texts = [
        first !== null && `${beyond(made)}: ${WHY[first]}`,
        ofMinute !== null && `${beyondMinute(ofMinute)}: ${perMinute}`,
        bySender > 0 && made > 0 && `got only a part: the sender left out ${more} of \`${each?.source}\``,
      ];
      const note = { route: name, parameter: 'limit', expression: '', code: 'left-out' } as const;
      return texts.flatMap((text) => (text ? { ...note, reason: `route \`${name}\` ${text}` } : []));
    },
  };
}

const both = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join(' and ');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
