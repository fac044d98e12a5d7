import { parseOwnJson } from '../../lib/own-json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { ofEventSql } from '../state/event-messages.ts';
import { FORGOTTEN, type End, type MessageRow } from '../state/message.ts';
import { byUnhappyIndex, isCancellable, isRetryable, type RetryableState } from '../state/states.ts';

/** A person's action on a message: `by` is the person who asked (`token`, or an Access identity), `at` in ms. */
export interface Operation {
  readonly action: 'retry' | 'cancel';
  readonly by: string;
  readonly at: number;
}

/** The parts of its outbox that an action needs. */
export interface OperateContext {
  readonly sql: SqlStorage;
  readonly now: number;
  readonly by: string;
  /** True if the message's call is under way and cannot be stopped. */
  readonly isSending: (seq: number) => boolean;
  /** Makes a change in one transaction. */
  readonly change: <Done>(work: () => Done) => Done;
  /** Ends a message. */
  readonly end: (row: MessageRow, end: End) => void;
  /** A message waits again; its row is written. */
  readonly waitsAgain: (row: MessageRow) => void;
}

/**
 * The maximum number of messages that one step of a bulk retry queues. The caller calls again while there are more.
 */
const BULK = 1_000;

/**
 * A row ends at 2 MB, and a new schedule's attempts are added to it. A message with a longer record has to be replayed.
 */
const MAX_RECORD_CHARACTERS = 200_000;

/**
 * Queues another attempt at the same message, at once and with a new schedule. The error says why this is not possible.
 */
export function retryMessage(context: OperateContext, row: MessageRow): Result<null, string> {
  if (context.isSending(row.seq)) return err('is being sent right now');
  if (row.state === 'queued') return err('is already queued: it will be sent without a retry');
  if (!isRetryable(row.state)) return err(`is ${row.state} already; replay its event to send it again`);
  if (row.params === FORGOTTEN)
    return err('cannot be sent again: its source stores no payloads, so its parameters are gone');
  if (row.attempts.length + row.actions.length > MAX_RECORD_CHARACTERS)
    return err('has too many attempts already; replay its event to send it again');
  context.sql.exec(
    `UPDATE messages SET state = 'queued', reason = NULL, next_at = ?, expires_at = NULL, tries = 0, refusals = 0,
       actions = ? WHERE seq = ?`,
    context.now,
    withAction(context, row, 'retry'),
    row.seq,
  );
  context.waitsAgain({ ...row, next_at: context.now });
  return ok(null);
}

/** Takes a message out of delivery. The error says why this is not possible. */
export function cancelMessage(context: OperateContext, row: MessageRow): Result<null, string> {
  if (context.isSending(row.seq)) return err('is being sent right now');
  if (!isCancellable(row.state)) return err(`is ${row.state} already`);
  const { by } = context;
  const actions = withAction(context, row, 'cancel');
  context.end(row, { state: 'cancelled', reason: `cancelled by ${by}`, by, actions });
  return ok(null);
}

/** The messages that a bulk retry covers. `since` (ms): accepted at this time or later. */
export interface BulkFilter {
  readonly state: RetryableState;
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  readonly phone?: string | undefined;
  readonly since?: number | undefined;
}

/** The beginning of a step: after the message with this number. `isDryRun`: only counts, and writes nothing. */
export interface BulkFrom {
  readonly after: number;
  readonly isDryRun: boolean;
}

/**
 * The result of one step of a bulk retry. `next`: the message number after which the next step continues; null at the
 * end.
 */
export interface BulkStep {
  readonly retried: number;
  /** The receivers; only for a dry run. */
  readonly phones?: readonly string[];
  readonly next: number | null;
}

/**
 * Retries up to a thousand messages numbered above `after`, oldest first, or only counts them. The position makes sure
 * that a message that fails again at once is not retried again before the others had their turn.
 */
export function retryMessages(
  context: OperateContext,
  filter: BulkFilter,
  { after, isDryRun }: BulkFrom,
): BulkStep {
  const rows = context.sql
    .exec<{ seq: number; phone: string | null }>(
      `SELECT seq, phone FROM messages WHERE ${byUnhappyIndex('?1')} AND (?2 IS NULL OR source = ?2)
         AND (?3 IS NULL OR created_at >= ?3) AND seq > ?4 AND (?5 IS NULL OR phone = ?5) AND params <> '${FORGOTTEN}'
         ${filter.event === undefined ? '' : `AND seq IN ${ofEventSql(filter.event)}`} ORDER BY seq LIMIT ${BULK}`,
      filter.state,
      filter.source ?? null,
      filter.since ?? null,
      after,
      filter.phone ?? null,
    )
    .toArray();
  const next = rows.length < BULK ? null : (rows.at(-1)?.seq ?? null);
  if (!isDryRun) return { retried: eachMessage(context, rows, retryMessage), next };
  const counted = rows.filter(({ seq }) => !context.isSending(seq));
  return { retried: counted.length, phones: counted.flatMap(({ phone }) => phone ?? []), next };
}

/** Acts on one message after the other, since rows can be large, and returns the number that were not refused. */
export function eachMessage(
  context: OperateContext,
  rows: readonly { readonly seq: number }[],
  act: typeof retryMessage,
): number {
  let done = 0;
  for (const { seq } of rows) {
    const [row] = context.sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).toArray();
    if (row !== undefined && context.change(() => act(context, row)).ok) done += 1;
  }
  return done;
}

const withAction = (
  { by, now }: OperateContext,
  { actions }: MessageRow,
  action: Operation['action'],
): string => JSON.stringify([...parseOwnJson<readonly Operation[]>(actions), { action, by, at: now }]);
