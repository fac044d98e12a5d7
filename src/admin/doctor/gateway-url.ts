import { credentialNames } from '../../config/secrets/credential-names.ts';
import { isBaseUrl, PLAIN_HTTP, plainHost } from '../../config/secrets/credentials.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { baseUrlOf } from '../../config/secrets/gateway.ts';
import { gatewayName } from '../../config/compiled/gateway-spec.ts';
import { whyNotListed } from '../../config/secrets/hosts.ts';
import { secret } from '../../lib/secret.ts';
import { ofAccount, type Check } from './check.ts';

/** Checks the account's address of the gateway: it has to be set, to end in `/api`, and to use TLS. */
export function urlCheck(env: Env, account: string, spec: GatewaySpec): Check {
  if (spec.maker !== V2.maker) return makerCheck(env, account, spec);
  const own = credentialNames(account).baseUrl;
  const name = secret(env, own) === undefined ? 'GATEWAY_BASE_URL' : own;
  const found = { id: `gateway-url:${account}` as const, title: `Gateway address${ofAccount(account)}` };
  const text = secret(env, name);
  const remedy = `Give ${name} the gateway's base address, which ends in /api (under [vars] in wrangler.toml), and deploy`;
  if (text === undefined)
    return {
      ...found,
      status: 'fail',
      code: 'address-missing',
      params: { name },
      detail: `${name} is not set`,
      remedy,
    };
  if (!isBaseUrl(text))
    return {
      ...found,
      status: 'fail',
      code: 'address-malformed',
      params: { name },
      detail: `${name} is not an http(s) address that ends in /api, without a query`,
      remedy,
    };
  const plain = plainHost(text);
  if (plain !== null)
    return {
      ...found,
      status: 'warn',
      code: 'address-plain',
      params: { host: plain },
      detail: `${plain} ${PLAIN_HTTP}`,
      remedy: `Use https in ${name}, and deploy`,
    };
  return {
    ...found,
    status: 'ok',
    code: 'address-right',
    params: { host: new URL(text).host },
    detail: `${new URL(text).host}, as ${name} says`,
  };
}

/** Checks the address of another maker's gateway: that of the account's document, or the maker's own. */
function makerCheck(env: Env, account: string, spec: GatewaySpec): Check {
  const found = { id: `gateway-url:${account}` as const, title: `Gateway address${ofAccount(account)}` };
  const remedy = `Give accounts/${account}.yaml a \`base_url\` with https, and push`;
  const baseUrl = baseUrlOf(env, account, spec);
  const unlisted = spec.baseUrl === null ? null : whyNotListed(env, spec.baseUrl);
  if (baseUrl === null)
    return {
      ...found,
      status: 'fail',
      code: unlisted === null ? 'address-missing' : 'address-unlisted',
      detail: unlisted ?? 'is not set',
      remedy,
    };
  const plain = plainHost(baseUrl);
  if (plain !== null)
    return {
      ...found,
      status: 'warn',
      code: 'address-plain',
      params: { host: plain },
      detail: `${plain} ${PLAIN_HTTP}`,
      remedy,
    };
  return {
    ...found,
    status: 'ok',
    code: 'address-right',
    params: { host: new URL(baseUrl).host },
    detail: `${new URL(baseUrl).host}, of ${gatewayName(spec)}`,
  };
}
