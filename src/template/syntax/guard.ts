import { CaseTag, CycleTag, Filter, ForTag, Tokenizer, TypeGuards, Value, toValueSync } from 'liquidjs';
import type { FilteredValueToken, Liquid, RangeToken, Template, Token } from 'liquidjs';
import { integerValue } from '../basics/integer.ts';
import { SOURCE_PER_STEP } from '../basics/limits.ts';

/** Names of filters that only this file uses: a template cannot name them, since they contain a blank. */
export const RANGE_END = 'range end';
export const COUNT = 'loop option';
export const CONTINUED = 'place of the last loop';
export const LOOPED_OVER = 'looped over';
export const COMPARED = 'compared value';

const steps = new WeakMap<Template, number>();

/** Returns the steps for rendering a node, without its children. */
export function stepsOf(template: Template): number {
  return steps.get(template) ?? 1;
}

/**
 * Puts guards into parsed templates wherever liquidjs would work without a bound: the numbers of ranges and loops, the
 * lists that loops go over, and the values that a `case` compares. Integers beyond 2^53 keep their digits. Also prices
 * each node by the length of its expressions.
 */
export function guardTemplates(templates: readonly Template[], liquid: Liquid): void {
  for (const template of templates) {
    let length = 0;
    for (const argument of template.arguments?.() ?? [])
      length += argument instanceof Value ? guardValue(argument) : guardToken(argument);
    steps.set(template, 1 + Math.floor(length / SOURCE_PER_STEP));
    guardTag(template, liquid);
    guardTemplates(template.children ? toValueSync(template.children(false, true)) : [], liquid);
  }
}

/** Puts guards into one parsed value; returns the length of its source. */
export function guardValue({ initial, filters }: Pick<Value, 'initial' | 'filters'>): number {
  return guardTokens(initial.postfix) + guardTokens(filters.flatMap((filter) => argumentTokens(filter.args)));
}

function guardTokens(tokens: readonly (Token | undefined)[]): number {
  return tokens.reduce((length, token) => length + guardToken(token), 0);
}

function argumentTokens(args: Filter['args']): (Token | undefined)[] {
  return args.map((argument) => (Array.isArray(argument) ? argument[1] : argument));
}

function guardToken(token: Token | undefined): number {
  if (token === undefined) return 0;
  if (TypeGuards.isRangeToken(token)) {
    guardTokens([token.lhs, token.rhs]);
    token.lhs = guarded(token.lhs, RANGE_END);
    token.rhs = guarded(token.rhs, RANGE_END);
  } else if (TypeGuards.isNumberToken(token)) {
    const digits = token.getText();
    if (/^[+-]?\d+$/.test(digits)) Object.assign(token, { content: integerValue(BigInt(digits)) });
  } else if (TypeGuards.isPropertyAccessToken(token)) guardTokens([token.variable, ...token.props]);
  else if (TypeGuards.isFilteredValueToken(token)) {
    guardTokens([
      ...token.initial.postfix,
      ...token.filters.flatMap((filter) => argumentTokens(filter.args)),
    ]);
  }
  return token.end - token.begin;
}

function guardTag(template: Template, liquid: Liquid): void {
  if (template instanceof ForTag) {
    template.collection = guarded(template.collection, LOOPED_OVER);
    const { hash } = template.hash;
    for (const [name, token] of Object.entries(hash))
      if (token && TypeGuards.isValueToken(token))
        hash[name] = guarded(token, token.getText() === 'continue' ? CONTINUED : COUNT);
  } else if (template instanceof CycleTag) {
    const group: unknown = Reflect.get(template, 'group');
    if (group && TypeGuards.isValueToken(group)) Reflect.set(template, 'group', guarded(group, COMPARED));
  } else if (template instanceof CaseTag) {
    const [filter] = guardGroup(COMPARED).filters;
    if (filter) template.value.filters.push(new Filter(filter, liquid.filters[COMPARED], liquid));
  }
}

/** Returns `(token | filter)`: liquidjs' own form of a group, with the guard's name and the token filled in. */
function guarded(token: RangeToken['lhs'], filter: string): FilteredValueToken {
  const group = guardGroup(filter);
  group.initial.postfix.splice(0, 1, token);
  return Object.assign(group, { input: token.input, begin: token.begin, end: token.end });
}

function guardGroup(filter: string): FilteredValueToken {
  const group = new Tokenizer('(x | guard)', undefined, undefined, undefined, true).readValue();
  if (!group || !TypeGuards.isFilteredValueToken(group)) throw new Error('liquidjs reads groups differently');
  for (const token of group.filters) token.name = filter;
  return group;
}
