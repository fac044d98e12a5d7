import { textOf, type Token } from './tokens.ts';
import { LocatedFailure, TemplateFailure } from './budget.ts';

/** The longest piece of a template that an error quotes. */
const MAX_QUOTED = 80;

/** Returns the text of an exception for a person. Texts of unknown errors are left out: they could quote a payload. */
export function describeFailure(error: unknown): string {
  if (error instanceof TemplateFailure) return error.message;
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'a value is nested too deeply';
  return 'cannot be evaluated';
}

/** Returns the same failure, with the innermost output or tag that it came from. */
export function locateFailure(error: unknown, token: Token): LocatedFailure {
  if (error instanceof LocatedFailure) return error;
  const text = textOf(token);
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  const line = token.source.slice(0, token.begin).split('\n').length;
  return new LocatedFailure(`line ${line}, ${quoted}: ${describeFailure(error)}`);
}
