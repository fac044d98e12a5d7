import {
  MAX_ALLOCATED,
  MAX_OUTPUT_LENGTH,
  MAX_ROUTE_ALLOCATED,
  MAX_ROUTE_SCANNED,
  MAX_ROUTE_STEPS,
  MAX_SCANNED,
  MAX_STEPS,
} from './limits.ts';
import type { Spend } from './weight.ts';

/** Why a render stops. An exception, since the interpreter has no other way out; callers get it as a value. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure';
}

/** A TemplateFailure whose message begins with its place in the template. */
export class LocatedFailure extends TemplateFailure {}

/**
 * The budget of all renders of one route for one event: a list of a thousand elements renders a thousand times.
 * It is per route and not per event, so that a runaway route does not stop the others.
 */
export interface RouteBudget {
  /** Spends steps. Throws a TemplateFailure when there are no more. */
  readonly step: Spend;
  /** Spends characters that are read or made. Throws likewise. */
  readonly work: Spend;
  /** Spends characters and elements that the interpreter is about to make. Throws likewise. */
  readonly make: Spend;
}

/** The rest of a render's budget. */
export interface Budget extends RouteBudget {
  /** Spends output. Throws likewise. */
  readonly write: Spend;
}

/** A fresh budget for a route. */
export const createRouteBudget = (): RouteBudget => ({
  step: counter(MAX_ROUTE_STEPS, `more than ${MAX_ROUTE_STEPS} steps for all messages of the route together`),
  work: counter(
    MAX_ROUTE_SCANNED,
    'the values are too large to be looked through for each message of the route',
  ),
  make: counter(MAX_ROUTE_ALLOCATED, 'the values that filters make grow too large for a route'),
});

/** A fresh budget for a render, within its route's. */
export function createBudget(ofRoute: RouteBudget = createRouteBudget()): Budget {
  const own: Budget = {
    step: counter(MAX_STEPS, `more than ${MAX_STEPS} steps: loop over less, or over a slice`),
    work: counter(MAX_SCANNED, 'the values are too large to be looked through this often'),
    make: counter(MAX_ALLOCATED, 'the values that filters make grow too large'),
    write: counter(MAX_OUTPUT_LENGTH, `more than ${MAX_OUTPUT_LENGTH} characters of output`),
  };
  return {
    step: both(own.step, ofRoute.step),
    work: both(own.work, ofRoute.work),
    make: both(own.make, ofRoute.make),
    write: own.write,
  };
}

function counter(limit: number, message: string): Spend {
  let left = limit;
  return function spend(count) {
    // Never a refund, and never NaN, after which every comparison would be false.
    left -= count > 0 ? count : 0;
    if (left < 0) throw new TemplateFailure(message);
  };
}

function both(own: Spend, ofRoute: Spend): Spend {
  return function spend(count) {
    own(count);
    ofRoute(count);
  };
}
