import type { RejectionEntry } from '../../registry/api-rejection.ts';
import { span, type Check } from './check.ts';
import type { Remedies } from './remedies.ts';

/** The age up to which rejections are reported (ms). */
const RECENT_MS = 24 * 3_600_000;

/** Reasons that only the deployment's owner can cause, and has to fix. */
const OURS = new Set(['secret_missing', 'misconfigured']);

/** One check for each source and reason of recent rejections, the most frequent first. `rejections`: newest first. */
export function rejectionChecks(
  entries: readonly RejectionEntry[],
  now: number,
  remedies: Remedies,
): readonly Check[] {
  const recent = entries.filter(({ at }) => now - Date.parse(at) < RECENT_MS);
  if (recent.length === 0)
    return [
      { id: 'rejections', status: 'ok', title: 'Refused requests', detail: 'none in the last 24 hours' },
    ];
  const groups = Map.groupBy(recent, ({ source, reason }) => `${source}:${reason}`);
  return [...groups]
    .sort(([, one], [, other]) => timesOf(other) - timesOf(one))
    .map(([key, group]) => groupCheck(key, group, { now, remedies }));
}

/** Counts rejections, including those that are folded into one row. */
const timesOf = (group: readonly RejectionEntry[]): number =>
  group.reduce((sum, { times = 1 }) => sum + times, 0);

function groupCheck(
  key: string,
  group: readonly RejectionEntry[],
  { now, remedies }: { readonly now: number; readonly remedies: Remedies },
): Check {
  const [newest] = group;
  const { source = '', reason = '', at = '', detail = '' } = newest ?? {};
  const remedy = remedies[reason];
  return {
    id: `rejections:${key}`,
    status: OURS.has(reason) ? 'fail' : 'warn',
    title: 'Refused requests',
    detail: `source ${source}: ${timesOf(group)} ×, most recently ${span(now - Date.parse(at))} ago: ${detail}`,
    ...(remedy !== undefined && { remedy }),
  };
}
