import type { LoadedConfig } from '../config/compiled/config.ts';
import { parseOwnJson } from '../lib/json.ts';
import { log } from '../lib/log.ts';
import { personName } from '../lib/person-name.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { nameOf, type IncidentParts } from './incidents/entries.ts';
import { rulesOf } from './incidents/rules.ts';
import { incidentId, placeOf } from './incidents/store.ts';
import { whoHasMessages } from './incidents/who-has.ts';
import { linkedIncidents } from './links/read-link.ts';
import type { OutboxParts } from './parts.ts';
import type { IncidentChange } from './state/acceptance.ts';
import { ofEventSql } from './state/event.ts';
import {
  byUnhappyIndex,
  WAITING_SQL,
  FORGOTTEN,
  messageRow,
  type MessageRow,
  type Operation,
} from './state/message.ts';
import * as states from '../schema/states.ts';

/** A person's action on a message; `by`: the person who asked. The error says why this is not possible. */
export type Act = (parts: OutboxParts, row: MessageRow, by: string) => Result<null, string>;

/** A row ends at 2 MB, and a new schedule's attempts are added to it. */
const MAX_RECORD_CHARACTERS = 200_000;

export const retryMessage: Act = ({ claims, messages, clock }, row, by) => {
  if (claims.flight.has(row.seq)) return err('is being sent right now');
  if (row.state === 'queued') return err('is already queued: it will be sent without a retry');
  if (!states.isRetryable(row.state))
    return err(`is ${row.state} already; replay its event to send it again`);
  if (row.params === FORGOTTEN)
    return err('cannot be sent again: its source stores no payloads, so its parameters are gone');
  if (row.attempts.length + row.actions.length > MAX_RECORD_CHARACTERS)
    return err('has too many attempts already; replay its event to send it again');
  const actions = withAction(row, { action: 'retry', by, at: clock() });
  messages.change(() =>
    messages.waitsAgain(row, { reason: null, expires_at: null, tries: 0, refusals: 0, actions }),
  );
  return ok(null);
};

export const cancelMessage: Act = ({ claims, messages, clock }, row, by) => {
  if (claims.flight.has(row.seq)) return err('is being sent right now');
  if (!states.isCancellable(row.state)) return err(`is ${row.state} already`);
  const actions = withAction(row, { action: 'cancel', by, at: clock() });
  messages.end(row, { state: 'cancelled', reason: { code: 'cancelled', params: { by } }, by, actions });
  return ok(null);
};

const withAction = ({ actions }: MessageRow, operation: Operation): string =>
  JSON.stringify([...parseOwnJson<readonly Operation[]>(actions), operation]);

/** Messages that one step changes, and that one examines for a cancellation: some 20 ms. Other calls are served between. */
const BULK = 1_000;
const LOOKED = 5_000;

/** The messages that an action covers; an absent field matches all. `since` (ms): accepted at this time or later. */
interface Filter {
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  readonly phone?: string | undefined;
  readonly since?: number | undefined;
}

export type BulkFilter = Filter & { readonly state: states.RetryableState };

export type CancelFilter = Filter & { readonly state?: states.WaitingState | undefined };

/** For WHERE: the filter, with {@link valuesOf}; and what comes after a message, without values to bind. */
const MATCHES = `(?1 IS NULL OR state = ?1) AND (?2 IS NULL OR source = ?2) AND (?3 IS NULL OR phone = ?3)
  AND (?4 IS NULL OR created_at >= ?4)`;
const valuesOf = ({ state, source, phone, since }: BulkFilter | CancelFilter) =>
  [state ?? null, source ?? null, phone ?? null, since ?? null] as const;
const behind = (after: number, { event }: Filter): string =>
  `seq > ${Math.trunc(after)}${event === undefined ? '' : ` AND seq IN ${ofEventSql(event)}`}`;

/** The beginning of a step: after the message with this number. `isDryRun`: only counts, and writes nothing. */
export interface BulkFrom {
  readonly after: number;
  readonly isDryRun: boolean;
}

/** One step of a bulk retry. `next`: after which message the next step continues; null at the end. */
export interface BulkStep {
  readonly retried: number;
  /** The receivers; only for a dry run. */
  readonly phones?: readonly string[];
  readonly next: number | null;
}

