import type * as z from 'zod/mini';
import type { FieldCode } from '../../lib/api-codes.ts';
import { fieldError, type FieldError, type Fault, type Params } from '../../lib/problem.ts';
import type { Result } from '../../lib/result.ts';
import { KEY_SEPARATOR, shownKey } from '../../schema/parts.ts';

/** Paths are as a person would write them (`sources.shop.routes[0].to`), below the `path` of the checked value. */
export function issueErrors(path: string, issue: z.core.$ZodIssue): readonly FieldError[] {
  const here = issue.path.reduce<string>(pathWith, path);
  // A union's issue hides the errors of its members behind one message. Show those of the member that matched furthest.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
    if (best !== undefined && depth(best) > 0) return best.flatMap((inner) => issueErrors(here, inner));
  }
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split(KEY_SEPARATOR);
    const all = issue.keys
      .map(shownKey)
      .map((key, index) => fieldError(pathWith(here, key), 'unknown-key', messages[index] ?? '', { key }));
    return firstOf(here, all, messages.length, 'unknown keys');
  }
  const [code, params] = faultOf(issue);
  return [fieldError(here, code, issue.message, params)];
}

type Coded = readonly [code: FieldCode, params?: Params | undefined];

/** The code of a schema's issue. A check of our own names its code in `params`, with the values. */
function faultOf(issue: Exclude<z.core.$ZodIssue, z.core.$ZodIssueUnrecognizedKeys>): Coded {
  const { code, input } = issue;
  if (code === 'custom') return customFault(issue.params ?? {});
  if (code === 'too_big') return ['out-of-range', { max: String(issue.maximum) }];
  if (code === 'too_small') return ['out-of-range', { min: String(issue.minimum) }];
  if (code === 'invalid_value') return notOneOf(input, issue.values);
  if (code === 'invalid_union' && 'options' in issue && issue.options !== undefined)
    return notOneOf(Reflect.get(Object(input), issue.discriminator ?? ''), issue.options);
  if (code !== 'invalid_union' && code !== 'invalid_type') return ['malformed'];
  return [input === undefined ? 'required' : 'wrong-type'];
}

const notOneOf = (input: unknown, allowed: readonly unknown[]): Coded =>
  input === undefined ? ['required'] : ['not-one-of', { allowed: allowed.map(String).join(', ') }];

const isFault = (given: unknown): given is Fault => Array.isArray(given);

/** Checks give either a fault of their own, or the bound that they enforce, which the API's description has, too. */
function customFault(given: Readonly<Record<string, unknown>>): Coded {
  const { fault, minItems, maxItems, minLength, maxLength } = given;
  if (isFault(fault)) return [fault[0], fault[2]];
  const max = maxItems ?? maxLength;
  if (typeof max === 'number') return ['too-long', { max: String(max) }];
  const min = minItems ?? minLength;
  return typeof min === 'number' ? ['too-short', { min: String(min) }] : ['malformed'];
}

const depth = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)));

function pathWith(path: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${path}[${part}]`;
  return path === '' ? String(part) : `${path}.${String(part)}`;
}

export function firstOf(path: string, found: readonly FieldError[], most: number, others: string) {
  const left = found.length - most;
  const more = fieldError(path, 'more', `and ${left} more ${others}`, { left: String(left) });
  return left > 0 ? [...found.slice(0, most), more] : found;
}

export type Report = (path: string, ...fault: Fault) => void;

export interface Reports {
  readonly report: Report;
  readonly warn: Report;
}

/** The compiled value; null without a text, or after its error was reported. */
export const compiledIf = <Compiled>(
  path: string,
  text: string | undefined,
  compile: (text: string) => Result<Compiled, string>,
  report: Report,
): Compiled | null => (text === undefined ? null : compiled(path, compile(text), report));

export function compiled<Compiled>(path: string, result: Result<Compiled, string>, report: Report) {
  if (result.ok) return result.value;
  report(path, 'template', result.error);
  return null;
}
