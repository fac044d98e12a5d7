import { parseOwnJson } from '../../lib/json.ts';
import { messageId } from '../state/message.ts';
import { ONLY_COUNTED, OUTDATED, RESOLVES_NOTHING, type ItemReference } from './arrivals.ts';
import type { ItemView } from '../answers/api-incident.ts';
import { idOfName, incidentId } from './incident-id.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { outcomeIn, runOf, type OutcomeRun } from './outcomes.ts';
import { readIncident } from './store.ts';

interface ItemViewContext {
  readonly sql: SqlStorage;
  readonly tag: string;
  readonly open?: Pick<OpenIncidents, 'waitOf'>;
}

/** An event's items. `json`: as its row has them. */
export function itemViews(
  { sql, tag, open }: ItemViewContext,
  event: { readonly id: string; readonly source: string; readonly items: string },
): readonly ItemView[] {
  return parseOwnJson<readonly ItemReference[]>(event.items).map(([route, index, key, phone, n, silence]) => {
    const { source } = event;
    const about = {
      route,
      index,
      ...(phone !== null && { phone }),
      ...(key !== null && { key, incident: incidentId(sql, { source, route, key }) }),
    };
    if (silence !== undefined) return { ...about, outcome: 'silenced', silence };
    if (n === RESOLVES_NOTHING) return { ...about, outcome: 'resolved' };
    if (n === ONLY_COUNTED) return { ...about, outcome: 'summarized' };
    if (n === OUTDATED) return { ...about, outcome: 'outdated' };
    const ref = { source, route, key: key ?? `${event.id}:${index}`, phone: phone ?? '' };
    const incident = readIncident(sql, ref);
    const run = incident === null ? null : runOf(incident, n);
    const waits = run === null ? open?.waitOf(ref) : null;
    return { ...about, ...outcomeView(sql, run, n, tag), ...(waits && { waits }) };
  });
}

function outcomeView(
  sql: SqlStorage,
  run: OutcomeRun | null,
  n: number,
  tag: string,
): Pick<ItemView, 'outcome' | 'message' | 'silence' | 'incident'> {
  const outcome = outcomeIn(run, n);
  if (run === null) return { outcome };
  return {
    outcome,
    ...(run.seq !== undefined && { message: messageId(run.seq, tag) }),
    ...(run.outcome === 'silenced' && { silence: run.by ?? '' }),
    ...(run.outcome === 'inhibited' && { incident: idOfName(sql, run.by ?? '') }),
  };
}
