import { findMaker } from '../../gateway/makers/known.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { secret } from '../../lib/secret.ts';
import type { Config } from '../compiled/config.ts';
import { secretPrefix } from './credential-names.ts';
import { shapeOf } from '../compiled/gateway-spec.ts';
import type { Report } from '../documents/issues.ts';

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
export function movedHost(
  before: GatewaySpec | null,
  after: GatewaySpec,
): { readonly before: string | null; readonly after: string } | null {
  const { secrets = [], optional_secrets = [] } = shapeOf(after) ?? {};
  const hosts = { before: before && hostOf(before), after: hostOf(after) };
  return hosts.before === hosts.after || secrets.length + optional_secrets.length === 0 ? null : hosts;
}

function hostOf({ maker, baseUrl }: GatewaySpec): string {
  const address = baseUrl ?? (maker === V2.maker ? null : findMaker(maker)?.baseUrl);
  return typeof address === 'string' ? new URL(address).host : 'GATEWAY_BASE_URL';
}

export const movedHostWarnings = (
  before: Config['accounts'],
  after: Config['accounts'],
  env: Env,
): readonly FieldError[] =>
  [...after].flatMap(([account, { gateway }]) => {
    const old = before.get(account)?.gateway;
    const hosts = old === undefined ? null : movedHost(old, gateway);
    const { secrets = [], optional_secrets = [] } = shapeOf(gateway) ?? {};
    const isSet = (end: string): boolean => secret(env, secretPrefix(account) + end) !== undefined;
    if (hosts === null || (secrets.length === 0 && !optional_secrets.some(isSet))) return [];
    const message = `sends its secrets to ${hosts.after} from now on, no longer to ${hosts.before}: check that this is meant`;
    return [fieldError(`accounts.${account}`, 'secret', message)];
  });
