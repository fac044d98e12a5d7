import type { RejectionEntry } from '../../answers/api-registry.ts';
import type { Stats } from '../../metrics/api-stats.ts';
import type { NumberedRejection } from '../../registry/rejections.ts';
import { assetText } from '../../lib/bindings.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { DAY } from '../../lib/time.ts';
import { findingOf, span, type Check, type CheckId } from './check.ts';

export type Remedies = Readonly<Record<string, string>>;

/** Reads `assets/remedies.json`. If that fails, rejections are shown without remedies. */
export const readRemedies = async ({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<Remedies> =>
  parseOwnJson<Remedies>(await assetText(ASSETS, 'remedies.json').catch(() => '{}'));

export const asRejection =
  (remedies: Remedies) =>
  ({ n, entry }: NumberedRejection) => {
    const remedy = remedies[entry.code];
    return { n, ...entry, ...(remedy !== undefined && { remedy }) };
  };

const found = (id: CheckId) => findingOf(id, 'Refused requests');

/** Codes of what only the deployment's owner can cause, and has to fix. */
const OURS = new Set(['secret_missing', 'misconfigured']);

interface Known {
  readonly now: number;
  readonly remedies: Remedies;
  readonly sources: Stats['sources'];
}

/** One check for each source and code of recent rejections, the most frequent first. `rejections`: newest first. */
export function rejectionChecks(entries: readonly RejectionEntry[], known: Known): readonly Check[] {
  const recent = entries.filter(
    ({ at, near, source }) =>
      known.now - Date.parse(at) < DAY && (near === undefined || !Object.hasOwn(known.sources, source)),
  );
  if (recent.length === 0)
    return [found('rejections')('ok', 'none-refused', { detail: 'none in the last 24 hours' })];
  const groups = Map.groupBy(recent, ({ source, code }) => `${source}:${code}`);
  return [...groups]
    .sort(([, one], [, other]) => timesOf(other) - timesOf(one))
    .map(([key, group]) => groupCheck(key, group, known));
}

/** Counts rejections, including those that are folded into one row. */
const timesOf = (group: readonly RejectionEntry[]) => group.reduce((sum, { times = 1 }) => sum + times, 0);

function groupCheck(key: string, group: readonly RejectionEntry[], known: Known): Check {
  const [newest] = group;
  const { source = '', code = '', at = '', detail = '', field } = newest ?? {};
  // A visitor who forgets a field, and corrects it, needs nobody. If each form of a day lacks the same one, the page has
  // another name for it.
  const { events = null, last_event_at: last = null } = known.sources[source] ?? {};
  const isAlone = events !== null && (last === null || known.now - Date.parse(last) >= DAY);
  const isFine = field !== undefined && !(isAlone && group.every((one) => one.field === field));
  return found(`rejections:${key}`)(OURS.has(code) ? 'fail' : isFine ? 'ok' : 'warn', 'refused', {
    detail: `source ${source}: ${timesOf(group)} ×, most recently ${span(known.now - Date.parse(at))} ago: ${detail}`,
    params: { source, times: timesOf(group), at, reason: code },
    remedy: isFine ? undefined : known.remedies[code],
  });
}
