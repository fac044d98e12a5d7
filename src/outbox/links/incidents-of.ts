import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { titleOf } from '../../render/built-in-text.ts';
import { NAMED } from '../../render/incident-words.ts';
import type { IncidentParts, IncidentRef, Says } from '../incidents/entries.ts';
import { isEnd, type Incident, spanOf } from '../incidents/incident.ts';
import { incidentId, placeOf, readContent } from '../incidents/store.ts';
import { escalationOf } from '../incidents/escalation.ts';
import { rankOf, stateOf } from '../read/list-incidents.ts';
import type { ReadContext } from '../read/read.ts';
import type { About } from '../state/acceptance.ts';
import type { MessageRow } from '../state/message.ts';
import type { IncidentState } from '../state/states.ts';

/** An incident in the form that the holder of a link to it needs. Times are ISO 8601. */
export interface LinkedIncident {
  readonly id: string;
  readonly key: string;
  /** Empty if a text to those who were notified only counts it. */
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

/** An incident's place, whatever its key is. */
type Place = Pick<IncidentRef, 'source' | 'route'>;

/**
 * Returns the incidents with these keys that are known. Of each receiver's row only the state is read; an item, which
 * may be large, only where a text names it.
 */
export function linkedIncidents(
  context: ReadContext,
  { source, route }: Place,
  keys: Iterable<string>,
): readonly LinkedIncident[] {
  const named = new Map<string, number>();
  const linked: LinkedIncident[] = [];
  for (const key of keys) {
    const rows = statesOf(context, { source, route, key });
    const [newest] = rows;
    if (newest === undefined) continue;
    const { resolvedAt, acknowledged, lost } = newest.incident;
    const { to } = spanOf(newest.incident);
    const notified = rows.flatMap(({ phone, incident, believed }) =>
      phone === '' || incident.resolvedAt !== null || believed === 'closed' ? [] : [phone],
    );
    const isNamed = notified.some((phone) => (named.get(phone) ?? 0) < NAMED);
    for (const phone of notified) named.set(phone, (named.get(phone) ?? 0) + 1);
    linked.push({
      id: incidentId(context.sql, { source, route, key }),
      key,
      title: isNamed ? titleIn(context, { source, route, key, phone: newest.phone }) : '',
      state: stateOf({ isOpen: resolvedAt === null, isAcknowledged: acknowledged !== null, lost }),
      startedAt: iso(Math.max(...rows.map(({ incident }) => incident.openedAt))),
      askedFrom: Math.max(...rows.map(({ incident }) => escalationOf(incident).from)),
      acknowledged: acknowledged && { by: acknowledged.by, at: iso(acknowledged.at) },
      resolvedAt: to === null ? null : iso(to),
      notified,
    });
  }
  return linked;
}

/** An incident of each of its receivers, the newest first. `believed`: what the receiver may know now. */
function statesOf({ sql, open }: ReadContext, of: IncidentParts) {
  return sql
    .exec<{ phone: string; state: string }>(
      `SELECT phone, state FROM incidents WHERE id = ? AND state ->> 'isLone' = 0
         ORDER BY ${rankOf('incidents')} DESC LIMIT ${MAX_RECEIVERS}`,
      incidentId(sql, of),
    )
    .toArray()
    .map(({ phone, state }) => {
      const incident = parseOwnJson<Incident>(state);
      const { believed } = open?.get({ ...of, phone })?.incident ?? incident;
      return { phone, incident, believed };
    });
}

function titleIn({ sql }: ReadContext, ref: IncidentRef): string {
  const { event, value } = readContent(sql, ref);
  return titleOf({ item: value, key: ref.key, event });
}

/**
 * Returns the incidents that a message shows as open, including those without news that its receiver already knew of.
 */
export function incidentsOf(context: ReadContext, row: MessageRow): readonly LinkedIncident[] {
  const { source, route, says, about } = row;
  if (says === null || source === null || route === null) return [];
  // A message about who has the incidents has no links.
  const { incidents = [], also = [] } = parseOwnJson<Partial<Says>>(says);
  const named = parseOwnJson<About | null>(about ?? 'null')?.incidents ?? [];
  // Only so many are named: what is news is in its statements, too.
  const keys = new Set([
    ...named.flatMap((id) => placeOf(context.sql, id)?.key ?? []),
    ...also,
    ...incidents.map(([key]) => key),
  ]);
  for (const [key, statement] of incidents) if (isEnd(statement)) keys.delete(key);
  return linkedIncidents(context, { source, route }, keys);
}
