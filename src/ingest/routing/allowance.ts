import type { Reason } from '../../lib/reason.ts';
import type { MessageKind } from '../../gateway/kinds.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import type { Further } from '../../render/fallback.ts';
import type { RouteFailure } from '../../render/failure.ts';
import type { DraftLinks } from '../../render/links.ts';
import type { Source, Route } from '../../config/compiled/config.ts';
import { ownValue } from '../../lib/json.ts';
import type { Provider } from '../../provider/provider.ts';

/** One gateway send call for one receiver, ready to be accepted. */
export interface RenderedMessage {
  readonly route: string;
  readonly kind: MessageKind;
  /** The gateway's digits; null for a status. */
  readonly phone: string | null;
  /** Form fields, without the receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
  /** The fallbacks, sent one after the other when it becomes a dead letter; absent: none. */
  readonly fallback?: readonly Further[];
  /** The links that its receiver can press; absent: none. */
  readonly links?: DraftLinks;
  /** The reason why it is a fallback; absent: it is the message of the template. */
  readonly reason?: Reason;
  /** The id of the element of `each` that it is about, where its provider gives elements ids. */
  readonly itemKey?: string;
  /** The key from its route's `once`; absent: it is always sent. */
  readonly once?: string;
}

/** The result of rendering a route once: failures, and the messages that are sent in spite of them. */
export interface RenderedRoute extends Pick<RouteResult, 'messages' | 'failures' | 'notes'> {
  /** What a bound on messages or their characters left out; absent: nothing. */
  readonly leftOut?: { readonly count: number; readonly by: 'messages' | 'characters' };
}

/** An element, by its place in the event (from 1), and the silence that applies to it. */
export type SilencedItem = Readonly<{ index: number; silence: string }>;

export interface RouteResult {
  readonly route: string;
  /** `not_reached`: an earlier route has `stop`. */
  readonly result: 'matched' | 'not_matched' | 'not_reached' | 'failed';
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
  /** Errors in messages that are sent or kept nevertheless, and everything that was left out; absent: nothing. */
  readonly notes?: readonly RouteFailure[];
  /** Items that become notifications when they are due; absent: none. */
  readonly items?: readonly DraftItem[];
  /** Silenced items, which make no message; absent: none. */
  readonly silenced?: readonly SilencedItem[];
}

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
  /** UTF-16 units. */
  #characters = MAX_CHARACTERS;

  constructor(perMinute: number | null) {
    this.perMinute = perMinute;
    this.#ofMinute = perMinute ?? Infinity;
  }

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

  /** Counts elements after the first `seen`, and the last messages, or receivers, of that one. */
  add(by: Bound, seen: number, elements: number, messages = 0): void {
    if (elements <= 0 && messages <= 0) return;
    if (by === 'minute') {
      this.#ofMinute ??= { messages, seen };
      return;
    }
    this.#by ??= by;
    this.#elements += elements;
    this.#messages += messages;
  }

  /** Not written like a failure: nothing is wrong with the route. `made`: its number of items or messages. */
  notes(made: number): readonly RouteFailure[] {
    const { name, each } = this.#of.route;
    const { perMinute, bySender } = this.#of;
    const more = counted(bySender, 'more element');
    const texts = [
      this.#by !== null && `${this.#beyond(made)}: ${WHY[this.#by]}`,
      this.#ofMinute !== null &&
        `${this.#beyondMinute(this.#ofMinute)}: its source may make ${perMinute} messages a minute (\`limit.messages_per_minute\`)`,
      bySender > 0 && made > 0 && `got only a part: the sender left out ${more} of \`${each?.source}\``,
    ];
    const note = { route: name, parameter: 'limit', expression: '', code: 'left-out' } as const;
    return texts.flatMap((text) => (text ? { ...note, reason: `route \`${name}\` ${text}` } : []));
  }

  #beyond(made: number): string {
    const [elements, messages] = [this.#elements, this.#messages];
    const isWhole = this.#of.route.each === null;
    if (made === 0)
      return `left out ${isWhole ? 'all messages' : counted(elements + (messages > 0 ? 1 : 0), 'element')}`;
    const isItems = this.#of.unit === 'items';
    const ofLast = isWhole ? `${messages} more` : `${counted(messages, 'message')} of the last element`;
    const part = isItems ? `${counted(messages, 'receiver')} of the last one` : ofLast;
    const rest = isItems ? `${elements} more` : counted(elements, 'more element');
    const took = isItems ? `took ${counted(made, 'item')}` : `made ${counted(made, 'message')}`;
    return `${took} and left out ${both(messages > 0 && part, elements > 0 && rest)}`;
  }

  #beyondMinute({ messages, seen }: { readonly messages: number; readonly seen: number }): string {
    const { route, of } = this.#of;
    const part = counted(messages, 'message');
    const rest = seen + 1 === of ? `element ${of}` : `elements ${seen + 1} to ${of}`;
    return route.each === null
      ? `left out ${both(messages > 0 && part, seen < of && 'all messages')}`
      : `left out ${both(messages > 0 && `${part} of element ${seen}`, seen < of && rest)}`;
  }
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
