import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { DEFAULT_ACCOUNT_NAME, isNotifySecret, NOTIFY_PREFIX } from './credential-names.ts';
import {
  baseUrlOf,
  missing,
  PLAIN_HTTP,
  plainHost,
  readGateway,
  requiredSecrets,
  whyNotListed,
} from './gateway.ts';
import { secret } from '../../lib/secret.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { Config } from '../compiled/config.ts';
import { redact } from '../../lib/redact.ts';
import { KINDS } from '../documents/name.ts';
import type { ConfigSet } from '../documents/schema.ts';
import { shownKey } from '../../schema/parts.ts';

export const usedAccounts = ({ sources }: Pick<Config, 'sources'>): ReadonlySet<string> =>
  new Set([...sources.values()].flatMap(({ routes, account }) => (routes.length > 0 ? [account] : [])));

/** The same, but only `default` if no source sends yet. */
export function accountsInUse(config: Pick<Config, 'sources'>): ReadonlySet<string> {
  const used = usedAccounts(config);
  return used.size === 0 ? new Set([DEFAULT_ACCOUNT_NAME]) : used;
}

export const gatewayOf = ({ accounts }: Pick<Config, 'accounts'>, account: string): GatewaySpec =>
  accounts.get(account)?.gateway ?? V2;

/** The secrets that documents name, those of sources first. `isNotify`: it is the address of a notification. */
export function secretUses(config: Config) {
  const uses: Readonly<{ path: string; name: string; by: string; isNotify: boolean }>[] = [];
  const add = (path: string, name: string | null, by: string, isNotify = false): void => {
    if (name !== null) uses.push({ path, name, by, isNotify });
  };
  for (const { id, secrets, handshakeSecret, form } of config.sources.values()) {
    const [path, by] = [`sources.${id}`, `source ${id}`];
    for (const [index, name] of secrets.entries()) add(`${path}.secrets[${index}]`, name, by);
    add(`${path}.handshake.secret`, handshakeSecret, by);
    add(`${path}.spam.turnstile`, form?.spam.turnstile ?? null, by);
  }
  for (const [account, { notify, escape }] of config.accounts) {
    const [path, by] = [`accounts.${account}`, `of account ${account}`];
    add(`${path}.notify.secret`, notify?.secret ?? null, `the notifications ${by}`, true);
    const { via = null } = escape ?? {};
    if (via !== null && 'url' in via)
      add(`${path}.escape.via.secret`, via.secret, `the escape channel ${by}`, true);
  }
  return uses;
}

/** Every secret that a configuration needs, with its users as text: `STRIPE_SECRET` → `source shop`. */
export function namedSecrets(config: Config): ReadonlyMap<string, readonly string[]> {
  const logins = [...accountsInUse(config)].flatMap((account) =>
    requiredSecrets(account, gatewayOf(config, account)).map((name) => ({ name, by: `account ${account}` })),
  );
  const users = Map.groupBy([...logins, ...secretUses(config)], ({ name }) => name);
  return new Map([...users].map(([name, uses]) => [name, [...new Set(uses.map(({ by }) => by))]]));
}

/** Warns of accounts in use that call their gateway without TLS. */
export const plainHttpWarnings = (config: Config, env: Env): readonly FieldError[] =>
  [...usedAccounts(config)].flatMap((account) => {
    const baseUrl = baseUrlOf(env, account, gatewayOf(config, account));
    const host = baseUrl === null ? null : plainHost(baseUrl);
    return host === null
      ? []
      : [fieldError(`accounts.${account}`, 'secret', `the gateway ${host} ${PLAIN_HTTP}`)];
  });

