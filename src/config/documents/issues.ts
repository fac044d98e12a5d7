import type * as z from 'zod/mini';
import type { FieldError } from '../../lib/problem.ts';
import type { Result } from '../../lib/result.ts';
import { KEY_SEPARATOR, shownKey } from '../../schema/parts.ts';

/**
 * A schema's errors, with paths as a person would write them (`sources.shop.routes[0].to`). `path`: the path of the
 * checked value.
 */
export function issueErrors(path: string, issue: z.core.$ZodIssue): readonly FieldError[] {
  const here = issue.path.reduce<string>(pathWith, path);
  // A union's issue hides the errors of its members behind one message. Show those of the member that matched furthest.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
    if (best !== undefined && depth(best) > 0) return best.flatMap((inner) => issueErrors(here, inner));
  }
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split(KEY_SEPARATOR);
    const left = issue.keys.length - messages.length;
    const named = messages.map((message, index) => ({
      path: pathWith(here, shownKey(issue.keys[index] ?? '')),
      message,
    }));
    return left > 0 ? [...named, { path: here, message: `and ${left} more unknown keys` }] : named;
  }
  return [{ path: here, message: issue.message }];
}

const depth = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)));

function pathWith(path: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${path}[${part}]`;
  return path === '' ? String(part) : `${path}.${String(part)}`;
}

/** Collects the errors of one source, by path. */
export type Report = (path: string, message: string) => void;

/** Returns the compiled value; null after reporting its errors. */
export function compiled<Compiled>(
  path: string,
  result: Result<Compiled, string>,
  report: Report,
): Compiled | null {
  if (result.ok) return result.value;
  report(path, result.error);
  return null;
}
