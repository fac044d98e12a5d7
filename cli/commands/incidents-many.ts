import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { changedIncidents, type ChangedIncidents } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { changeMany, inSteps, type BulkChange } from './bulk.ts';

const PAST = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;
export type Change = keyof typeof PAST;

/** The maximum number of ids in one request. */
const MAX_IDS = 500;

const WHY: Readonly<Record<string, string>> = {
  not_open: 'is not open',
  unknown: 'is unknown: there is none, or it was deleted',
};

const bulkChange = ({ out }: Cli, verb: Change): BulkChange<ChangedIncidents> => ({
  path: `/incidents/${verb}`,
  shape: changedIncidents,
  zero: { changed: 0, left: [], next_cursor: null },
  add: (sum, step) => ({
    ...step,
    changed: sum.changed + step.changed,
    left: [...sum.left, ...step.left],
  }),
  changed: ({ changed }) => changed,
  verb,
  past: PAST[verb],
  noun: 'incident',
  candidate: 'open incident',
  warning: ' Everybody who was notified of them gets a message.',
  /** It fails if one that was named is left. */
  show: (sum) => {
    const { changed, left } = sum;
    out.show(sum, () =>
      out.line(
        changed === 0 && left.length === 0
          ? `nothing to ${verb}: no open incident matches`
          : `${count(changed, 'incident')} ${PAST[verb]}`,
      ),
    );
    return left.length === 0
      ? ok(undefined)
      : failed(`${count(left.length, 'incident')} not ${PAST[verb]}`, {
          details: left.map(({ incident, why }) => `${incident} ${WHY[why] ?? why}`),
        });
  },
});

/** Changes the incidents with these ids, whatever becomes of one of them. */
export async function changeNamed(cli: Cli, verb: Change, ids: readonly string[]): Promise<CommandResult> {
  const client = cli.relay();
  if (!client.ok) return client;
  const change = bulkChange(cli, verb);
  let sum = change.zero;
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const incidents = ids.slice(at, at + MAX_IDS);
    const done = await inSteps(
      cli,
      client.value,
      { ...change, zero: sum },
      { incidents },
      { isDryRun: false },
    );
    if (!done.ok) return done;
    sum = done.value;
  }
  return change.show(sum);
}

/** Counts the incidents that match, asks, and changes them. */
export async function changeMatching(
  cli: Cli,
  verb: Change,
  filter: object,
  isYes: boolean,
): Promise<CommandResult> {
  const client = cli.relay();
  return client.ok ? changeMany(cli, client.value, bulkChange(cli, verb), filter, { isYes }) : client;
}
