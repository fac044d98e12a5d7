import { ofEventSql } from '../state/event-messages.ts';
import { WAITING_SQL, type WaitingState } from '../state/states.ts';
import { cancelMessage, eachMessage, type BulkFrom, type OperateContext } from './operate.ts';

/** The waiting messages to cancel; an absent field matches all. `since` (ms): accepted at this time or later. */
export interface CancelFilter {
  readonly state?: WaitingState | undefined;
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  readonly phone?: string | undefined;
  readonly since?: number | undefined;
}

/** The result of one step. `next`: the message number after which the next step continues; null at the end. */
export interface CancelStep {
  readonly cancelled: number;
  /** The number of messages that are left because their calls are under way and cannot be stopped. */
  readonly inFlight: number;
  /** The number of messages that were examined. */
  readonly looked: number;
  readonly next: number | null;
}

/**
 * The maximum number of messages that one step examines, and that it cancels: this takes about 20 ms. Other calls are
 * served between steps.
 */
const LOOKED = 5_000;
const BULK = 1_000;

/**
 * Cancels waiting messages numbered above `after`, oldest first. With `isDryRun` the step writes nothing and only
 * counts.
 */
export function cancelMessages(
  context: OperateContext,
  filter: CancelFilter,
  { after, isDryRun }: BulkFrom,
): CancelStep {
  const range = rangeOf(filter, after);
  const { edge, seen } = context.sql
    .exec<{ edge: number | null; seen: number }>(
      `SELECT max(seq) AS edge, count(*) AS seen FROM (SELECT seq FROM messages WHERE ${range} ORDER BY seq LIMIT ${LOOKED})`,
    )
    .one();
  if (edge === null) return { cancelled: 0, inFlight: 0, looked: 0, next: null };
  const rows = waitingIn(context, filter, `${range} AND seq <= ${edge}`);
  const left = rows.filter(({ seq }) => context.isSending(seq)).length;
  const cancelled = isDryRun ? rows.length - left : eachMessage(context, rows, cancelMessage);
  const last = rows.length < BULK ? null : (rows.at(-1)?.seq ?? null);
  return {
    cancelled,
    inFlight: left,
    looked: last === null ? seen : countTo(context, range, last),
    next: last ?? (seen < LOOKED ? null : edge),
  };
}

const waitingIn = (
  { sql }: OperateContext,
  filter: CancelFilter,
  range: string,
): readonly { readonly seq: number }[] =>
  sql
    .exec<{ seq: number }>(
      `SELECT seq FROM messages WHERE ${range} AND state IN ${WAITING_SQL}
         AND (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR source = ?2) AND (?3 IS NULL OR phone = ?3)
         AND (?4 IS NULL OR created_at >= ?4)
       ORDER BY seq LIMIT ${BULK}`,
      filter.state ?? null,
      filter.source ?? null,
      filter.phone ?? null,
      filter.since ?? null,
    )
    .toArray();

const countTo = ({ sql }: OperateContext, range: string, last: number): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM messages WHERE ${range} AND seq <= ${last}`).one().n;

/** An SQL condition, without values to bind. */
function rangeOf({ event }: CancelFilter, after: number): string {
  const behind = `seq > ${Math.trunc(after)}`;
  return event === undefined ? behind : `${behind} AND seq IN ${ofEventSql(event)}`;
}
