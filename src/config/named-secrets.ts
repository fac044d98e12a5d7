import type { Config } from './config.ts';
import { V2, type GatewaySpec } from '../gateway/shape.ts';
import { DEFAULT_ACCOUNT_NAME } from './credentials.ts';
import { requiredSecrets } from './gateway.ts';

/** The accounts that a source sends through. */
export const usedAccounts = ({ sources }: Pick<Config, 'sources'>): ReadonlySet<string> =>
  new Set([...sources.values()].flatMap(({ routes, account }) => (routes.length > 0 ? [account] : [])));

/** The same; `default` when none does yet. */
export function accountsInUse(config: Pick<Config, 'sources'>): ReadonlySet<string> {
  const used = usedAccounts(config);
  return used.size === 0 ? new Set([DEFAULT_ACCOUNT_NAME]) : used;
}

/** The gateway of an account, described or not. */
export const gatewayOf = ({ accounts }: Pick<Config, 'accounts'>, account: string): GatewaySpec =>
  accounts.get(account)?.gateway ?? V2;

/** A secret that a document names: where, what for, and whether that is a notification's address. */
interface SecretUse {
  readonly path: string;
  readonly name: string;
  readonly by: string;
  readonly isNotify: boolean;
}

/** The secrets that documents name, those of sources first. */
export function secretUses(config: Config): readonly SecretUse[] {
  const uses: SecretUse[] = [];
  const add = (path: string, name: string | null, by: string, isNotify = false): void => {
    if (name !== null) uses.push({ path, name, by, isNotify });
  };
  for (const { id, secrets, handshakeSecret, form } of config.sources.values()) {
    for (const [index, name] of secrets.entries())
      add(`sources.${id}.secrets[${index}]`, name, `source ${id}`);
    add(`sources.${id}.handshake.secret`, handshakeSecret, `source ${id}`);
    add(`sources.${id}.spam.turnstile`, form?.spam.turnstile ?? null, `source ${id}`);
  }
  for (const [account, { notify }] of config.accounts)
    add(
      `accounts.${account}.notify.secret`,
      notify?.secret ?? null,
      `the notifications of account ${account}`,
      true,
    );
  return uses;
}

/** Every secret that a configuration needs, and what needs it, as text: `STRIPE_SECRET` → `source shop`. */
export function namedSecrets(config: Config): ReadonlyMap<string, readonly string[]> {
  const needed = new Map<string, string[]>();
  const need = (name: string, by: string): void => {
    const others = needed.get(name) ?? [];
    if (!others.includes(by)) needed.set(name, [...others, by]);
  };
  for (const account of accountsInUse(config)) {
    for (const name of requiredSecrets(account, gatewayOf(config, account))) need(name, `account ${account}`);
  }
  for (const { name, by } of secretUses(config)) need(name, by);
  return needed;
}
