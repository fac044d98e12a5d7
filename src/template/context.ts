import { Context, Drop } from 'liquidjs';
import type { Liquid } from 'liquidjs';
import { createBudget } from './basics/budget.ts';
import type { Budget } from './basics/budget.ts';
import { createCache } from '../lib/cache.ts';
import type { Locale } from './basics/locale.ts';
import type { MissingLog } from './missing-log.ts';
import type { Scope } from './basics/scope.ts';
import { countCharacters, sizeOf } from './basics/weight.ts';

/** The readable properties of a `forloop`, which has others as well. */
const LOOP_PROPERTIES: ReadonlySet<unknown> = new Set([
  'index',
  'index0',
  'rindex',
  'rindex0',
  'first',
  'last',
  'length',
  'name',
]);

/** The names that a loop defines. */
interface LoopNames {
  readonly forloop?: unknown;
}

interface Ground {
  readonly liquid: Liquid;
  readonly locale: Locale;
  readonly payload: unknown;
  /**
   * The time when the event arrived or the notification is rendered, ISO 8601. `now` is this time, so that a replay
   * renders the same text.
   */
  readonly now: string;
  readonly budget: Budget;
  /**
   * The log in which a preview notes missing variables. A render of messages has none: missing variables are empty.
   */
  readonly missing?: MissingLog | undefined;
}

/** An evaluation with its bounds and locale, which filters find through `this.context`. */
export class BoundedContext extends Context {
  readonly ground: Ground;

  constructor(names: object, ground: Ground) {
    const options = { sync: true, ownPropertyOnly: true };
    super(names, localOptions(ground), options, { liquid: ground.liquid });
    this.ground = ground;
    // liquidjs counts a value before it makes it, such as the numbers of a range.
    this.memoryLimit.use = ground.budget.work;
  }

  override readProperty(holder: object, key: string | number | Drop): unknown {
    if (holder instanceof Drop && key === 'parentloop') return this.#loopAround(holder);
    if (holder instanceof Drop && !LOOP_PROPERTIES.has(key)) return undefined;
    const text: unknown = holder;
    if (key === 'size' && typeof text === 'string') return countCharacters(text, this.ground.budget.work);
    // liquidjs would count the keys of an object each time.
    if (key === 'size' && typeof holder === 'object' && !Array.isArray(holder))
      this.ground.budget.work(sizeOf(holder));
    // It would first be converted to a text.
    if (typeof key === 'object' && !(key instanceof Drop)) return undefined;
    const value = super.readProperty(holder, key) as unknown;
    if (value === undefined) this.ground.missing?.note(holder, key);
    return value;
  }

  /** Returns the state of the loop around another one, which liquidjs does not tell. */
  #loopAround(loop: Drop): unknown {
    const scopes: unknown = Reflect.get(this, 'scopes');
    const loops = Array.isArray(scopes) ? scopes.map((scope: LoopNames) => scope.forloop) : [];
    return loops.slice(0, loops.indexOf(loop)).findLast((around) => around instanceof Drop);
  }
}

/** Returns the context for one render of a scope. */
export function createContext(
  liquid: Liquid,
  scope: Scope,
  locale: Locale,
  missing?: MissingLog,
): BoundedContext {
  const { payload, event, headers, query, item, index, actions, notification } = scope;
  // A copy, since {% increment %} writes to it; without a prototype, so that it has only these names.
  const names = { __proto__: null, payload, event, headers, query, item, index, actions };
  if (notification !== undefined) Object.assign(names, notification.names);
  return new BoundedContext(names, {
    liquid,
    locale,
    payload,
    now: notification === undefined ? event.received_at : notification.at,
    budget: createBudget(scope.budget),
    missing,
  });
}

const optionsOf = createCache<Liquid['options']>(64);

/** Returns the options with the locale and zone that liquidjs' own date filters read. */
const localOptions = ({ liquid, locale: { locale, timezone } }: Ground): Liquid['options'] =>
  optionsOf(`${locale} ${timezone}`, () => ({ ...liquid.options, locale, timezoneOffset: timezone }));
