import { outboxNames } from './admin/outboxes.ts';
import type { Env } from './env.ts';
import { describeError, log } from './lib/log.ts';

/** The cron trigger's work: every outbox looks whether its alarm stands, and what of it is too old to keep. */
export async function sweepOutboxes(env: Env): Promise<void> {
  for (const name of await outboxNames(env)) {
    try {
      await env.OUTBOX.getByName(name).sweep();
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { outbox: name, error: describeError(thrown) });
    }
  }
}