/** Oldest first, by position: one that fails again at once is not retried before the others had their turn. */
export function retryMessages(
  parts: OutboxParts,
  filter: BulkFilter,
  by: string,
  { after, isDryRun }: BulkFrom,
): BulkStep {
  const rows = parts.sql
    .exec<{ seq: number; phone: string | null }>(
      `SELECT seq, phone FROM messages WHERE ${byUnhappyIndex('?1')} AND ${behind(after, filter)} AND ${MATCHES}
         AND params <> '${FORGOTTEN}' ORDER BY seq LIMIT ${BULK}`,
      ...valuesOf(filter),
    )
    .toArray();
  const next = rows.length < BULK ? null : (rows.at(-1)?.seq ?? null);
  if (!isDryRun) return { retried: eachMessage(parts, rows, retryMessage, by), next };
  const counted = rows.filter(({ seq }) => !parts.claims.flight.has(seq));
  return { retried: counted.length, phones: counted.flatMap(({ phone }) => phone ?? []), next };
}

export interface CancelStep {
  readonly cancelled: number;
  /** The number of messages that are left because their calls are under way and cannot be stopped. */
  readonly inFlight: number;
  readonly looked: number;
  readonly next: number | null;
}

export function cancelMessages(
  parts: OutboxParts,
  filter: CancelFilter,
  by: string,
  { after, isDryRun }: BulkFrom,
): CancelStep {
  const seen = parts.sql
    .exec<{ seq: number; matches: number | null }>(
      `SELECT seq, state IN ${WAITING_SQL} AND ${MATCHES} AS matches FROM messages
         WHERE ${behind(after, filter)} ORDER BY seq LIMIT ${LOOKED}`,
      ...valuesOf(filter),
    )
    .toArray();
  const rows = seen.filter(({ matches }) => matches === 1).slice(0, BULK);
  const inFlight = rows.filter(({ seq }) => parts.claims.flight.has(seq)).length;
  const cancelled = isDryRun ? rows.length - inFlight : eachMessage(parts, rows, cancelMessage, by);
  const last = rows.length < BULK ? seen.at(-1) : rows.at(-1);
  const isEnd = last === undefined || (rows.length < BULK && seen.length < LOOKED);
  const looked = last === undefined ? 0 : seen.indexOf(last) + 1;
  return { cancelled, inFlight, looked, next: isEnd ? null : last.seq };
}

/** Acts on one message after the other, since rows can be large, and returns the number that were not refused. */
const eachMessage = (parts: OutboxParts, rows: readonly { readonly seq: number }[], act: Act, by: string) =>
  rows.filter(({ seq }) => {
    const row = messageRow(parts, seq);
    return row !== null && act(parts, row, by).ok;
  }).length;

export interface Changed {
  readonly names: readonly IncidentParts[];
  readonly by: string;
  readonly isDryRun: boolean;
}

/** Returns for each whether it was open here; null: not known here. Who was notified of several gets one message. */
export function changeIncidents(
  parts: OutboxParts,
  change: IncidentChange['change'],
  { names, by, isDryRun }: Changed,
  config: LoadedConfig,
): readonly (boolean | null)[] {
  const { account, incidents, loop, sql } = parts;
  const found = names.map((name) => ({ name, before: incidents.open.openOne(nameOf(name)) }));
  const open = found.filter(({ before }) => before !== null);
  const news = open
    .filter(({ before }) => change === 'acknowledged' && before?.acknowledged === null)
    .map(({ name }) => name);
  const apply = (): void => {
    for (const { name } of open) {
      incidents.change(name, change, by);
      const { source, route } = name;
      const incident = incidentId(sql, name);
      log('info', `incident.${change}`, { incident, source, route, account: account(), by });
    }
    const byRoute = Map.groupBy(news, ({ source, route }) => `${source}/${route}`);
    for (const some of byRoute.values()) notifyOthers(parts, config, some, by);
  };
  if (!isDryRun && open.length > 0) loop.now(apply);
  const isKnown = (name: IncidentParts): boolean => placeOf(sql, incidentId(sql, name)) !== null;
  return found.map(({ name, before }) => before !== null || (isKnown(name) ? false : null));
}

/** Notifies everybody who was, or may have been, notified of incidents of a route that somebody has them. */
function notifyOthers(
  { clock, messages, read }: OutboxParts,
  config: LoadedConfig,
  names: readonly IncidentParts[],
  by: string,
): void {
  const [first] = names;
  if (first === undefined) return;
  const { source, route } = first;
  const rules = rulesOf(config, { source, route, phone: '' }, clock());
  const keys = names.map(({ key }) => key);
  const drafts = whoHasMessages(linkedIncidents(read(), first, keys), {
    route,
    who: personName(by),
    isBack: false,
    locale: rules.locale.locale,
    maxLength: rules.route?.maxLength,
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
  });
  if (drafts.length === 0) return;
  const isOpen = rules.source?.isOpen;
  const origin = { event: null, source, since: clock(), configVersion: config.version, isOpen };
  messages.queue({ drafts, origin });
}
