import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { allowed, type Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { replayedMany, type ReplayedMany } from '../relay/shapes.ts';
import { count, wrap } from '../text.ts';

type ReplaySum = Pick<ReplayedMany, 'replayed' | 'messages' | 'looked_at'> & {
  readonly skipped: Readonly<Record<string, number | undefined>>;
};

const NOTHING: ReplaySum = { replayed: 0, messages: 0, skipped: {}, looked_at: 0 };

/** The reasons for which events are skipped, for people. */
const WHY: Readonly<Record<string, string>> = {
  is_replay: 'that are replays',
  payload_not_kept: 'whose payload is not stored',
  source_gone: 'whose source is no longer configured',
  unknown_route: 'whose source has no such route',
  nothing_failed: 'without failures',
  too_many_messages: 'with too many messages to compare',
  too_large: 'too large to store again',
};

/** Counts the events that match, asks, and replays them: just those that were counted. */
export async function replayEvents(
  cli: Cli,
  client: Client,
  filter: object,
  isYes: boolean,
): Promise<CommandResult> {
  const { out } = cli;
  const opened: CommandResult<{ data: ReplayedMany }> = await client.post(
    '/events/replay',
    replayedMany,
    filter,
  );
  if (!opened.ok) return opened;
  const { next_cursor: cursor } = opened.value.data;
  if (!isYes) {
    const counted = await inSteps(cli, client, filter, cursor, true);
    if (!counted.ok) return counted;
    const { replayed } = counted.value;
    if (!out.isJson) showSkipped(cli, counted.value);
    if (replayed === 0) {
      out.show(shown(counted.value), () => out.line('nothing to replay: no event matches'));
      return ok(undefined);
    }
    const question = `Replay ${count(replayed, 'event')} at ${client.profile.url}? Receivers may get messages twice.`;
    const may = await allowed(cli, question, false);
    if (!may.ok) return may;
    if (!may.value) return failed('nothing was replayed');
  }
  const done = await inSteps(cli, client, filter, cursor, false);
  if (!done.ok) return done;
  out.show(shown(done.value), () => {
    const { replayed, messages } = done.value;
    out.line(`${count(replayed, 'event')} replayed: ${count(messages, 'message')}`);
    showSkipped(cli, done.value);
  });
  return ok(undefined);
}

const shown = (sum: ReplaySum) => ({ ...sum, next_cursor: null });

function showSkipped({ out }: Cli, { skipped }: ReplaySum): void {
  const parts = Object.entries(skipped).map(([reason, n = 0]) => `${n} ${WHY[reason] ?? reason}`);
  if (parts.length === 0) return;
  for (const line of wrap(`skipped: ${parts.join(', ')}`, out.columns)) out.line(line);
}

/** Calls again until the relay has looked at all of them. A step may be repeated: it replays nothing twice. */
async function inSteps(
  { out }: Cli,
  client: Client,
  filter: object,
  from: string | null,
  isDryRun: boolean,
): Promise<CommandResult<ReplaySum>> {
  const path = `/events/replay${isDryRun ? '?dry_run=true' : ''}`;
  let sum = NOTHING;
  for (let cursor = from; cursor !== null;) {
    const answer: CommandResult<{ data: ReplayedMany }> = await client.post(path, replayedMany, {
      ...filter,
      cursor,
    });
    if (!answer.ok) {
      if (!isDryRun && sum.replayed > 0) out.note(`${count(sum.replayed, 'event')} replayed; then:`);
      return answer;
    }
    const step = answer.value.data;
    sum = {
      replayed: sum.replayed + step.replayed,
      messages: sum.messages + step.messages,
      skipped: added(sum.skipped, step.skipped),
      looked_at: sum.looked_at + step.looked_at,
    };
    cursor = step.next_cursor;
    out.progress(
      `${sum.looked_at} examined, ${count(sum.replayed, 'event')} ${isDryRun ? 'to replay' : 'replayed'} …`,
    );
  }
  return ok(sum);
}

function added(one: ReplaySum['skipped'], other: ReplaySum['skipped']): ReplaySum['skipped'] {
  const sum: Record<string, number | undefined> = { ...one };
  for (const [reason, n = 0] of Object.entries(other)) sum[reason] = (sum[reason] ?? 0) + n;
  return sum;
}
