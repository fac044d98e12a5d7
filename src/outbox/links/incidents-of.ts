import { iso } from '../../lib/iso.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { titleOf } from '../../render/built-in-text.ts';
import type { Says } from '../incidents/entries.ts';
import type { Statement } from '../incidents/incident.ts';
import { incidentId } from '../incidents/incident-id.ts';
import { readContent } from '../incidents/store.ts';
import { readIncidents } from '../read/incidents.ts';
import type { ReadContext } from '../read/read.ts';
import type { About } from '../state/acceptance.ts';
import type { MessageRow } from '../state/message.ts';
import { goesOn, type IncidentState } from '../state/states.ts';

/** An incident in the form that the holder of a link to it needs. Times are ISO 8601. */
export interface LinkedIncident {
  readonly id: string;
  readonly title: string;
  readonly state: IncidentState;
  /**
   * The last time that it opened for any receiver. It is the same, whichever receiver was notified of its resolution.
   */
  readonly startedAt: string;
  /** Changes when receivers are asked again who has it. */
  readonly askedFrom: number;
  readonly acknowledged: { readonly by: string; readonly at: string } | null;
  readonly resolvedAt: string | null;
  /** The receivers with a number who were, or may have been, notified that it is open. */
  readonly notified: readonly string[];
}

const MAX_RECEIVERS = 1_000;

/** Returns the incidents with these ids that are known. */
export function linkedIncidents(context: ReadContext, ids: readonly string[]): readonly LinkedIncident[] {
  return ids.flatMap((id): LinkedIncident[] => {
    const views = readIncidents(context, [id], { limit: MAX_RECEIVERS, isWhole: false });
    const [newest] = views;
    if (newest === undefined) return [];
    const { source, route, key, state, acknowledged_at, acknowledged_by, resolved_at } = newest.incident;
    const ref = { source, route, key, phone: newest.receiver.phone ?? '' };
    const { event, value } = readContent(context.sql, ref);
    return [
      {
        id,
        title: titleOf({ item: value, key, event }),
        state,
        startedAt: iso(Math.max(...views.map(({ openedAt }) => openedAt))),
        askedFrom: Math.max(...views.map(({ countedFrom }) => countedFrom)),
        acknowledged:
          acknowledged_by === undefined || acknowledged_at === undefined
            ? null
            : { by: acknowledged_by, at: acknowledged_at },
        resolvedAt: resolved_at ?? null,
        notified: views.flatMap(({ incident, mayKnow, receiver: { phone } }) =>
          phone === null || !mayKnow || !goesOn(incident.state) ? [] : [phone],
        ),
      },
    ];
  });
}

/**
 * Returns the incidents that a message shows as open, including those without news that its receiver already knew of.
 */
export function incidentsOf(context: ReadContext, row: MessageRow): readonly LinkedIncident[] {
  const { source, route, says, about } = row;
  if (says === null || source === null || route === null) return [];
  // A message about who has the incidents has no links.
  const { incidents = [] } = parseOwnJson<Partial<Says>>(says);
  const idsOf = (wanted: Statement): readonly string[] =>
    incidents.flatMap(([key, statement]) =>
      statement === wanted ? [incidentId({ source, route, key })] : [],
    );
  const named = parseOwnJson<About | null>(about ?? 'null')?.incidents ?? [];
  // An incident that flaps, and is resolved at the moment, is named only if that is news.
  const ids = new Set([...named, ...idsOf('open')]);
  for (const id of idsOf('resolved')) ids.delete(id);
  for (const id of idsOf('unwatched')) ids.delete(id);
  // As many as its row has statements.
  return linkedIncidents(context, [...ids]);
}
