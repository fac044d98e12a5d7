import type { LoadedConfig } from '../../config/compiled/config.ts';
import type { Silence } from '../../config/compiled/alerting.ts';
import { silencedBy } from '../../config/compiled/silenced.ts';
import { iso } from '../../lib/time.ts';
import { CRITICAL } from '../../lib/severity.ts';
import { silenceable } from '../incidents/compose.ts';
import { partsOf, type Entry } from '../incidents/entries.ts';
import { incidentId } from '../incidents/store.ts';
import type { OpenIncidents } from '../incidents/open-incidents.ts';
import { localeOf, placeIn } from '../incidents/rules.ts';
import type { OpenIncidentsAnswer } from '../answers/api-incident.ts';
import { levelOf, listed, positionOf, type PlacedIncident } from './list-incidents.ts';

/** The open incidents of one source in one outbox. `worst`: the first unattended one in the list. */
export interface OpenOfSource extends Omit<OpenIncidentsAnswer, 'worst'> {
  readonly worst: PlacedIncident | null;
}

export interface SummaryContext {
  readonly sql: SqlStorage;
  readonly open: OpenIncidents;
  readonly config: LoadedConfig | null;
  readonly now: number;
}

export function openSummary({ sql, open, config, now }: SummaryContext): readonly OpenOfSource[] {
  const sums = new Map<string, ReturnType<typeof newSum>>();
  for (const entries of open.all()) {
    const firing = [...entries].filter(isFiring);
    const [first] = firing;
    if (first === undefined) continue;
    const { ref } = first;
    const sum = sums.get(ref.source) ?? newSum();
    sums.set(ref.source, sum);
    sum.open += 1;
    const state = stateOf(firing, { sql, config, now });
    sum[state] += 1;
    if (state !== 'unattended') continue;
    const levels = firing.map(({ incident }) => levelOf(config, ref, incident));
    if (levels.includes(CRITICAL)) sum.critical += 1;
    for (const [at, { incident }] of firing.entries()) {
      sum.firedAt = Math.max(sum.firedAt, incident.heardAt);
      const position = positionOf(listed(sql, ref, incident, levels[at] ?? 0));
      if (position > (sum.worst?.position ?? '')) sum.worst = { ...partsOf(ref), position };
    }
  }
  return [...sums].map(([source, { firedAt, ...counts }]) => ({
    source,
    ...counts,
    fired_at: firedAt === 0 ? null : iso(firedAt),
  }));
}

const newSum = () => ({
  open: 0,
  unattended: 0,
  acknowledged: 0,
  silenced: 0,
  inhibited: 0,
  critical: 0,
  firedAt: 0,
  worst: null as PlacedIncident | null,
});

const isFiring = ({ incident }: Entry): boolean => !incident.isLone && incident.resolvedAt === null;

type State = 'unattended' | 'acknowledged' | 'silenced' | 'inhibited';

function stateOf(firing: readonly Entry[], { sql, config, now }: Omit<SummaryContext, 'open'>): State {
  if (firing.some(({ incident }) => incident.acknowledged !== null)) return 'acknowledged';
  if (firing.every(({ held }) => held?.why === 'inhibited')) return 'inhibited';
  const [first] = firing;
  // A known incident is looked at again only when it is due, but a silence counts from its first moment.
  if (first === undefined || config === null || config.silences.length === 0) return 'unattended';
  const locale = localeOf(placeIn(config, first.ref));
  return silencedBy(config.silences, silenceable(sql, first), locale, now) === null
    ? 'unattended'
    : 'silenced';
}

/** The number of open incidents that a condition matches, and the number of all. */
export interface Matched {
  readonly open: number;
  readonly matches: number;
  /** The first of the matched ones, by their ids. */
  readonly first: readonly string[];
}

const MAX_NAMED = 3;

/** Counts the open incidents that a silence would match. */
export function matching({ sql, open, config, now }: SummaryContext, silence: Silence): Matched {
  const first: string[] = [];
  let all = 0;
  let matches = 0;
  for (const entries of open.all()) {
    const found = [...entries].find(isFiring);
    if (found === undefined) continue;
    all += 1;
    const locale = localeOf(placeIn(config, found.ref));
    if (silencedBy([silence], silenceable(sql, found), locale, now) === null) continue;
    matches += 1;
    if (first.length < MAX_NAMED) first.push(incidentId(sql, found.ref));
  }
  return { open: all, matches, first };
}
