import { Liquid, Output, defaultOperators } from 'liquidjs';
import type { Context, Emitter, Template } from 'liquidjs';
import { BoundedContext } from './context.ts';
import { FILTERS, adapt, guardFilters } from './filters.ts';
import { evaluateSteps, quickSteps } from './quick.ts';
import { locateFailure } from './basics/failure.ts';
import { STEP } from './basics/limits.ts';
import { stepsOf } from './syntax/guard.ts';
import type { Arity } from './syntax/names.ts';
import { payForComparison } from './reading.ts';
import { toText } from './basics/print.ts';
import { spendWeight } from './basics/weight.ts';

/** Tags left out: those that read files, since a template has none, and the one that writes tables of HTML. */
const OMITTED_TAGS = ['include', 'render', 'layout', 'block', 'tablerow'];

/** The interpreter: one for all templates, it keeps no state between renders. */
export const liquid = createLiquid();

/** Every filter that a template may name, with its number of arguments; null: liquidjs decides. */
export const knownFilters: ReadonlyMap<string, Arity> = new Map(
  [...FILTERS].map(([name, { arity }]) => [name, arity]),
);

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
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of FILTERS) engine.registerFilter(name, adapt(name, filter));
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
  budget.work(STEP);
  for (const template of templates) {
    budget.work(STEP * stepsOf(template));
    try {
      const steps = template instanceof Output && missing === undefined ? quickSteps(template.value) : null;
      if (steps === null) {
        const written: unknown = yield template.render(context, emitter);
        if (written) emitter.write(written);
      } else emitter.write(evaluateSteps(steps, context));
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