/** What the deployment lacks for the configuration: signing secrets, logins of accounts in use, and hosts that it lists. */
export function secretErrors(config: Config, env: Env): readonly FieldError[] {
  const errors = secretUses(config).flatMap(({ path, name }) =>
    secret(env, name) === undefined ? [fieldError(path, ...missing(name))] : [],
  );
  const used = usedAccounts(config);
  for (const [account, { gateway: spec }] of config.accounts) {
    const unlisted = spec.baseUrl === null ? null : whyNotListed(env, spec.baseUrl);
    if (unlisted !== null) errors.push(fieldError(`accounts.${account}.base_url`, 'secret', unlisted));
    if (unlisted !== null || !used.has(account)) continue;
    const gateway = readGateway(env, account, spec);
    const faults = gateway.ok ? [] : gateway.error;
    errors.push(...faults.map((fault) => fieldError(`accounts.${account}`, ...fault)));
  }
  return errors;
}

/*
 * A notification's address carries its secret to any host that a document names. Without a rule, anybody who edits
 * documents could read out any secret. So secrets with the prefix are only for addresses, and all others are for
 * everything else.
 */

/** The secret for a notification's address; undefined if it is not set, or its name lacks the prefix. */
export const notifySecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? secret(env, name) : undefined;

/** The secret for verifying a source; undefined if it is not set, or its name has the prefix for notifications. */
export const sourceSecret = (env: Env, name: string): string | undefined =>
  isNotifySecret(name) ? undefined : secret(env, name);

export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** The named secrets that are set, in the document's order. */
export const secretsSet = (names: readonly string[], env: Env): readonly NamedSecret[] =>
  names.flatMap((name) => {
    const value = sourceSecret(env, name);
    return value === undefined ? [] : [{ name, value }];
  });

export const secretNameErrors = (config: Config): readonly FieldError[] =>
  secretUses(config).flatMap(({ path, name, isNotify }) => {
    if (isNotifySecret(name) === isNotify) return [];
    const message = isNotify
      ? `must begin with ${NOTIFY_PREFIX}, so that no notification can reveal a source’s secret: set it again, \`npx wrangler secret put ${NOTIFY_PREFIX}${name}\`, and use that name`
      : `begins with ${NOTIFY_PREFIX}, which is reserved for \`notify\`: set it under another name, such as \`npx wrangler secret put HOOK_${name.slice(NOTIFY_PREFIX.length)}\`, and use that name`;
    return [fieldError(path, 'secret', message)];
  });

/** Shorter values may be in a document by chance. In UTF-16 units. */
const MIN_LENGTH = 12;

/** Addresses, and names such as a topic's ARN. They are not secret, and a condition may compare with one. */
const PUBLIC_VALUE = /^(https?:|arn:)/;

/** Variables that are not secrets, and a login's e-mail address, which a shop may show to its customers. */
const MAY_STAND = /^(GATEWAY_((.*_)?(BASE_URL|EMAIL)|HOSTS)|ACCESS_(TEAM_DOMAIN|AUD|ROLES))$/;

/**
 * Documents go to KV, into exports and into version control. A set's other errors are not listed then, since they could
 * repeat the value.
 */
export function secretValueErrors(set: ConfigSet, env: Env): readonly FieldError[] {
  const secrets = Object.keys(env).flatMap((name) => {
    const value = MAY_STAND.test(name) ? '' : (secret(env, name) ?? '');
    return value.length < MIN_LENGTH || PUBLIC_VALUE.test(value) ? [] : [{ name, value }];
  });
  const values = secrets.map(({ value }) => value);
  return KINDS.flatMap((kind) =>
    Object.entries(set[kind]).flatMap(([name, document]) => {
      const text = JSON.stringify([name, document]);
      if (!holdsOne(text, values)) return [];
      const path = holdsOne(name, values) ? kind : `${kind}.${shownKey(name)}`;
      const held = secrets.filter(({ value }) => holdsOne(text, [value])).map((one) => one.name);
      const message = `contains the value of ${held.join(' and ')}; only names of secrets are allowed. If others can read that file, replace the secret`;
      return [fieldError(path, 'secret', message)];
    }),
  );
}

const holdsOne = (text: string, values: readonly string[]): boolean => redact(text, values) !== text;
