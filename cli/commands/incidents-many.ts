import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { allowed, type Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { changedIncidents, type ChangedIncidents } from '../relay/shapes.ts';
import { count } from '../text.ts';

/** A change of incidents, and its words. */
export const CHANGES = {
  acknowledge: { ask: 'Acknowledge', done: 'acknowledged' },
  resolve: { ask: 'Resolve', done: 'resolved' },
} as const;
export type Change = keyof typeof CHANGES;

/** The maximum number of ids in one request. */
const MAX_IDS = 500;

const WHY: Readonly<Record<string, string>> = {
  not_open: 'is not open',
  unknown: 'is unknown: there is none, or it was deleted',
};

/** Changes the incidents with these ids, whatever becomes of one of them. */
export async function changeNamed(cli: Cli, change: Change, ids: readonly string[]): Promise<CommandResult> {
  const client = cli.relay();
  if (!client.ok) return client;
  const parts: { incidents: readonly string[] }[] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) parts.push({ incidents: ids.slice(at, at + MAX_IDS) });
  const done = await inSteps(cli, client.value, { change, isDryRun: false }, parts);
  return done.ok ? show(cli, change, done.value) : done;
}

/** Counts the incidents that match, asks, and changes them. */
export async function changeMatching(
  cli: Cli,
  change: Change,
  filter: object,
  isYes: boolean,
): Promise<CommandResult> {
  const client = cli.relay();
  if (!client.ok) return client;
  const { ask, done } = CHANGES[change];
  if (!isYes) {
    const counted = await inSteps(cli, client.value, { change, isDryRun: true }, [filter]);
    if (!counted.ok) return counted;
    const { changed } = counted.value;
    if (changed === 0) return show(cli, change, counted.value);
    const question = `${ask} ${count(changed, 'incident')} at ${client.value.profile.url}? Everybody who was notified of them gets a message.`;
    const may = await allowed(cli, question, false);
    if (!may.ok) return may;
    if (!may.value) return failed(`nothing was ${done}`);
  }
  const changed = await inSteps(cli, client.value, { change, isDryRun: false }, [filter]);
  return changed.ok ? show(cli, change, changed.value) : changed;
}

type Sum = Omit<ChangedIncidents, 'next_cursor'>;

/** Calls again until the relay has changed all of them. */
async function inSteps(
  { out }: Cli,
  client: Client,
  { change, isDryRun }: { readonly change: Change; readonly isDryRun: boolean },
  bodies: readonly object[],
): Promise<CommandResult<Sum>> {
  const { done } = CHANGES[change];
  const sum = { changed: 0, left: [] as Sum['left'] };
  for (const body of bodies) {
    let cursor: string | null = null;
    do {
      const answer: CommandResult<{ data: ChangedIncidents }> = await client.post(
        `/incidents/${change}${isDryRun ? '?dry_run=true' : ''}`,
        changedIncidents,
        cursor === null ? body : { ...body, cursor },
      );
      if (!answer.ok) {
        if (!isDryRun && sum.changed > 0) out.note(`${count(sum.changed, 'incident')} ${done}; then:`);
        return answer;
      }
      const step: ChangedIncidents = answer.value.data;
      sum.changed += step.changed;
      sum.left = [...sum.left, ...step.left];
      cursor = step.next_cursor;
      out.progress(`${count(sum.changed, 'incident')} ${isDryRun ? `to be ${done}` : done} …`);
    } while (cursor !== null);
  }
  return ok(sum);
}

/** Says what was done. It fails if one that was named is left. */
function show({ out }: Cli, change: Change, sum: Sum): CommandResult {
  const { done } = CHANGES[change];
  const { changed, left } = sum;
  out.show({ ...sum, next_cursor: null }, () =>
    out.line(
      changed === 0 && left.length === 0
        ? `nothing to ${change}: no open incident matches`
        : `${count(changed, 'incident')} ${done}`,
    ),
  );
  return left.length === 0
    ? ok(undefined)
    : failed(`${count(left.length, 'incident')} not ${done}`, {
        details: left.map(({ incident, why }) => `${incident} ${WHY[why] ?? why}`),
      });
}
