import { logMessage } from './log-lines.ts';
import { cancelMessages, type CancelFilter, type CancelStep } from './operate/cancel-many.ts';
import {
  cancelMessage,
  retryMessage,
  retryMessages,
  type BulkFilter,
  type BulkFrom,
  type BulkStep,
  type OperateContext,
} from './operate/operate.ts';
import type { OutboxParts } from './parts.ts';
import { watchMessage } from './state/handings.ts';
import { messageRow, messageSeq } from './state/message.ts';
import type { Pause } from './state/meta.ts';

/** The result of a person's action. `refusal`: the reason why nothing was done; null if it was done. */
export interface Operated {
  readonly refusal: string | null;
}

/**
 * Carries out a person's action on a message that is dead or waits: retries it, or takes it out of delivery. Null if
 * there is no such message.
 */
export function operate(
  parts: OutboxParts,
  action: 'retry' | 'cancel',
  id: string,
  by: string,
): Operated | null {
  const { loop, sql, tag } = parts;
  const seq = messageSeq(id, tag);
  const row = seq === null ? null : messageRow({ sql }, seq);
  if (row === null) return null;
  const change = (action === 'retry' ? retryIn : cancelIn)(parts);
  return loop.now(() => {
    const done = change(contextOf(parts, by), row);
    if (!done.ok) return { refusal: done.error };
    // The row does not show the last attempt's state any more, so a restart could not count it from the row.
    parts.claims.counters.keepNow();
    changed(parts);
    return { refusal: null };
  });
}

/**
 * Retries a bounded number of messages numbered above `after`, or only counts them; the answer says where the next call
 * continues.
 */
export function retryMany(parts: OutboxParts, filter: BulkFilter, by: string, from: BulkFrom): BulkStep {
  const retry = (): BulkStep => retryMessages(contextOf(parts, by), filter, from, retryIn(parts));
  if (from.isDryRun) return retry();
  return parts.loop.now(() => {
    const done = retry();
    if (done.retried > 0) parts.claims.counters.keepNow();
    changed(parts);
    return done;
  });
}

/** Cancels a bounded number of waiting messages, or only counts them; see {@link cancelMessages}. */
export function cancelMany(parts: OutboxParts, filter: CancelFilter, by: string, from: BulkFrom): CancelStep {
  const cancel = (): CancelStep => cancelMessages(contextOf(parts, by), filter, from, cancelIn(parts));
  if (from.isDryRun) return cancel();
  return parts.loop.now(() => {
    const done = cancel();
    changed(parts);
    return done;
  });
}

const retryIn =
  ({ escapes, sql, storage, tail }: OutboxParts): typeof retryMessage =>
  (context, row) => {
    const again = { ...row, next_at: context.now };
    const done = storage.transactionSync(() => {
      const result = retryMessage(context, row);
      if (!result.ok) return result;
      escapes.watch([again]);
      watchMessage(sql, again, context.now);
      return result;
    });
    if (done.ok) tail.changed(row, 'queued');
    return done;
  };

/** Cancels in the rows; memory follows once that is written. */
const cancelIn =
  ({ claims, origin, others, storage, tail }: OutboxParts): typeof cancelMessage =>
  (context, row) => {
    const done = storage.transactionSync(() => {
      const result = cancelMessage(context, row);
      if (result.ok) others.ended(row, 'cancelled', null);
      return result;
    });
    if (!done.ok) return done;
    // Otherwise it would use memory, and the alarm would look for it, as long as its account cannot send.
    claims.queue.turns.remove(row);
    claims.counters.reached(row.source, 'cancelled', context.now);
    logMessage('message.cancelled', row, origin(), { by: context.by });
    tail.changed(row, 'cancelled');
    return done;
  };

const contextOf = ({ claims, clock, sql }: OutboxParts, by: string): OperateContext => ({
  sql,
  now: clock(),
  by,
  isSending: (seq) => claims.flight.has(seq),
});

const changed = ({ claims, clock }: OutboxParts): void => claims.queue.changed(clock());

/** Holds back all messages of an account until {@link resumeAccount}. `by`: who asked. */
export function pauseAccount(parts: OutboxParts, by: string, reason: string): void {
  changePause(parts, { at: parts.clock(), by, reason });
}

/** Ends any pause, and lets an open circuit probe at once. */
export function resumeAccount(parts: OutboxParts): void {
  const { claims, clock, loop, meta } = parts;
  loop.now(() => {
    if (meta.circuit.probeAt !== null) meta.circuit = { ...meta.circuit, probeAt: clock() };
    changePause(parts, null);
    claims.queue.changed(clock());
  });
}

function changePause({ meta, owner }: OutboxParts, pause: Pause | null): void {
  const before = { pause: meta.pause, circuit: meta.circuit };
  meta.pause = pause;
  // After a pause, 403s are counted from the first again.
  meta.forbidden = null;
  owner.paused(before);
}
