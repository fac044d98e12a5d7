import type * as z from 'zod/mini';
import { isObject } from '../../src/lib/json.ts';
import { ok } from '../../src/lib/result.ts';
import { agreed, type Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { capital, count } from '../text.ts';

/** A change of all things that match, which the relay makes step by step. */
export interface BulkChange<Step extends { readonly next_cursor: string | null }> {
  readonly path: string;
  readonly shape: z.ZodMiniType<Step>;
  readonly zero: Step;
  /** The number of things that are changed, or would be. */
  readonly changed: (sum: Step) => number;
  readonly verb: string;
  readonly past: string;
  readonly noun: string;
  /** What can match: `open incident`. */
  readonly candidate: string;
  /** Said after the question. */
  readonly warning?: string;
  /** Said before it. */
  readonly about?: (sum: Step) => Promise<CommandResult<readonly string[]>>;
  readonly show: (sum: Step) => CommandResult | void;
}

/** Counts what matches, asks, and changes it. With `--yes`, just changes it. */
export async function changeMany<Step extends { readonly next_cursor: string | null }>(
  cli: Cli,
  change: BulkChange<Step>,
  filter: object,
  { isYes, cursor = null }: { readonly isYes: boolean; readonly cursor?: string | null },
): Promise<CommandResult | void> {
  const { out, client } = cli;
  const { verb, past, noun, candidate, warning = '', changed, about, show } = change;
  if (!isYes) {
    const counted = await inSteps(cli, change, filter, true, cursor);
    if (!counted.ok) return counted;
    const n = changed(counted.value);
    const said = (await about?.(counted.value)) ?? ok([]);
    if (!said.ok) return said;
    if (!out.isJson) for (const text of said.value) out.wrapped(text);
    if (n === 0) {
      out.show(counted.value, () => out.line(`nothing to ${verb}: no ${candidate} matches`));
      return undefined;
    }
    const question = `${capital(verb)} ${count(n, noun)} at ${client.url}?${warning}`;
    const may = await agreed(cli, question, false, `nothing was ${past}`);
    if (!may.ok) return may;
  }
  const done = await inSteps(cli, change, filter, false, cursor);
  return done.ok ? show(done.value) : done;
}

/** Calls again until the relay has looked at all that match. A dry run only counts them. */
export async function inSteps<Step extends { readonly next_cursor: string | null }>(
  { out, client }: Cli,
  { path, shape, zero, changed, verb, past, noun }: BulkChange<Step>,
  filter: object,
  isDryRun: boolean,
  start: string | null = null,
): Promise<CommandResult<Step>> {
  let sum: Step = { ...zero, next_cursor: start };
  do {
    const { next_cursor: cursor } = sum;
    const body = cursor === null ? filter : { ...filter, cursor };
    const answer = await client.post(`${path}${isDryRun ? '?dry_run=true' : ''}`, shape, body);
    const n = changed(sum);
    if (!answer.ok) {
      if (!isDryRun && n > 0) out.note(`${count(n, noun)} ${past}; then:`);
      return answer;
    }
    sum = shape.parse(added(sum, answer.value.data));
    out.progress(`${count(changed(sum), noun)} ${isDryRun ? `to ${verb}` : past} …`);
  } while (sum.next_cursor !== null);
  return ok(sum);
}

/** Two steps as one: numbers are added, lists are joined, and of anything else the later value counts. */
function added(sum: unknown, step: unknown): unknown {
  if (typeof sum === 'number' && typeof step === 'number') return sum + step;
  if (Array.isArray(sum) && Array.isArray(step)) return [sum, step].flat();
  if (!isObject(sum) || !isObject(step)) return step === undefined ? sum : step;
  const keys = Object.keys({ ...sum, ...step });
  return Object.fromEntries(keys.map((key) => [key, added(sum[key], step[key])]));
}
