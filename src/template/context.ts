import { Context, Drop } from 'liquidjs';
import type { Liquid } from 'liquidjs';
import { createBudget } from './budget.ts';
import type { Budget } from './budget.ts';
import { createCache } from './cache.ts';
import { MAX_ALLOCATED } from './limits.ts';
import type { Locale } from './locale.ts';
import type { MissingLog } from './missing.ts';
import type { Scope } from './scope.ts';

/** What is readable of a `forloop` or `tablerowloop`; the objects behind them have more. */
const LOOP_PROPERTIES: ReadonlySet<unknown> = new Set(
  'index index0 rindex rindex0 first last length name row col col0 col_first col_last'.split(' '),
);

interface Ground {
  readonly liquid: Liquid;
  readonly locale: Locale;
  /** When the event came in, ISO 8601: what `now` means, so that a replay renders the same. */
  readonly now: string;
  readonly budget: Budget;
  /** Where a preview notes what is missing. A render of messages has none: to it what is missing is empty. */
  readonly missing?: MissingLog | undefined;
}

/** An evaluation with its bounds and locale, which filters find through `this.context`. */
export class BoundedContext extends Context {
  readonly ground: Ground;

  constructor(names: object, ground: Ground) {
    const strictVariables = ground.missing !== undefined;
    const limits = { sync: true, memoryLimit: MAX_ALLOCATED, ownPropertyOnly: true, strictVariables };
    super(names, localOptions(ground), limits, { liquid: ground.liquid });
    this.ground = ground;
  }

  /** For filters that look up a path in each element of a list. */
  override spawn(names: object = {}): BoundedContext {
    // An element of a list may lack a property that others have.
    const { ground } = this;
    return new BoundedContext(names, ground.missing ? { ...ground, missing: undefined } : ground);
  }

  override readProperty(holder: object, key: string | number | Drop): unknown {
    if (holder instanceof Drop && !LOOP_PROPERTIES.has(key)) return undefined;
    // liquidjs counts the keys of an object each time.
    if (key === 'size' && typeof holder === 'object' && holder !== null && !Array.isArray(holder))
      this.ground.budget.scan(Object.keys(holder));
    const value = super.readProperty(holder, key) as unknown;
    if (value === undefined) this.ground.missing?.note(holder, key);
    return value;
  }
}

/** The context of one render of a scope. */
export function createContext(
  liquid: Liquid,
  scope: Scope,
  locale: Locale,
  missing?: MissingLog,
): BoundedContext {
  const { payload, event, headers, query, item, index } = scope;
  // A copy, since {% increment %} writes to it; without a prototype, so that it holds only these names.
  const names = { __proto__: null, payload, event, headers, query, item, index };
  return new BoundedContext(names, {
    liquid,
    locale,
    now: event.received_at,
    budget: createBudget(scope.budget),
    missing,
  });
}

const optionsOf = createCache<Liquid['options']>(64);

/** The options with the locale and zone that liquidjs' own date filters read. */
function localOptions({ liquid, locale: { locale, timezone }, missing }: Ground): Liquid['options'] {
  const local = () => ({ ...liquid.options, locale, timezoneOffset: timezone });
  // `lenientIf`: conditions may ask for what is not there.
  return missing === undefined ? optionsOf(`${locale} ${timezone}`, local) : { ...local(), lenientIf: true };
}
