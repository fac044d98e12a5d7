import { DEFAULT_ACCOUNT } from '../config/account-policy.ts';
import type { AccountPolicy, LoadedConfig } from '../config/config.ts';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { shardNames } from '../outbox/shards.ts';

/** What decides when a message goes. The rest of a policy is read when it is needed. */
const paceOf = ({ rate, perRecipient, circuit, shards }: AccountPolicy): string =>
  JSON.stringify([rate, perRecipient, circuit, shards]);

/** The objects of the accounts whose pace differs between two configurations. `before` null: nobody knows. */
export function repacedOutboxes(before: LoadedConfig | null, after: LoadedConfig): readonly string[] {
  const accounts = new Set([...after.accounts.keys(), ...(before?.accounts.keys() ?? [])]);
  return [...accounts].flatMap((name) => {
    const old = before?.accounts.get(name) ?? DEFAULT_ACCOUNT;
    const policy = after.accounts.get(name) ?? DEFAULT_ACCOUNT;
    const isSame = before !== null && paceOf(old) === paceOf(policy);
    return isSame ? [] : shardNames(name, Math.max(old.shards, policy.shards));
  });
}

/**
 * Has outboxes look at once whether a new pace lets more go: what waits for a full receiver would else wait on until
 * its hour is over. They are handed what was published, since KV may still have the old set where they are. One that
 * cannot be reached finds out by itself, within a minute and when its alarm rings.
 */
export async function announcePace(env: Env, names: readonly string[], published: string): Promise<void> {
  await Promise.all(
    names.map((name) =>
      env.OUTBOX.getByName(name)
        .useConfig(published)
        .catch((thrown: unknown) =>
          log('warn', 'config.announce.failed', { outbox: name, error: describeError(thrown) }),
        ),
    ),
  );
}
