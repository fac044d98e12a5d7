import { registry } from '../../config/registry-client.ts';
import { describeError, log } from '../../lib/log.ts';
import { secretValues } from '../../lib/secret.ts';
import type { Arrival } from './event.ts';
import { describeSender, senderOf } from './sender.ts';
import { countFlood } from './flood.ts';
import type { Rejected } from './verify.ts';
import { iso } from '../../lib/iso.ts';

/** A flood of bad requests must not become a flood of writes: beyond this rate they are summed. */
const RECORDS_PER_SECOND = 10;
let windowStart = 0;
let recorded = 0;

/** Lets work continue after the response. */
export type Waiter = Pick<ExecutionContext, 'waitUntil'>;

/** Records for the admin why a request was rejected, after the answer is out. Best effort, without the body. */
export function recordRejection(env: Env, ctx: Waiter, arrival: Arrival, rejected: Rejected): void {
  const { reason, detail, problem } = rejected;
  const now = arrival.receivedAt;
  const source = arrival.source.id;
  log('warn', 'event.rejected', { source, status: problem.status, reason });
  if (now - windowStart >= 1_000 || now < windowStart) [windowStart, recorded] = [now, 0];
  recorded += 1;
  const entry = {
    at: iso(now),
    source,
    status: problem.status,
    reason,
    detail,
    from: describeSender(senderOf(arrival, secretValues(env))),
  };
  if (recorded > RECORDS_PER_SECOND) return countFlood(entry, { env, ctx }, now);
  ctx.waitUntil(
    registry(env)
      .recordRejection(entry)
      .catch((thrown: unknown) => log('error', 'rejection.record.failed', { error: describeError(thrown) })),
  );
}
