import { DEFAULT_ACCOUNT } from '../config/compile/account-policy.ts';
import type { AccountPolicy, LoadedConfig } from '../config/compiled/config.ts';
import { parsePublished, useConfig } from '../config/load.ts';
import { describeError, log } from '../lib/log.ts';
import { watchedSources } from './notify/heartbeat.ts';

/** The options that decide when a message is sent, a notification is due, or a source is overdue. */
const paceOf = (account: string, config: LoadedConfig): string => {
  const { rate, perRecipient, circuit, isRemoved, digestAbove, newContacts, escape, canary } = policyOf(
    account,
    config,
  );
  return JSON.stringify([
    rate,
    perRecipient,
    circuit,
    isRemoved,
    digestAbove,
    escape,
    newContacts,
    canary,
    watchedSources(config, account),
    config.alerting,
    config.silences.map(({ when, of, ...rest }) => [when?.source, of, [...(of?.keys ?? [])], rest]),
  ]);
};

const policyOf = (account: string, { accounts }: LoadedConfig): AccountPolicy =>
  accounts.get(account) ?? DEFAULT_ACCOUNT;

/**
 * Returns the outboxes of the accounts whose pace or heartbeats differ between two configurations, or all outboxes if
 * other receivers have opted out. `before`: null if unknown.
 */
export function repacedOutboxes(before: LoadedConfig | null, after: LoadedConfig): readonly string[] {
  const accounts = new Set([...after.accounts.keys(), ...(before?.accounts.keys() ?? [])]);
  const isAll = before === null || before.suppressions !== after.suppressions;
  return [...accounts].filter((name) => isAll || paceOf(name, before) !== paceOf(name, after));
}

/**
 * Has this isolate, and the outboxes that a change concerns, use the set that was just published: otherwise messages for
 * a full receiver would wait until its hour is over. They get the set, since KV may still have the old one at their
 * location. An outbox that cannot be reached finds out by itself, within a minute, when its alarm fires. `before`: null
 * if unknown.
 */
export async function announce(
  env: Env,
  before: LoadedConfig | null,
  published: string | null,
): Promise<void> {
  if (published === null) return;
  const after = useConfig(env.CONFIG, parsePublished(published), Date.now());
  await Promise.all(
    repacedOutboxes(before, after).map((name) =>
      env.OUTBOX.getByName(name)
        .useConfig(published)
        .catch((thrown: unknown) =>
          log('warn', 'config.announce.failed', { account: name, error: describeError(thrown) }),
        ),
    ),
  );
}
