import { describeError, log } from '../lib/log.ts';

/** Notifies the accounts' outboxes that somebody watches. One that cannot be reached is left out of the tail. */
export async function watchOutboxes(env: Env, accounts: readonly string[]): Promise<void> {
  await Promise.all(
    accounts.map(async (account) => {
      try {
        await env.OUTBOX.getByName(account).watch();
      } catch (thrown) {
        log('warn', 'tail.watch.failed', { account, error: describeError(thrown) });
      }
    }),
  );
}
