import { isLoopback } from '../../lib/url.ts';
import { secret } from '../../lib/secret.ts';
import type { GatewayAccount } from '../../gateway/v2.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Fault } from '../../lib/problem.ts';
import { credentialNames } from './credential-names.ts';

/** An account's login, or the errors in it. An error names the secret, and never its value. */
export function readCredentials(env: Env, account: string): Result<GatewayAccount, readonly Fault[]> {
  const names = credentialNames(account);
  const email = secret(env, names.email);
  const apiKey = secret(env, names.apiKey);
  const appKey = secret(env, names.appKey);
  const baseUrl = secret(env, names.baseUrl) ?? secret(env, 'GATEWAY_BASE_URL');
  const wrong: Fault[] = [];
  if (email === undefined) wrong.push(missing(names.email));
  if (apiKey === undefined) wrong.push(missing(names.apiKey));
  if (baseUrl === undefined) {
    wrong.push([
      'not-set',
      'GATEWAY_BASE_URL is not set: set it to the gateway’s address, which ends in /api, under [vars] in wrangler.toml',
      { name: 'GATEWAY_BASE_URL' },
    ]);
  } else if (!isBaseUrl(baseUrl)) {
    wrong.push([
      'secret',
      'the gateway base URL must be an http(s) address that ends in /api, without a query',
    ]);
  }
  if (email === undefined || apiKey === undefined || baseUrl === undefined || wrong.length > 0)
    return err(wrong);
  return ok({ baseUrl: baseUrl.replace(/\/$/, ''), email, apiKey, ...(appKey !== undefined && { appKey }) });
}

export const missing = (name: string): Fault => [
  'not-set',
  `the secret ${name} is not set: \`npx wrangler secret put ${name}\``,
  { name },
];

/** The host of an address that is called without TLS outside this machine; null for other addresses. */
export function plainHost(baseUrl: string): string | null {
  const { protocol, host, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname) ? host : null;
}

export const PLAIN_HTTP =
  'is called over plain http, so the login and every message can be read in transit. Use https';

/** True if `text` can be a gateway's base address: http(s), ends in `/api`, no query. */
export function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.search === '' && /\/api\/?$/.test(url.pathname)
  );
}
