import {
  MAX_ROUTE_SCANNED,
  MAX_ROUTE_STEPS,
  MAX_OUTPUT_LENGTH,
  MAX_SCANNED,
  MAX_STEPS,
  SCANNED_PER_ELEMENT,
} from './limits.ts';

/** Why a render stops. Thrown, because the interpreter has no other way out; turned into a value at the border. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure';
}

/** A TemplateFailure whose message begins with the place in the template. */
export class LocatedFailure extends TemplateFailure {}

/** What one render may still do. */
export interface Budget {
  /** Spends steps. Throws a TemplateFailure when there are no more. */
  readonly step: (count: number) => void;
  /** Spends what looking at the value costs: its characters or elements. Throws likewise. */
  readonly scan: (value: unknown, times?: number) => void;
  /** Spends output. Throws likewise. */
  readonly write: (length: number) => void;
}

/** What all renders of one route may do together, for one event: a list of a thousand elements renders a thousand times. It is a route's and not the event's, so that one that runs away does not take the others with it. */
export type RouteBudget = Pick<Budget, 'step'> & { readonly scan: (size: number) => void };

/** A fresh budget for a route. */
export const createRouteBudget = (): RouteBudget => ({
  step: counter(MAX_ROUTE_STEPS, `more than ${MAX_ROUTE_STEPS} steps for all messages of the route together`),
  scan: counter(
    MAX_ROUTE_SCANNED,
    'the values are too large to be looked through for each message of the route',
  ),
});

/** A fresh budget for a render, within its route's. */
export function createBudget(ofRoute: RouteBudget = createRouteBudget()): Budget {
  const ownStep = counter(MAX_STEPS, `more than ${MAX_STEPS} steps: loop over less, or over a slice`);
  const ownScan = counter(MAX_SCANNED, 'the values are too large to be looked through this often');
  const step = (count: number): void => {
    ownStep(count);
    ofRoute.step(count);
  };
  const scan = (size: number): void => {
    ownScan(size);
    ofRoute.scan(size);
  };
  const write = counter(MAX_OUTPUT_LENGTH, `more than ${MAX_OUTPUT_LENGTH} characters of output`);
  return { step, scan: (value, times = 1) => scan(sizeOf(value) * times), write };
}

function counter(limit: number, message: string): (count: number) => void {
  let left = limit;
  return function spend(count) {
    left -= count;
    if (left < 0) throw new TemplateFailure(message);
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length * SCANNED_PER_ELEMENT;
  return 1;
}
