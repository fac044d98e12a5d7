import type { Template } from 'liquidjs';
import { LocatedFailure, TemplateFailure } from './budget.ts';

/** The longest piece of a template that an error quotes. */
const MAX_QUOTED = 80;

/** Returns the original exception: liquidjs wraps exceptions that are thrown while it looks up a variable. */
export function originOf(error: unknown): unknown {
  return error instanceof Error && 'originalError' in error ? originOf(error.originalError) : error;
}

/** Returns the text of an exception for a person. Texts of unknown errors are left out: they could quote a payload. */
export function describeFailure(error: unknown): string {
  const origin = originOf(error);
  if (origin instanceof TemplateFailure) return origin.message;
  if (origin instanceof RangeError && /call stack/i.test(origin.message))
    return 'a value is nested too deeply';
  return 'cannot be evaluated';
}

/** Returns the same failure, with the innermost output or tag that it came from. */
export function locateFailure(error: unknown, { token }: Template): LocatedFailure {
  if (error instanceof LocatedFailure) return error;
  const text = token.getText();
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  const [line = 1] = token.getPosition();
  return new LocatedFailure(`line ${line}, ${quoted}: ${describeFailure(error)}`);
}
