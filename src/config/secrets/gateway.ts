import type { Gateway } from '../../gateway/client.ts';
import { classifyHttp, httpRequest } from '../../gateway/http.ts';
import { V2, type GatewaySpec, type HttpShape, findMaker } from '../../gateway/shape.ts';
import { v2, type GatewayAccount } from '../../gateway/v2.ts';
import { createCache } from '../../lib/cache.ts';
import { isLoopback } from '../../lib/url.ts';
import { type Fault, type FieldError, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { secret, variable } from '../../lib/secret.ts';
import { credentialNames, secretPrefix } from './credential-names.ts';
import { shapeOf } from '../compiled/gateway-spec.ts';
import type { Config } from '../compiled/config.ts';
import type { Report } from '../documents/issues.ts';

type Read = Result<Gateway, readonly Fault[]>;

/** Cached by environment: a changed secret starts the isolate again, with a new environment. */
const known = new WeakMap<Env, ReturnType<typeof createCache<Read>>>();

/** An account's gateway with its login, or the errors in it. Errors name secrets, and never show their values. */
export function readGateway(env: Env, account: string, spec: GatewaySpec): Read {
  const gateways = known.get(env) ?? createCache<Read>(64);
  known.set(env, gateways);
  const key = spec.maker === V2.maker ? account : JSON.stringify([account, spec]);
  return gateways(key, () => {
    if (spec.maker !== V2.maker) return readHttp(env, account, spec);
    const credentials = readCredentials(env, account);
    return credentials.ok ? ok(v2(credentials.value)) : credentials;
  });
}

function readHttp(env: Env, account: string, spec: GatewaySpec): Read {
  const shape = shapeOf(spec);
  if (shape === null) return err([['secret', `there is no gateway \`${spec.maker}\` in this release`]]);
  const baseUrl = addressOf(env, spec);
  if (!baseUrl.ok) return err([['secret', baseUrl.error]]);
  const secrets = readSecrets(env, account, shape);
  if (!secrets.ok) return secrets;
  const of = { shape, baseUrl: baseUrl.value, options: spec.options, secrets: secrets.value };
  return ok({
    request: (call, id) => httpRequest(call, of, id),
    classify: (answer, now) => classifyHttp(answer, shape.answer, now),
    secrets: Object.values(secrets.value),
  });
}

/** The address of the simulator's stand-ins for other makers' gateways: `npm start` sends nothing to a real phone. */
export const STAND_INS = 'GATEWAY_STAND_INS';

function addressOf(env: Env, { maker, baseUrl }: GatewaySpec): Result<string, string> {
  const standIns = variable(env, STAND_INS);
  const own = baseUrl ?? findMaker(maker)?.baseUrl ?? null;
  if (own === null) return err('`base_url` is not set: the address of the gateway');
  const unlisted = baseUrl === null ? null : whyNotListed(env, baseUrl);
  if (unlisted !== null) return err(unlisted);
  if (standIns === undefined) return ok(own);
  if (maker !== 'http') return ok(`${standIns}/${maker}`);
  return isLoopback(new URL(own).hostname)
    ? ok(own)
    : err('a gateway that a document declares is not simulated: its `base_url` must be on this machine');
}

/** The only characters that a header value may have here. */
const PRINTABLE = /^[\x20-\x7e]+$/;

function readSecrets(env: Env, account: string, { secrets = [], optional_secrets = [] }: HttpShape) {
  const values: Record<string, string> = {};
  const wrong: Fault[] = [];
  const { apiKey, email } = credentialNames(account);
  const isLogin = secret(env, email) !== undefined && variable(env, STAND_INS) === undefined;
  for (const end of [...secrets, ...optional_secrets]) {
    const name = secretPrefix(account) + end;
    const value = secret(env, name);
    const ofLogin = `${name} is part of a \`v2\` login while ${email} is set: \`npx wrangler secret delete ${email}\``;
    const unprintable = `the secret ${name} has a line break or another character invalid in headers: set it again`;
    if (value === undefined) wrong.push(...(secrets.includes(end) ? [missing(name)] : []));
    else if (name === apiKey && isLogin) wrong.push(['secret', ofLogin]);
    else if (!PRINTABLE.test(value)) wrong.push(['secret', unprintable]);
    else values[end] = value;
  }
  return wrong.length === 0 ? ok(values) : err(wrong);
}

export function requiredSecrets(account: string, spec: GatewaySpec): readonly string[] {
  if (spec.maker === V2.maker) {
    const { email, apiKey } = credentialNames(account);
    return [email, apiKey];
  }
  return (shapeOf(spec)?.secrets ?? []).map((end) => secretPrefix(account) + end);
}

/** The address at which an account's gateway is called; null if it is missing or wrong. */
export function baseUrlOf(env: Env, account: string, spec: GatewaySpec): string | null {
  if (spec.maker === V2.maker) {
    const credentials = readCredentials(env, account);
    return credentials.ok ? credentials.value.baseUrl : null;
  }
  const address = addressOf(env, spec);
  return address.ok ? address.value : null;
}

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
  const wrongUrl = 'the gateway base URL must be an http(s) address that ends in /api, without a query';
  if (baseUrl === undefined) wrong.push(['not-set', NO_URL, { name: 'GATEWAY_BASE_URL' }]);
  else if (!isBaseUrl(baseUrl)) wrong.push(['secret', wrongUrl]);
  if (email === undefined || apiKey === undefined || baseUrl === undefined || wrong.length > 0)
    return err(wrong);
  return ok({ baseUrl: baseUrl.replace(/\/$/, ''), email, apiKey, ...(appKey !== undefined && { appKey }) });
}

