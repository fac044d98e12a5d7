import type { Route } from '../../config/compiled/config.ts';
import type { RouteFailure } from '../../render/failure.ts';
import {
  MAX_CHARACTERS,
  MAX_ELEMENTS,
  MAX_ITEMS,
  MAX_MESSAGES_PER_ROUTE,
  MAX_ROWS,
  type Bound,
} from './allowance.ts';
import { ownValue } from '../../lib/json.ts';
import type { LeftOutBySender } from '../../provider/provider.ts';

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
  /** The number of elements. */
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

  /**
   * Says what was left out. Not written like a failure: nothing is wrong with the route. `made`: the number of items or
   * messages that it has.
   */
  notes(made: number): readonly RouteFailure[] {
    const texts: string[] = [];
    if (this.#by !== null) texts.push(`${this.#beyond(made)}: ${WHY[this.#by]}`);
    if (this.#ofMinute !== null)
      texts.push(
        `${this.#beyondMinute(this.#ofMinute)}: its source may make ${this.#of.perMinute} messages a minute (\`limit.messages_per_minute\`)`,
      );
    const { route, bySender } = this.#of;
    const { name, each } = route;
    if (bySender > 0 && made > 0)
      texts.push(
        `got only a part: the sender left out ${counted(bySender, 'more element')} of \`${each?.source}\``,
      );
    return texts.map((text) => ({
      route: name,
      parameter: 'limit',
      expression: '',
      code: 'too-long',
      reason: `route \`${name}\` ${text}`,
    }));
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
  said: LeftOutBySender | undefined,
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
