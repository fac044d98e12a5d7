import { registry } from '../../config/registry-client.ts';
import { describeError, log } from '../../lib/log.ts';
import type { LimitedEntry } from '../../registry/rejections.ts';
import type { RejectionEntry } from '../../registry/api-rejection.ts';

/** The parts of the request that counting needs. */
export interface FloodContext {
  readonly env: Env;
  readonly ctx: Pick<ExecutionContext, 'waitUntil'>;
}

/** A flood is reported to the registry as sums, one report at most this often (ms). */
const REPORTED_EACH_MS = 2_000;

const LEASE_MS = 2 * REPORTED_EACH_MS;

/** The rejections since the last report to the registry, by source and code. */
const unreported = new Map<string, LimitedEntry>();
/** The time until which a request is reporting them (ms). It is a time because a request may be cut off. */
let reportedUntil = 0;

/** Counts a rejection of a flood. The first is reported at once, so that it is seen; the rest is summed. */
export function countFlood(entry: RejectionEntry, { env, ctx }: FloodContext, now: number): void {
  const key = `${entry.source} ${entry.code} ${entry.field}`;
  unreported.set(key, { ...entry, times: (unreported.get(key)?.times ?? 0) + 1 });
  if (now < reportedUntil) return;
  reportedUntil = now + LEASE_MS;
  reportTo(env, ctx, reportInTurns);
}

/** Reports all counts, waits, and reports those that came since; ends when none came. */
async function reportInTurns(reports: Registry): Promise<void> {
  try {
    for (let rounds = 0; unreported.size > 0 && rounds < MAX_ROUNDS; rounds += 1) {
      const entries = [...unreported.values()];
      unreported.clear();
      reportedUntil = Date.now() + LEASE_MS;
      // Other rejections are logged one by one.
      for (const { source, code, times } of entries)
        if (code === 'limited') log('warn', 'event.limited', { source, refused: times });
      await reports.recordLimited(entries);
      await scheduler.wait(REPORTED_EACH_MS);
    }
  } finally {
    reportedUntil = 0;
  }
}

/** The platform lets work continue for 30 seconds after the answer; the next rejection starts again. */
const MAX_ROUNDS = 8;

type Registry = ReturnType<typeof registry>;

/** Reports to the registry after the answer is out; a failure is only logged. */
export function reportTo(
  env: Env,
  ctx: FloodContext['ctx'],
  report: (reports: Registry) => Promise<unknown>,
): void {
  ctx.waitUntil(
    report(registry(env)).catch((thrown: unknown) =>
      log('error', 'rejection.record.failed', { error: describeError(thrown) }),
    ),
  );
}
