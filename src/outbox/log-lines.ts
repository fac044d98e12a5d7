import { log } from '../lib/log.ts';
import type { RecordedAttempt } from './send/decide.ts';
import type { Heartbeat } from './notify/heartbeat.ts';
import { messageId, type End, type MessageRow } from './state/message.ts';
import type { Notification, NotifiedStatus } from './notify/notification.ts';
import type { StorageChange, StorageLevel } from './storage/disk.ts';

/** The outbox that a line is about: its account, and the tag of its messages' ids. */
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

/** One line for a change of the account's status. */
export function logAccountStatus(
  kind: Notification['kind'],
  after: NotifiedStatus,
  { account }: LogOrigin,
): void {
  const about = { account };
  const { pause, circuit } = after;
  if (kind === 'account.paused')
    log('error', kind, { ...about, ...(pause !== null && { by: pause.by, detail: pause.reason }) });
  else if (kind === 'circuit.opened') log('error', kind, { ...about, failures: circuit.failures });
  else if (kind === 'account.resumed' || kind === 'circuit.closed') log('info', kind, about);
}

/** One line for an outbox that is nearly full, full, or no longer either. */
export function logStorage(kind: StorageChange, level: StorageLevel, { account }: LogOrigin): void {
  const { bytes, maxBytes } = level;
  log(kind === 'storage.full' ? 'error' : 'warn', kind, { account, bytes, max_bytes: maxBytes });
}

/** One line for a source that became silent, or is back. */
export function logHeartbeat(
  kind: Notification['kind'],
  { source, expectedMs }: Heartbeat,
  silentMs: number,
  { account }: LogOrigin,
): void {
  if (kind === 'source.back') log('info', kind, { source, account });
  else log('error', 'source.silent', { source, account, expected_ms: expectedMs, silent_ms: silentMs });
}
