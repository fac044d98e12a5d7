import { secret } from '../lib/secret.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';
import { missing, PLAIN_HTTP, plainHost } from './credentials.ts';
import { baseUrlOf, readGateway } from './gateway.ts';
import { gatewayOf, secretUses, usedAccounts } from './named-secrets.ts';

/** Gateways that the accounts in use call without TLS. */
export const plainHttpWarnings = (config: Config, env: Env): readonly FieldError[] =>
  [...usedAccounts(config)].flatMap((account) => {
    const baseUrl = baseUrlOf(env, account, gatewayOf(config, account));
    const host = baseUrl === null ? null : plainHost(baseUrl);
    return host === null
      ? []
      : [{ path: `accounts.${account}`, message: `the gateway ${host} ${PLAIN_HTTP}` }];
  });

/**
 * Secrets that the configuration names and the deployment does not have: signing secrets, and logins of accounts in
 * use.
 */
export function secretErrors(config: Config, env: Env): readonly FieldError[] {
  const errors = secretUses(config).flatMap(({ path, name }) =>
    secret(env, name) === undefined ? [{ path, message: missing(name) }] : [],
  );
  for (const account of usedAccounts(config)) {
    const gateway = readGateway(env, account, gatewayOf(config, account));
    if (gateway.ok) continue;
    for (const message of gateway.error) errors.push({ path: `accounts.${account}`, message });
  }
  return errors;
}
