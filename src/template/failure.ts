import type { Template } from 'liquidjs';
import { LocatedFailure, TemplateFailure } from './budget.ts';

/** Longest piece of a template that an error quotes. */
const MAX_QUOTED = 80;

/** What a thrown error says to a person. Texts of unknown errors are left out: they could quote a payload. */
export function describeFailure(error: unknown): string {
  if (error instanceof TemplateFailure) return error.message;
  // liquidjs wraps what is thrown while it looks up a variable.
  if (error instanceof Error && 'originalError' in error) return describeFailure(error.originalError);
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'a value is nested too deeply';
  if (isAllocationLimit(error)) return 'the values that filters make grow too large';
  return 'cannot be evaluated';
}

/** Whether liquidjs' own count of what filters make has run out. */
export function isAllocationLimit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('memory alloc limit exceeded');
}

/** The same failure, with the innermost output or tag that it came from. */
export function locateFailure(error: unknown, { token }: Template): LocatedFailure {
  if (error instanceof LocatedFailure) return error;
  const text = token.getText();
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  const [line = 1] = token.getPosition();
  return new LocatedFailure(`line ${line}, ${quoted}: ${describeFailure(error)}`);
}
