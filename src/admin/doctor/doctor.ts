import { compileConfig } from '../../config/compile/compile.ts';
import { readFacts } from '../../config/compiled/facts.ts';
import type { Config } from '../../config/compiled/config.ts';
import { readCredentials } from '../../config/secrets/gateway.ts';
import { gatewayName } from '../../config/compiled/gateway-spec.ts';
import { accountsInUse, gatewayOf } from '../../config/secrets/named-secrets.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { loadConfig, readSetInUse, registry } from '../../config/load.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import type { Stats } from '../../metrics/api-stats.ts';
import { collect, stats } from '../../metrics/collect.ts';
import { isLoopback } from '../../lib/url.ts';
import { VERSION } from '../../lib/version.ts';
import type { OutboxStatus } from '../../outbox/answers/api-status.ts';
import { words, type View } from '../../registry/view.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { accountChecks, escapeChecks } from './accounts.ts';
import { count, findingOf, guarded, isQuoting, type Check } from './check.ts';
import type { ShownCheck } from './api-check.ts';
import { configCheck, copyCheck, overrideChecks, secretChecks, sourceChecks } from './config.ts';
import { clockCheck, outageCheck, probeGateway, unasked, urlCheck, type Probed } from './gateway.ts';
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
  const known = statuses(accounts, env);
  const counted = collect(env, all).then((collected) => stats(collected, now));
  const [copy, gateway, delivery, refused] = await Promise.all([
    guarded('config-copy', 'Copy in KV', async () => [await copyCheck(env, version)]),
    guarded('gateway', 'Gateway', async () =>
      gatewayChecks(all, env, { mayProbe, statuses: await known.catch(() => []) }),
    ),
    guarded('accounts', 'Delivery', async () => deliveryChecks(all, await counted, now, known)),
    guarded('rejections', 'Refused requests', async () =>
      rejectionChecks(await rejections(env), {
        now,
        remedies: await readRemedies(env),
        sources: (await counted).sources,
      }),
    ),
  ]);
  const checks: readonly ShownCheck[] = [
    ...secretChecks(config, env, isLoopback(new URL(url).hostname)),
    configCheck({ version, sources: config.sources.size, errors }),
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

/** Leaves out spam, which forms are meant to recognise. */
const rejections = async (env: Env) =>
  (await registry(env).rejections(REJECTIONS, null, { isSpam: false })).map(({ entry }) => entry);

async function deliveryChecks(
  config: Config,
  counted: Stats,
  now: number,
  known: Promise<readonly OutboxStatus[]>,
): Promise<readonly Check[]> {
  const sources = sourceChecks(config, counted, now);
  const accounts = await guarded('accounts', 'Delivery', async () =>
    accountChecks(await known, counted.accounts, now),
  );
  return [...accounts, ...sources];
}

/** The free plan allows 50 calls in a request, and the other checks need some of them. */
const MAX_PROBES = 16;

async function gatewayChecks(
  config: Config,
  env: Env,
  { mayProbe, statuses: known }: { readonly mayProbe: boolean; readonly statuses: readonly OutboxStatus[] },
): Promise<readonly Check[]> {
  const accounts = [...accountsInUse(config)];
  const probed = await Promise.all(
    (mayProbe ? accounts.slice(0, MAX_PROBES) : []).map((account) =>
      probe(account, gatewayOf(config, account), env),
    ),
  );
  const found = probed.flatMap((one) => one ?? []);
  const clock = found.find((one) => one.clock !== null)?.clock ?? null;
  const left = mayProbe ? accounts.length - MAX_PROBES : 0;
  const outages = known.flatMap((status) => {
    const asked = found.find(({ check }) => check.id === `gateway:${status.account}`);
    return outageCheck(status, asked?.check ?? null) ?? [];
  });
  const isReported = new Set(outages.map(({ id }) => id));
  return [
    ...outages,
    ...found.flatMap(({ check }) => (isReported.has(check.id) ? [] : [check])),
    ...(left > 0 ? [notProbed(left)] : []),
    ...(clock === null ? [] : [clockCheck(clock)]),
  ];
}

const notProbed = (accounts: number): Check =>
  findingOf('gateway', 'Gateway')('unknown', 'not-probed', {
    detail: `not checked for ${count(accounts, 'further account')}: the number of calls in one request is limited`,
    params: { accounts },
  });

/** Null if the gateway cannot be called. Another finding says why. */
async function probe(account: string, spec: GatewaySpec, env: Env): Promise<Probed | null> {
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

const statuses = (accounts: Config['accounts'], env: Env): Promise<readonly OutboxStatus[]> =>
  Promise.all([...accounts.keys()].map(async (name) => env.OUTBOX.getByName(name).status()));
