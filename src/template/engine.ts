import { Liquid, defaultOperators, filters as standardFilters } from 'liquidjs';
import type { Context, Emitter, Template } from 'liquidjs';
import { BoundedContext } from './context.ts';
import { OWN_FILTERS, adaptOwn, adaptStandard, guardFilters } from './filters.ts';
import { locateFailure } from './basics/failure.ts';
import { stepsOf } from './syntax/guard.ts';
import type { Arity } from './syntax/names.ts';
import { payForComparison } from './prices.ts';
import { toText } from './basics/print.ts';
import { spendWeight } from './basics/weight.ts';

/** Tags left out: those that read files, since a template has none, and the one that writes tables of HTML. */
const OMITTED_TAGS = ['include', 'render', 'layout', 'block', 'tablerow'];

/**
 * Filters left out: digests, which are promises in this build of liquidjs; `sample`, since a replay must render the
 * same; those that read an expression at run time, which no check has seen.
 */
const OMITTED = /^(?:sha256|hmac_sha256|sample|\w+_exp)$/;

/** The interpreter: one for all templates, it keeps no state between renders. */
export const liquid = createLiquid();

/** Every filter that a template may name, with its number of arguments if it is defined here. */
export const knownFilters: ReadonlyMap<string, Arity> = new Map<string, Arity>([
  ...Object.keys(standardFilters)
    .filter((name) => !OMITTED.test(name))
    .map((name) => [name, null] as const),
  ...[...OWN_FILTERS].map(([name, filter]) => [name, filter.arity] as const),
]);

function createLiquid(): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: false,
    ownPropertyOnly: true,
    groupedExpressions: true,
    relativeReference: false,
    operators: boundedOperators(),
  });
  for (const tag of OMITTED_TAGS) delete engine.tags[tag];
  for (const [name, filter] of Object.entries(standardFilters)) {
    if (OMITTED.test(name)) engine.unregisterFilter(name);
    else engine.registerFilter(name, adaptStandard(name, filter));
  }
  for (const [name, filter] of OWN_FILTERS) engine.registerFilter(name, adaptOwn(name, filter));
  for (const [name, filter] of guardFilters) engine.registerFilter(name, filter);
  engine.renderer.renderTemplates = renderBounded;
  return engine;
}

/** Comparisons walk through texts and lists, and convert lists to texts. */
function boundedOperators(): typeof defaultOperators {
  const bounded = Object.entries(defaultOperators).map(([name, operator]) => {
    function compare(left: unknown, right: Context, context: Context) {
      if (context instanceof BoundedContext) payForComparison(name, left, right, context.ground.budget.work);
      return operator(left, right, context);
    }
    return [name, ['and', 'or', 'not'].includes(name) ? operator : compare] as const;
  });
  return Object.fromEntries(bounded);
}

/** Replaces liquidjs' own loop over nodes, with which every tag renders its content. */
function* renderBounded(
  templates: Template[],
  context: Context,
  given?: Emitter,
): Generator<unknown, string> {
  if (!(context instanceof BoundedContext)) throw new Error('rendered without bounds');
  const { budget, missing } = context.ground;
  const emitter = given ?? boundedEmitter(context);
  budget.step(1);
  for (const template of templates) {
    budget.step(stepsOf(template));
    try {
      const written: unknown = yield template.render(context, emitter);
      if (written) emitter.write(written);
    } catch (error) {
      if (missing?.take(error, template)) continue;
      throw locateFailure(error, template);
    }
    if (context.breakCalled || context.continueCalled) break;
  }
  return emitter.buffer;
}

function boundedEmitter({ ground: { budget } }: BoundedContext): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      if (typeof value === 'object') spendWeight(value, budget.work);
      const text = toText(value);
      budget.write(text.length);
      budget.work(text.length);
      this.buffer += text;
    },
  };
}
