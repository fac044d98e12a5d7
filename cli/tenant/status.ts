import * as z from 'zod/mini';
import { createClient } from '../client.ts';
import type { Cli } from '../command.ts';
import { report, type CheckResult } from '../doctor/check.ts';
import { worst } from '../doctor/examine.ts';
import { failed } from '../failure.ts';
import type { Output } from '../output.ts';
import { pastable } from '../paste.ts';
import { batches } from '../relay/list.ts';
import { accountStatuses } from '../relay/shapes.ts';
import { about } from '../show.ts';
import { count } from '../text.ts';
import { chosenTenants, type AllOptions } from './list.ts';
import { healthOf } from './deploy.ts';
import { profileOf, asTenant, readTenant } from './store.ts';

/** What a relay says of itself. Absent: it cannot be asked. */
interface Status {
  readonly tenant: string;
  readonly url?: string;
  readonly health: 'ok' | 'fail' | 'unknown';
  readonly doctor?: CheckResult['status'];
  readonly open_incidents?: number;
  /** Those that are silent, or whose webhooks were refused within a day. */
  readonly failing_sources?: readonly string[];
  readonly last_event_at?: string | null;
  readonly version?: string;
  readonly problem?: string;
}

export async function showStatus(cli: Cli, name: string | undefined, options: AllOptions) {
  const names = chosenTenants(name, options);
  if (!names.ok) return names;
  const all = await statusOf(cli, names.value);
  cli.out.show({ items: all }, () => statusTable(cli.out, all));
  const bad = all.filter(isBad).map(({ tenant }) => tenant);
  return bad.length === 0
    ? undefined
    : failed(`${count(bad.length, 'tenant')} ${bad.length === 1 ? 'needs' : 'need'} you: ${bad.join(', ')}`);
}

export async function statusOf(cli: Cli, names: readonly string[]): Promise<readonly Status[]> {
  const { out } = cli;
  const asked: Status[] = [];
  for (const some of batches(names)) {
    out.progress(`asking ${asked.length + some.length} of ${names.length} …`);
    asked.push(...(await Promise.all(some.map((name) => ask(cli, name)))));
  }
  out.progressDone();
  return asked;
}

const isBad = ({ health, doctor, problem, failing_sources = [] }: Status): boolean =>
  health === 'fail' ||
  doctor === 'fail' ||
  failing_sources.length > 0 ||
  (health === 'ok' && problem !== undefined);

const stats = z.object({
  sources: z.record(z.string(), z.object({ last_event_at: z.nullable(z.string()) })),
});

async function ask(cli: Cli, name: string): Promise<Status> {
  const tenant = readTenant(name);
  if (!tenant.ok) return { tenant: name, health: 'fail', problem: tenant.error.message };
  const { url } = tenant.value.settings;
  if (url === undefined) return { tenant: name, health: 'unknown' };
  const found = { tenant: name, url };
  const health = await healthOf(url, 10_000);
  const problem = health === null ? 'does not answer' : `/health answers ${health.status}`;
  if (health?.ok !== true) return { ...found, health: 'fail', problem };
  const client = createClient(() => profileOf(tenant.value, cli.out));
  const relay = client.relay();
  if (!relay.ok) return { ...found, health: 'ok', problem: relay.error.message };
  // Without `POST`, the doctor does not call the gateway: a list must not call a hundred gateways.
  const [inside, counted, accounts] = await Promise.all([
    client.get('/doctor', report),
    client.get('/stats', stats),
    client.get('/status', accountStatuses),
  ]);
  // Its token comes from its own file.
  if (!inside.ok) {
    const { message } = pastable(asTenant(cli, tenant.value), inside.error);
    return { ...found, health: 'ok', problem: message };
  }
  const { version, checks } = inside.value.data;
  const last = counted.ok ? Object.values(counted.value.data.sources) : [];
  return {
    ...found,
    health: 'ok',
    doctor: worst(checks),
    ...(accounts.ok && {
      open_incidents: accounts.value.data.items.reduce((sum, one) => sum + one.open_incidents, 0),
    }),
    failing_sources: failingSources(checks),
    ...(counted.ok && {
      last_event_at: last.map((one) => one.last_event_at ?? '').reduce((a, b) => (a > b ? a : b), '') || null,
    }),
    version,
  };
}

/** Ids of checks are `source:<id>:…` and `rejections:<source>:<reason>`. */
const failingSources = (checks: readonly CheckResult[]): readonly string[] => [
  ...new Set(
    checks.flatMap(({ id, status }) => {
      const [kind, source] = id.split(':');
      const isFailing = kind === 'rejections' ? status !== 'ok' : kind === 'source' && status === 'fail';
      return isFailing && source !== undefined ? [source] : [];
    }),
  ),
];

const COLOURS = { ok: 'green', fail: 'red', warn: 'yellow', unknown: 'cyan' } as const;

/** A row for each tenant: first those that need somebody. */
export function statusTable(out: Output, all: readonly Status[], now = Date.now()): void {
  const paint = (cell: string, text: string): string => {
    const [, colour] = Object.entries(COLOURS).find(([status]) => status === text) ?? [];
    return colour === undefined ? cell : out.style(colour, cell);
  };
  const ago = (at: string | null | undefined): string =>
    at === undefined ? '–' : at === null ? 'never' : `${about((now - Date.parse(at)) / 1_000)} ago`;
  out.table(
    [
      { title: 'TENANT' },
      { title: 'HEALTH', style: paint },
      { title: 'DOCTOR', style: paint },
      { title: 'INCIDENTS', align: 'right' },
      { title: 'FAILING SOURCES', gives: true },
      { title: 'LAST EVENT' },
      { title: 'VERSION' },
      { title: 'CONSOLE', gives: true, optional: 1 },
    ],
    all
      .toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)))
      .map((one) => [
        one.tenant,
        one.health,
        one.doctor ?? '–',
        String(one.open_incidents ?? '–'),
        one.failing_sources?.join(', ') ?? '–',
        ago(one.last_event_at),
        one.version ?? '–',
        one.url !== undefined ? `${one.url}/admin` : one.problem === undefined ? 'not deployed yet' : '–',
      ]),
  );
  for (const { tenant, problem } of all)
    if (problem !== undefined) out.note(`${out.styleNote('yellow', tenant)}  ${problem}`);
}
