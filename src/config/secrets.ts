import { secret, type Env } from '../env.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Config } from './config.ts';
import { readCredentials } from './credentials.ts';

/** What the configuration names and the deployment does not have: signing secrets, and logins of accounts in use. */
export function secretErrors(config: Config, env: Env): readonly FieldError[] {
  const errors: FieldError[] = [];
  const accounts = new Set<string>();
  for (const source of config.sources.values()) {
    if (source.routes.length > 0) accounts.add(source.account);
    for (const [index, name] of source.secrets.entries()) {
      if (secret(env, name) !== undefined) continue;
      errors.push({
        path: `sources.${source.id}.secrets[${index}]`,
        message: `the secret ${name} is not set: \`wrangler secret put ${name}\``,
      });
    }
  }
  for (const [name, { notify }] of config.accounts) {
    const wanted = notify?.secret ?? null;
    if (wanted === null || secret(env, wanted) !== undefined) continue;
    errors.push({
      path: `accounts.${name}.notify.secret`,
      message: `the secret ${wanted} is not set: \`wrangler secret put ${wanted}\``,
    });
  }
  for (const account of accounts) {
    const credentials = readCredentials(env, account);
    if (credentials.ok) continue;
    for (const message of credentials.error) errors.push({ path: `accounts.${account}`, message });
  }
  return errors;
}
