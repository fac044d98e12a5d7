import { toValue, toValueSync } from 'liquidjs';
import type { Context, Value } from 'liquidjs';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';
import { evaluateSteps, quickSteps } from './quick.ts';
import { describeFailure } from './basics/failure.ts';

/** Returns the value of a parsed expression. The error begins with its source. */
export function evaluate(
  { source, value }: { readonly source: string; readonly value: Value },
  context: Context,
): Result<unknown, string> {
  try {
    const steps = quickSteps(value);
    const found = steps === null ? toValueSync(value.value(context)) : evaluateSteps(steps, context);
    return ok(toValue(found) as unknown);
  } catch (error) {
    return err(`${source.trim().slice(0, 80)}: ${describeFailure(error)}`);
  }
}
