import { log } from '../lib/log.ts';
import type { RecordedAttempt } from './send/decide.ts';
import { messageId, type End, type MessageRow } from './state/message.ts';

export interface LogOrigin {
  readonly account: string;
  readonly tag: string;
}

/** One line for an attempt that changed its message's state. A refused login does not; it pauses the account. */
export function logAttempt({ row, attempt, decision, latencyMs }: RecordedAttempt, origin: LogOrigin): void {
  const { state, nextAt } = decision;
  if (state === 'queued') return;
  const { n, at, outcome, http_status: status, duration_ms } = attempt;
  const fields = {
    ...messageFields(row, origin),
    attempt: n,
    outcome,
    ...(status !== undefined && { status }),
    duration_ms,
  };
  if (state === 'sent') log('debug', 'message.sent', { ...fields, latency_ms: latencyMs });
  else if (state === 'retrying')
    log('warn', 'message.retrying', { ...fields, wait_ms: Math.max(0, nextAt - at - duration_ms) });
  else log(state === 'dead' ? 'error' : 'warn', `message.${state}`, fields);
}

/** One line for a message that ended without an attempt. */
export function logMessage(row: MessageRow, { state, by }: End, origin: LogOrigin): void {
  // A notification that is out of date, one that its receiver does not want, or one in a digest, is not missed.
  const isMissed = state === 'expired' || by !== undefined;
  log(isMissed ? 'warn' : 'info', `message.${state}`, {
    ...messageFields(row, origin),
    ...(by !== undefined && { by }),
  });
}

const messageFields = (row: MessageRow, { account, tag }: LogOrigin) => ({
  message: messageId(row.seq, tag),
  event: row.event_id,
  source: row.source,
  route: row.route,
  account,
  // The log masks it.
  phone: row.phone,
});
