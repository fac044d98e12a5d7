import { namesOf } from '../../config/compile/escalation.ts';
import type { EscalationStep } from '../../config/compiled/config.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { CRITICAL } from '../../lib/severity.ts';
import type { IncidentParts } from '../incidents/entries.ts';
import { idOfName, incidentId } from '../incidents/incident-id.ts';
import { escalationOf, nextStep } from '../incidents/escalation.ts';
import { pendingOf, type Incident } from '../incidents/incident.ts';
import { spanOf } from '../incidents/told.ts';
import { messageId } from '../state/message.ts';
import type { ItemOutcome } from '../state/states.ts';
import type {
  IncidentAnswer,
  IncidentNotification,
  IncidentReceiver,
  IncidentStep,
} from '../answers/api-incident.ts';
import { linksOf, summaryOf } from './alert.ts';
import { silenceScopes } from './silence-scopes.ts';
import { placeIn } from '../incidents/rules.ts';
import { levelOf, severityOf } from './severity.ts';
import { titleOf } from './title.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { positionOf, stateOf, rankOf, type Listed } from './list-incidents.ts';
import { readMessage, type ReadContext } from './read.ts';
import { iso } from '../../lib/time.ts';

/** An incident of one receiver, and its place in the list. Times are ISO 8601. */
export interface IncidentView {
  readonly position: string;
  /** The time when it opened (ms): unlike `started_at`, another one each time. */
  readonly openedAt: number;
  /** The time from which its steps are counted (ms); it changes after somebody had the incident. */
  readonly countedFrom: number;
  /**
   * True if its receiver may have read that it is open, such as while a call is under way or after the gateway's answer
   * was lost.
   */
  readonly mayKnow: boolean;
  readonly incident: Omit<IncidentAnswer, 'receivers'>;
  readonly receiver: IncidentReceiver;
}

interface Row extends Listed {
  phone: string;
  state: string;
  event: string;
  grouped: string | null;
  /** JSON; null if the source keeps no payloads. */
  value: string | null;
}

/** Returns these incidents, for each receiver, up to `limit` of each. `isWhole`: with their notifications. */
export function readIncidents(
  context: ReadContext,
  incidents: readonly IncidentParts[],
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): readonly IncidentView[] {
  return incidents.flatMap((incident) =>
    context.sql
      .exec<Row>(
        `SELECT id, source, route, key, phone, state, event, grouped, iif(stored = 1, value, NULL) AS value,
           ${rankOf('incidents')} AS rank FROM incidents
         WHERE id = ? AND state ->> 'isLone' = 0 ORDER BY rank DESC LIMIT ?`,
        incidentId(context.sql, incident),
        limit,
      )
      .toArray()
      .map((row) => view(context, row, isWhole)),
  );
}

function view(context: ReadContext, row: Row, isWhole: boolean): IncidentView {
  const { id, source, route, key, phone } = row;
  const { tag, account } = context;
  const event = parseOwnJson<Scope['event']>(row.event);
  const incident = parseOwnJson<Incident>(row.state);
  const { acknowledged, resolvedAt, resolvedBy, notifiedIn, notifiedAt, lost } = incident;
  const place = placeIn(context.config ?? null, row);
  const value = row.value === null ? null : parseOwnJson<unknown>(row.value);
  const title = value === null ? null : titleOf(place, value, event);
  const summary = summaryOf(value, title);
  const severity = severityOf(value);
  const ref = { source, route, key, phone };
  const held = context.open?.heldOf(ref) ?? null;
  const state = held === null ? STATES[pendingOf(incident)] : 'held';
  const waits = state === 'waiting' ? context.open?.waitOf(ref) : null;
  const { from, to } = spanOf(incident);
  return {
    position: positionOf(row),
    openedAt: incident.openedAt,
    countedFrom: escalationOf(incident).from,
    mayKnow: (context.open?.get(ref)?.incident ?? incident).believed !== 'closed',
    incident: {
      id,
      account,
      source,
      route,
      key,
      ...(title !== null && { title }),
      ...(summary !== null && { summary }),
      ...(severity !== null && { severity }),
      critical: levelOf(context.config, ref, incident) === CRITICAL,
      state: stateOf({ isOpen: resolvedAt === null, isAcknowledged: acknowledged !== null, lost }),
      started_at: iso(from),
      ...(acknowledged !== null && {
        acknowledged_at: iso(acknowledged.at),
        acknowledged_by: acknowledged.by,
      }),
      ...(to !== null && { resolved_at: iso(to) }),
      ...(resolvedAt !== null && resolvedBy !== null && { resolved_by: resolvedBy }),
      ...(resolvedAt !== null && lost !== null && { lost_at: iso(resolvedAt) }),
      heard_at: iso(incident.heardAt),
      occurrences: incident.occurrences,
      flapping: incident.flapping !== 'no',
      event: event.id,
      ...(isWhole && {
        silence_by: silenceScopes(row, row.grouped),
        links: linksOf(value),
        ...stepsOf(incident, place.route?.escalate ?? []),
      }),
    },
    receiver: {
      phone: phone === '' ? null : phone,
      state,
      ...(waits && { waits }),
      ...(notifiedIn !== null && { message: messageId(notifiedIn, tag) }),
      ...(notifiedAt !== null && { notified_at: iso(notifiedAt) }),
      ...(held !== null &&
        held.why !== 'left' &&
        (held.why === 'silenced' ? { silence: held.by } : { inhibited_by: idOfName(context.sql, held.by) })),
      items: countsOf(incident),
      ...(isWhole && { notifications: notificationsOf(context, incident) }),
    },
  };
}

function stepsOf(incident: Incident, rules: readonly EscalationStep[]) {
  const next = nextStep(incident, rules);
  return {
    // A step without receivers gave way to the next.
    steps: escalationOf(incident).taken.flatMap(({ at, step, to }): IncidentStep[] =>
      to.length === 0 ? [] : [{ at: iso(at), step, to }],
    ),
    next: next && { at: iso(next.at), step: next.step, to: namesOf(next.rule) },
  };
}

const STATES = {
  opened: 'waiting',
  flaps: 'waiting',
  resolved: 'waiting',
  unwatched: 'waiting',
  known: 'notified',
  muted: 'notified',
  nothing: 'done',
} as const;

/** Returns the number of its items with each outcome, over all its openings. */
function countsOf({ items, outcomes }: Incident): IncidentReceiver['items'] {
  const counts: Partial<Record<ItemOutcome, number>> = {};
  const add = (outcome: ItemOutcome, n: number): void => {
    if (n > 0) counts[outcome] = (counts[outcome] ?? 0) + n;
  };
  let counted = 0;
  for (const { to, outcome, about } of outcomes) {
    const named = about === undefined ? 0 : 1;
    add('notified', named);
    add(outcome, to - counted - named);
    counted = to;
  }
  add('waiting', items - counted);
  return counts;
}

function notificationsOf(
  context: ReadContext,
  { outcomes, notifiedIn }: Incident,
): readonly IncidentNotification[] {
  const messages = new Map<number, number>();
  for (const [index, { seq, to }] of outcomes.entries())
    if (seq !== undefined) messages.set(seq, to - (outcomes[index - 1]?.to ?? 0));
  if (notifiedIn !== null && !messages.has(notifiedIn)) messages.set(notifiedIn, 0);
  return [...messages].map(([seq, items]) => {
    const message = messageId(seq, context.tag);
    const found = readMessage(context, message);
    if (found === null) return { message, items };
    const { state, created_at, sent_at } = found;
    return { message, items, state, created_at, ...(sent_at !== undefined && { sent_at }) };
  });
}
