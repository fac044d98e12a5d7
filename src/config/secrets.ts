import { secret } from '../lib/secret.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';
import { readCredentials } from './credentials.ts';

/**
 * Secrets that the configuration names and the deployment does not have: signing secrets, and logins of accounts in
 * use.
 */
export function secretErrors(config: Config, env: Env): readonly FieldError[] {
  const errors: FieldError[] = [];
  const accounts = new Set<string>();
  const mustBeSet = (path: string, name: string | null): void => {
    if (name === null || secret(env, name) !== undefined) return;
    errors.push({ path, message: `the secret ${name} is not set: \`wrangler secret put ${name}\`` });
  };
  for (const source of config.sources.values()) {
    if (source.routes.length > 0) accounts.add(source.account);
    for (const [index, name] of source.secrets.entries())
      mustBeSet(`sources.${source.id}.secrets[${index}]`, name);
    mustBeSet(`sources.${source.id}.handshake.secret`, source.handshakeSecret);
  }
  for (const [name, { notify }] of config.accounts)
    mustBeSet(`accounts.${name}.notify.secret`, notify?.secret ?? null);
  for (const account of accounts) {
    const credentials = readCredentials(env, account);
    if (credentials.ok) continue;
    for (const message of credentials.error) errors.push({ path: `accounts.${account}`, message });
  }
  return errors;
}
