import { compileConfig } from '../../config/compile/compile.ts';
import { readFacts } from '../../config/compiled/facts.ts';
import type { Config } from '../../config/compiled/config.ts';
import { readCredentials } from '../../config/secrets/gateway.ts';
import { gatewayName } from '../../config/compiled/gateway-spec.ts';
import { accountsInUse, gatewayOf } from '../../config/secrets/named-secrets.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { loadConfig, readSetInUse, registry } from '../../config/load.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import { collect, stats } from '../../metrics/collect.ts';
import { isLoopback } from '../../lib/url.ts';
import { VERSION } from '../../lib/version.ts';
import type { OutboxStatus } from '../../answers/api-status.ts';
import { words, type View } from '../../registry/view.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { count, findingOf, guarded, isQuoting, type Check } from './check.ts';
import type { ShownCheck } from './api-check.ts';
import { configCheck, copyCheck, overrideChecks, secretChecks, sourceChecks } from './config.ts';
import {
  accountChecks,
  clockCheck,
  escapeChecks,
  outageCheck,
  probeGateway,
  unasked,
  urlCheck,
} from './accounts.ts';
import { readRemedies, rejectionChecks } from './rejections.ts';

const REJECTIONS = 200;

const SEEN = words('id', 'status', 'title', 'code', 'params', 'detail', 'remedy');

const seenCheck = (check: ShownCheck): View<ShownCheck> =>
  isQuoting(check) ? { ...SEEN, params: 'hidden', detail: 'hidden' } : SEEN;

export const doctorRoutes = {
  diagnose: apiRoute('GET /doctor', 'viewer', {
    view: { ...words('version', 'now'), checks: seenCheck },
    handle: ({ env, request }) => diagnosis(env, request, false),
  }),

  // A POST, since it calls the gateway with the login. A link on another site must not cause that.
  examine: apiRoute('POST /doctor', 'operator', {
    handle: ({ env, request }) => diagnosis(env, request, true),
  }),
} satisfies ApiRoutes;

async function diagnosis(env: Env, { url }: Request, mayProbe: boolean) {
  const inForce = (await readSetInUse(env)) ?? { version: 0, set: EMPTY_SET, overrides: [] };
  const { version } = inForce;
  const now = Date.now();
  await readFacts(env, now);
  const { config, errors } = compileConfig(inForce.set, version);
  // Includes removed accounts that still hold messages.
  const { accounts } = await loadConfig(env, now).catch(() => config);
  const all = { ...config, accounts };
  const known = Promise.all([...accounts.keys()].map(async (name) => env.OUTBOX.getByName(name).status()));
  const counted = collect(env, all).then((collected) => stats(collected, now));
  const [copy, gateway, delivery, refused] = await Promise.all([
    guarded('config-copy', 'Copy in KV', async () => [await copyCheck(env, version)]),
    guarded('gateway', 'Gateway', async () => gatewayChecks(all, env, mayProbe, await known.catch(() => []))),
    guarded('accounts', 'Delivery', async () => {
      const traffic = await counted;
      const delivery = await guarded('accounts', 'Delivery', async () =>
        accountChecks(await known, traffic.accounts, now),
      );
      return [...delivery, ...sourceChecks(all, traffic, now)];
    }),
    guarded('rejections', 'Refused requests', async () => {
      // Leaves out spam, which forms are meant to recognise.
      const found = await registry(env).rejections(REJECTIONS, null, { isSpam: false });
      const { sources } = await counted;
      const remedies = await readRemedies(env);
      return rejectionChecks(
        found.map(({ entry }) => entry),
        { now, remedies, sources },
      );
    }),
  ]);
  const checks: readonly ShownCheck[] = [
    ...secretChecks(config, env, isLoopback(new URL(url).hostname)),
    configCheck(version, config.sources.size, errors),
    ...copy,
    ...[...accountsInUse(config)].map((account) => urlCheck(env, account, gatewayOf(config, account))),
    ...gateway,
    ...delivery,
    ...escapeChecks(config),
    ...overrideChecks(inForce.overrides, now),
    ...refused,
  ];
  return { version: VERSION, now: new Date().toISOString(), checks };
}

/** The free plan allows 50 calls in a request, and the other checks need some of them. */
const MAX_PROBES = 16;

async function gatewayChecks(
  config: Config,
  env: Env,
  mayProbe: boolean,
  statuses: readonly OutboxStatus[],
): Promise<readonly Check[]> {
  const accounts = mayProbe ? [...accountsInUse(config)] : [];
  const probed = await Promise.all(
    accounts.slice(0, MAX_PROBES).map((account) => probe(account, gatewayOf(config, account), env)),
  );
  const found = probed.filter((one) => one !== null);
  const clock = found.find((one) => one.clock !== null)?.clock ?? null;
  const left = accounts.length - MAX_PROBES;
  const outages = statuses.flatMap((status) => {
    const asked = found.find(({ check }) => check.id === `gateway:${status.account}`);
    return outageCheck(status, asked?.check ?? null) ?? [];
  });
  const isReported = new Set(outages.map(({ id }) => id));
  const notProbed = () =>
    findingOf('gateway', 'Gateway')('unknown', 'not-probed', {
      detail: `not checked for ${count(left, 'further account')}: the number of calls in one request is limited`,
      params: { accounts: left },
    });
  return [
    ...outages,
    ...found.flatMap(({ check }) => (isReported.has(check.id) ? [] : [check])),
    ...(left > 0 ? [notProbed()] : []),
    ...(clock === null ? [] : [clockCheck(clock)]),
  ];
}

/** Null if the gateway cannot be called. Another finding says why. */
async function probe(account: string, spec: GatewaySpec, env: Env) {
  const { items } = await env.OUTBOX.getByName(account).listMessages({ state: 'sent', limit: 1 });
  const at = items[0]?.sent_at;
  const lastSentAt = at === undefined ? null : Date.parse(at);
  if (spec.maker !== V2.maker)
    return { check: unasked(account, gatewayName(spec), lastSentAt, Date.now()), clock: null };
  const credentials = readCredentials(env, account);
  return credentials.ok
    ? probeGateway(account, credentials.value, { fetch, now: Date.now, lastSentAt })
    : null;
}
