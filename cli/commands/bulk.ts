import type * as z from 'zod/mini';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { allowed, type Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { count } from '../text.ts';

/** A change of all things that match, which the relay makes step by step. */
export interface BulkChange<Step extends { readonly next_cursor: string | null }> {
  readonly path: string;
  readonly shape: z.ZodMiniType<Step>;
  /** The sum of no steps. */
  readonly zero: Step;
  /** The sum of a step and those before it. */
  readonly add: (sum: Step, step: Step) => Step;
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
  readonly about?: (client: Client, sum: Step) => Promise<CommandResult<readonly string[]>>;
  readonly show: (sum: Step) => CommandResult;
}

interface StepOptions {
  readonly isDryRun: boolean;
  /** Where the first step begins. */
  readonly cursor?: string | null;
}

/** Counts what matches, asks, and changes it. With `--yes`, just changes it. */
export async function changeMany<Step extends { readonly next_cursor: string | null }>(
  cli: Cli,
  client: Client,
  change: BulkChange<Step>,
  filter: object,
  { isYes, cursor = null }: { readonly isYes: boolean; readonly cursor?: string | null },
): Promise<CommandResult> {
  const { out } = cli;
  const { verb, past, noun, candidate, warning = '', changed, about, show } = change;
  if (!isYes) {
    const counted = await inSteps(cli, client, change, filter, { isDryRun: true, cursor });
    if (!counted.ok) return counted;
    const n = changed(counted.value);
    const said = (await about?.(client, counted.value)) ?? ok([]);
    if (!said.ok) return said;
    if (!out.isJson) for (const text of said.value) out.wrapped(text);
    if (n === 0) {
      out.show(counted.value, () => out.line(`nothing to ${verb}: no ${candidate} matches`));
      return ok(undefined);
    }
    const question = `${verb} ${count(n, noun)} at ${client.profile.url}?${warning}`;
    const may = await allowed(
      cli,
      question.replace(/^./, (letter) => letter.toUpperCase()),
      false,
    );
    if (!may.ok) return may;
    if (!may.value) return failed(`nothing was ${past}`);
  }
  const done = await inSteps(cli, client, change, filter, { isDryRun: false, cursor });
  return done.ok ? show(done.value) : done;
}

/** Calls again until the relay has looked at all that match. A dry run only counts them. */
export async function inSteps<Step extends { readonly next_cursor: string | null }>(
  { out }: Cli,
  client: Client,
  { path, shape, zero, add, changed, verb, past, noun }: BulkChange<Step>,
  filter: object,
  { isDryRun, cursor: start = null }: StepOptions,
): Promise<CommandResult<Step>> {
  let sum = { ...zero, next_cursor: start };
  do {
    const { next_cursor: cursor } = sum;
    const body = cursor === null ? filter : { ...filter, cursor };
    const answer = await client.post(`${path}${isDryRun ? '?dry_run=true' : ''}`, shape, body);
    const n = changed(sum);
    if (!answer.ok) {
      if (!isDryRun && n > 0) out.note(`${count(n, noun)} ${past}; then:`);
      return answer;
    }
    sum = { ...add(sum, answer.value.data), next_cursor: answer.value.data.next_cursor };
    out.progress(`${count(changed(sum), noun)} ${isDryRun ? `to ${verb}` : past} …`);
  } while (sum.next_cursor !== null);
  return ok(sum);
}
