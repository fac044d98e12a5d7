import { TemplateFailure } from './basics/budget.ts';
import { toValue, type FilterImplOptions } from 'liquidjs';
import { namesNoZone } from './filters/dates.ts';
import { BoundedContext } from './context.ts';
import type { Spend } from './basics/weight.ts';
import type { Arity } from './syntax/names.ts';
import type { Result } from '../lib/result.ts';

/** A filter as liquidjs takes it. */
export type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
/** Its `this`. */
export type FilterThis = ThisParameterType<FilterHandler>;

/** A filter that pays for its work. */
export interface Filter {
  readonly arity: Arity;
  /** Reads the operands, pays for them, and returns the result. */
  readonly call: (self: FilterThis, operands: readonly unknown[], spend: Spend) => unknown;
  /** True if it returns a part of its operands. */
  readonly makesNothing?: boolean;
}

/** Returns the surroundings of a call. */
export function groundOf({ context }: FilterThis): BoundedContext['ground'] {
  if (context instanceof BoundedContext) return context.ground;
  throw new Error('a filter was called without bounds');
}

/** A filter that shows a time to people: a preview notes a time that names no zone where no zone is written. */
export const ofClock = (filter: Filter): Filter => ({
  ...filter,
  call(self, operands, spend) {
    // A named argument is a list.
    const [value, , zone] = operands
      .map((each): unknown => toValue(each))
      .filter((one) => !Array.isArray(one));
    if (!zone && namesNoZone(value)) groundOf(self).missing?.noteClock(self.token);
    return filter.call(self, operands, spend);
  },
});

/** Returns the result of the filter of that name, or fails for its reason. */
export function madeBy(name: string, made: Result<unknown, string>): unknown {
  if (made.ok) return made.value;
  throw new TemplateFailure(`${name}: ${made.error}`);
}
