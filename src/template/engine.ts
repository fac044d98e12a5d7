import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  ContinueTag,
  CycleTag,
  DecrementTag,
  EchoTag,
  ForTag,
  IfTag,
  IncrementTag,
  InlineCommentTag,
  LiquidTag,
  Output,
  RawTag,
  UnlessTag,
  defaultOperators,
  defaultOptions,
  isFalsy,
  toValue,
} from 'liquidjs';
import type { Context, Emitter, Liquid, Template } from 'liquidjs';
import { BoundedContext } from './context.ts';
import { FILTERS, adapt, guardFilters } from './filters.ts';
import { evaluateSteps, quickSteps } from './quick.ts';
import { locateFailure } from './basics/failure.ts';
import { largeInteger } from './basics/integer.ts';
import { STEP } from './basics/limits.ts';
import { CommentTag } from './syntax/comment.ts';
import { stepsOf } from './syntax/guard.ts';
import type { Arity } from './syntax/names.ts';
import { payForComparison } from './reading.ts';
import { toText } from './basics/print.ts';
import { spendWeight } from './basics/weight.ts';

/**
 * Every tag that a template may use. Tags that read files are left out, since a template has none, and so are tags that
 * write HTML tables.
 */
const TAGS: Liquid['tags'] = {
  assign: AssignTag,
  break: BreakTag,
  capture: CaptureTag,
  case: CaseTag,
  comment: CommentTag,
  continue: ContinueTag,
  cycle: CycleTag,
  decrement: DecrementTag,
  echo: EchoTag,
  for: ForTag,
  if: IfTag,
  increment: IncrementTag,
  liquid: LiquidTag,
  raw: RawTag,
  unless: UnlessTag,
  '#': InlineCommentTag,
};

/** The interpreter. All templates share it; it keeps no state between renders. */
export const liquid = createLiquid();

/** Every filter that a template may name, with its arguments. */
export const knownFilters: ReadonlyMap<string, Arity> = new Map(
  [...FILTERS].map(([name, { arity }]) => [name, arity]),
);

/**
 * Makes the parts of a `Liquid` that parsing and rendering use. Its class would add the tags, loaders and caches of
 * files, which no template can reach.
 */
function createLiquid(): Liquid {
  const own = [...FILTERS].map(([name, filter]) => [name, adapt(name, filter)] as const);
  const parts: Pick<Liquid, 'options' | 'tags' | 'filters'> & {
    readonly renderer: Pick<Liquid['renderer'], 'renderTemplates'>;
  } = {
    options: {
      ...defaultOptions,
      strictFilters: true,
      strictVariables: false,
      ownPropertyOnly: true,
      groupedExpressions: true,
      relativeReference: false,
      operators: boundedOperators(),
    },
    tags: TAGS,
    filters: Object.fromEntries([...own, ...guardFilters]),
    renderer: { renderTemplates: renderBounded },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsing and rendering use no other parts
  return parts as Liquid;
}

/** The operators that compare integers beyond 2^53, which are texts, by their value. */
const ORDERS = new Set(['<', '<=', '>', '>=']);

/** True if a value is null, or empty beside a number: JavaScript would take it for 0. */
function isNoNumber(value: unknown, beside: unknown): boolean {
  if (value === null) return true;
  const isEmpty = Array.isArray(value) || (typeof value === 'string' && value.trim() === '');
  return isEmpty && typeof beside === 'number';
}

/** Comparisons walk through texts and lists, and convert lists to texts. */
function boundedOperators(): typeof defaultOperators {
  const bounded = Object.entries(defaultOperators).map(([name, operator]) => {
    const isEquality = name === '==' || name === '!=';
    function compare(left: unknown, right: Context, context: Context) {
      if (context instanceof BoundedContext) payForComparison(name, left, right, context.ground.budget.work);
      // liquidjs would ask `nil` whether it is `blank`, and look for the text `undefined`.
      if (isEquality && toValue(left) === null) return operator(right, left, context);
      if (name === 'contains' && isFalsy(right, context)) return false;
      if (!ORDERS.has(name)) return operator(left, right, context);
      if (isNoNumber(left, right) || isNoNumber(right, left)) return false;
      return operator(largeInteger(left) ?? left, largeInteger(right) ?? right, context);
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
      missing?.look(template, context);
      const captured = template instanceof CaptureTag ? missing?.capture(template) : undefined;
      const steps = template instanceof Output ? quickSteps(template.value) : null;
      if (steps === null) {
        const written: unknown = yield template.render(context, emitter);
        if (written) emitter.write(written);
      } else emitter.write(evaluateSteps(steps, context));
      captured?.();
    } catch (error) {
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
