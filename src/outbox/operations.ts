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
  const { sql, tag } = parts;
  const seq = messageSeq(id, tag);
  const row = seq === null ? null : messageRow({ sql }, seq);
  if (row === null) return null;
  const act = action === 'retry' ? retryMessage : cancelMessage;
  return parts.loop.now(() => {
    const context = contextOf(parts, by);
    const done = context.change(() => act(context, row));
    if (done.ok) changed(parts);
    return { refusal: done.ok ? null : done.error };
  });
}

/**
 * Retries a bounded number of messages numbered above `after`, or only counts them; the answer says where the next call
 * continues.
 */
export function retryMany(parts: OutboxParts, filter: BulkFilter, by: string, from: BulkFrom): BulkStep {
  const retry = (): BulkStep => retryMessages(contextOf(parts, by), filter, from);
  if (from.isDryRun) return retry();
  return parts.loop.now(() => {
    const done = retry();
    changed(parts);
    return done;
  });
}

/** Cancels a bounded number of waiting messages, or only counts them; see {@link cancelMessages}. */
export function cancelMany(parts: OutboxParts, filter: CancelFilter, by: string, from: BulkFrom): CancelStep {
  const cancel = (): CancelStep => cancelMessages(contextOf(parts, by), filter, from);
  if (from.isDryRun) return cancel();
  return parts.loop.now(() => {
    const done = cancel();
    changed(parts);
    return done;
  });
}

const contextOf = ({ claims, clock, messages, sql }: OutboxParts, by: string): OperateContext => ({
  sql,
  now: clock(),
  by,
  isSending: (seq) => claims.flight.has(seq),
  change: (work) => messages.change(work),
  end: (row, end) => messages.end(row, end),
  waitsAgain: (row) => messages.waitsAgain(row),
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
