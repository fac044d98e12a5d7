import { credentialNames, isBaseUrl } from '../../config/credentials.ts';
import { secret } from '../../lib/secret.ts';
import { ofAccount, type Check } from './check.ts';

/** The account's address of the gateway: set, an address that ends in `/api`, and over TLS. */
export function urlCheck(env: Env, account: string): Check {
  const own = credentialNames(account).baseUrl;
  const name = secret(env, own) === undefined ? 'GATEWAY_BASE_URL' : own;
  const found = { id: `gateway-url:${account}`, title: `Gateway address${ofAccount(account)}` };
  const text = secret(env, name);
  const remedy = `Give ${name} the gateway's base address, which ends in /api (under [vars] in wrangler.toml), and deploy`;
  if (text === undefined) return { ...found, status: 'fail', detail: `${name} is not set`, remedy };
  if (!isBaseUrl(text))
    return {
      ...found,
      status: 'fail',
      detail: `${name} is not an http(s) address that ends in /api, without a query`,
      remedy,
    };
  const { protocol, host, hostname } = new URL(text);
  if (protocol === 'http:' && !isThisMachine(hostname))
    return {
      ...found,
      status: 'warn',
      detail: `${host} is called over plain http: the login and every message can be read on the way`,
      remedy: `Use https in ${name}, and deploy`,
    };
  return { ...found, status: 'ok', detail: `${host}, as ${name} says` };
}

const isThisMachine = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
