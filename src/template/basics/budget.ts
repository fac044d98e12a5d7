import { MAX_OUTPUT_LENGTH, MAX_ROUTE_WORK, MAX_WORK } from './limits.ts';

/** Spends some of a budget. Throws when there is no more. */
export type Spend = (count: number) => void;

/**
 * The reason why a render stops. It is an exception, since the interpreter has no other way out; callers get it as a
 * value.
 */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure';
}

/** A TemplateFailure whose message begins with its place in the template. */
export class LocatedFailure extends TemplateFailure {}

/**
 * The budget of all renders of one route for one event: a list of a thousand elements renders a thousand times. Each
 * route has its own, so that a runaway route does not stop the others.
 */
export interface RouteBudget {
  /** Spends units of work. Throws a TemplateFailure when there are no more. */
  readonly work: Spend;
}

/** The rest of a render's budget. */
export interface Budget extends RouteBudget {
  /** Spends output. Throws likewise. */
  readonly write: Spend;
}

/** A fresh budget for a route. */
export const createRouteBudget = (): RouteBudget => ({
  work: counter(
    MAX_ROUTE_WORK,
    `more than ${MAX_ROUTE_WORK} units of work for all messages of the route together`,
  ),
});

/** A fresh budget for a render, within its route's. */
export function createBudget(ofRoute: RouteBudget = createRouteBudget()): Budget {
  const work = counter(
    MAX_WORK,
    `more than ${MAX_WORK} units of work: loop over less, or read shorter values`,
  );
  return {
    work(count) {
      work(count);
      ofRoute.work(count);
    },
    write: counter(MAX_OUTPUT_LENGTH, `more than ${MAX_OUTPUT_LENGTH} characters of output`),
  };
}

function counter(limit: number, message: string): Spend {
  let left = limit;
  return function spend(count) {
    // Never a refund, and never NaN, which would make every later comparison false.
    left -= count > 0 ? count : 0;
    if (left < 0) throw new TemplateFailure(message);
  };
}
