import type { Config } from './config.ts';
import { credentialNames, DEFAULT_ACCOUNT_NAME } from './credentials.ts';

/** The accounts that a source sends through; `default` when none does yet. */
export function accountsInUse({ sources }: Pick<Config, 'sources'>): ReadonlySet<string> {
  const used = [...sources.values()].filter(({ routes }) => routes.length > 0).map(({ account }) => account);
  return new Set(used.length === 0 ? [DEFAULT_ACCOUNT_NAME] : used);
}

/** Every secret that a configuration needs, and what needs it, as text: `STRIPE_SECRET` → `source shop`. */
export function namedSecrets(config: Config): ReadonlyMap<string, readonly string[]> {
  const needed = new Map<string, string[]>();
  const need = (name: string | null, by: string): void => {
    if (name === null) return;
    const others = needed.get(name) ?? [];
    if (!others.includes(by)) needed.set(name, [...others, by]);
  };
  for (const account of accountsInUse(config)) {
    const { email, apiKey } = credentialNames(account);
    for (const name of [email, apiKey]) need(name, `account ${account}`);
  }
  for (const { id, secrets, handshakeSecret } of config.sources.values())
    for (const name of [...secrets, handshakeSecret]) need(name, `source ${id}`);
  for (const [account, { notify }] of config.accounts)
    need(notify?.secret ?? null, `the notifications of account ${account}`);
  return needed;
}
