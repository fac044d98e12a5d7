import type { Config } from '../config/config.ts';
import { describeError, log } from '../lib/log.ts';
import { allObjectNames } from '../outbox/state/shards.ts';

/** Notifies every outbox that somebody watches. One that cannot be reached is left out of the tail. */
export async function watchOutboxes(env: Env, { accounts }: Pick<Config, 'accounts'>): Promise<void> {
  await Promise.all(
    allObjectNames(accounts).map(async (name) => {
      try {
        await env.OUTBOX.getByName(name).watch();
      } catch (thrown) {
        log('warn', 'tail.watch.failed', { outbox: name, error: describeError(thrown) });
      }
    }),
  );
}
