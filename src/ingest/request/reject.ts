import type { Source } from '../../config/compiled/config.ts';
import { isOpen } from '../../config/compiled/source-limit.ts';
import { DOCTOR_AGENT } from '../../lib/version.ts';
import { log } from '../../lib/log.ts';
import { secretValues } from '../../lib/secret.ts';
import type { Arrival } from './event.ts';
import { describeSender, senderOf } from './sender.ts';
import { countFlood, reportTo } from './flood.ts';
import type { Rejected, RejectedProblem } from './verify.ts';
import { iso } from '../../lib/iso.ts';
import type { RefusedNotice } from '../../outbox/notify/refused.ts';
import { sizeAdvice } from './size-advice.ts';
import { tellOwner } from './tell-owner.ts';

/** A flood of bad requests must not become a flood of writes: beyond this rate they are summed. */
const RECORDS_PER_SECOND = 10;
let windowStart = 0;
let recorded = 0;

/** Lets work continue after the response. */
export type Waiter = Pick<ExecutionContext, 'waitUntil'>;

/** The rejection of a request whose body was not taken, by the problem that its sender gets. */
export const rejectedBy = (problem: RejectedProblem, source: Source): Rejected => ({
  problem,
  code: problem.type,
  detail: problem.status === TOO_LARGE ? `${problem.detail} ${sizeAdvice(source)}` : problem.detail,
});

const WRONG_METHOD = 405;
const TOO_LARGE = 413;

/**
 * The refusals of bodies, which reach nobody otherwise: many senders neither repeat such a webhook nor report it. A
 * stranger's malformed body is nobody's fault.
 */
function noticeOf({ verify }: Source, { problem, code }: Rejected): RefusedNotice['kind'] | null {
  if (problem.status === TOO_LARGE) return 'webhook.too_large';
  return MALFORMED.has(code) && !isOpen(verify) ? 'webhook.malformed' : null;
}

const MALFORMED: ReadonlySet<string> = new Set(['malformed-body', 'unsupported-type']);

/** Records for the admin why a request was rejected, after the answer is out. Best effort, without the body. */
export function recordRejection(env: Env, ctx: Waiter, arrival: Arrival, rejected: Rejected): void {
  const { code, detail, problem, field } = rejected;
  // No webhook: the doctor looks whether the address leads here.
  if (problem.status === WRONG_METHOD && arrival.headers.get('user-agent') === DOCTOR_AGENT) return;
  const now = arrival.receivedAt;
  const source = arrival.source.id;
  const kind = noticeOf(arrival.source, rejected);
  if (kind !== null) tellOwner({ env, ctx }, arrival.source, { kind, source, detail }, now);
  log('warn', 'event.rejected', { source, status: problem.status, reason: code });
  if (now - windowStart >= 1_000 || now < windowStart) [windowStart, recorded] = [now, 0];
  recorded += 1;
  const entry = {
    at: iso(now),
    source,
    status: problem.status,
    code,
    detail,
    from: describeSender(senderOf(arrival, secretValues(env))),
    ...(field !== undefined && { field }),
  };
  if (recorded > RECORDS_PER_SECOND) return countFlood(entry, { env, ctx }, now);
  reportTo(env, ctx, (reports) => reports.recordRejection(entry));
}
