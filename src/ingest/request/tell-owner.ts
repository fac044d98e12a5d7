import type { Source } from '../../config/compiled/config.ts';
import { describeError, log } from '../../lib/log.ts';
import { MINUTE } from '../../lib/duration.ts';
import type { RefusedNotice } from '../../outbox/notify/refused.ts';
import type { FloodContext } from './flood.ts';

/** An outbox is called once in this time (ms) for each source and kind, however many webhooks are refused. */
const TOLD_EACH_MS = MINUTE;

/** The time until which an outbox is not called again (ms), by kind, source and account. */
const told = new Map<string, number>();

/** Has the owner of the source's account notified that a webhook was refused. The outbox does so once an hour. */
export function tellOwner(
  { env, ctx }: FloodContext,
  { account }: Source,
  notice: RefusedNotice,
  now: number,
): void {
  const key = `${notice.kind} ${notice.source} ${account}`;
  const until = told.get(key) ?? 0;
  // The clock may have been set back.
  if (now < until && until - now <= TOLD_EACH_MS) return;
  for (const [one, end] of told) if (end <= now) told.delete(one);
  told.set(key, now + TOLD_EACH_MS);
  ctx.waitUntil(
    env.OUTBOX.getByName(account)
      .refused(notice)
      .catch((thrown: unknown) => {
        told.delete(key);
        log('error', 'owner.notice.failed', { error: describeError(thrown) });
      }),
  );
}