const NO_URL =
  'GATEWAY_BASE_URL is not set: set it to the gateway’s address, which ends in /api, under [vars] in wrangler.toml';

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

/*
 * Somebody who edits documents, but may not read secrets, could send any login to a server of their own. So a document
 * names only its own account's secrets; `GATEWAY_HOSTS` lists the servers that documents may name, and a publish warns
 * of another one.
 */

/** Ends of names with several words, which gateways give their secrets, and those of a `v2` login. */
export const LONG_ENDS = ['EMAIL', 'API_KEY', 'APP_KEY', 'BASE_URL', 'ACCOUNT_SID', 'AUTH_TOKEN'];

/** GATEWAY_PAGER_TOKEN is the TOKEN of the account `pager`, GATEWAY_API_KEY part of a `v2` login, even if there is none now. */
export function checkSecretEnds(account: string, spec: GatewaySpec, report: Report): void {
  const { secrets = [], optional_secrets = [] } = shapeOf(spec) ?? {};
  for (const [key, ends] of Object.entries({ secrets, optional_secrets }))
    for (const [at, end] of ends.entries()) {
      const name = secretPrefix(account) + end;
      const isOwn = spec.http !== null;
      const isOthers = LONG_ENDS.some((long) => name.endsWith(`_${long}`) && (long !== end || isOwn));
      const unsafe = `would read ${name}, which can be another account’s secret or a \`v2\` login: choose another word without \`_\``;
      if (isOthers || (isOwn && end.includes('_')))
        report(isOwn ? `.http.${key}[${at}]` : '', 'secret', unsafe);
    }
}

/** Returns why documents may not name this gateway's host; null if they may. */
export function whyNotListed(env: Env, baseUrl: string): string | null {
  const listed: unknown = Reflect.get(env, 'GATEWAY_HOSTS') ?? '';
  if (listed === '') return null;
  const { host, hostname } = new URL(baseUrl);
  const names = String(listed)
    .toLowerCase()
    .split(/[\s,]+/);
  const isListed = names.some(
    (one) => one === host || one === hostname || (one.startsWith('*.') && hostname.endsWith(one.slice(1))),
  );
  return isListed
    ? null
    : `names the host ${host}, which the variable GATEWAY_HOSTS does not list: name one that it lists, or add it there and deploy`;
}

/** The host to which an account's secrets go after a change; null if it stays the same, or there are no secrets. */
export function movedHost(before: GatewaySpec | null, after: GatewaySpec) {
  const { secrets = [], optional_secrets = [] } = shapeOf(after) ?? {};
  const hosts = { before: before && hostOf(before), after: hostOf(after) };
  return hosts.before === hosts.after || secrets.length + optional_secrets.length === 0 ? null : hosts;
}

function hostOf({ maker, baseUrl }: GatewaySpec): string {
  const address = baseUrl ?? (maker === V2.maker ? null : findMaker(maker)?.baseUrl);
  return typeof address === 'string' ? new URL(address).host : 'GATEWAY_BASE_URL';
}

export const movedHostWarnings = (before: Config['accounts'], after: Config['accounts'], env: Env) =>
  [...after].flatMap(([account, { gateway }]): readonly FieldError[] => {
    const old = before.get(account)?.gateway;
    const hosts = old === undefined ? null : movedHost(old, gateway);
    const { secrets = [], optional_secrets = [] } = shapeOf(gateway) ?? {};
    const isSet = (end: string): boolean => secret(env, secretPrefix(account) + end) !== undefined;
    if (hosts === null || (secrets.length === 0 && !optional_secrets.some(isSet))) return [];
    const message = `sends its secrets to ${hosts.after} from now on, no longer to ${hosts.before}: check that this is meant`;
    return [fieldError(`accounts.${account}`, 'secret', message)];
  });
