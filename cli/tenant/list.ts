import * as z from 'zod/mini';
import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { report } from '../doctor/check.ts';
import { worst } from '../doctor/examine.ts';
import type { CommandResult } from '../failure.ts';
import { readFolder } from '../folder/read.ts';
import type { Output } from '../output.ts';
import type { Column } from '../table.ts';
import { clientOf } from './relay.ts';
import { TENANTS } from './paths.ts';
import { readTenant, tenantNames } from './store.ts';

export interface TenantListOptions {
  readonly status?: true;
}

/** The relays that are called at once. */
const AT_ONCE = 8;

interface TenantRow {
  readonly tenant: string;
  readonly worker: string | null;
  readonly url: string | null;
  readonly sources: number | null;
  /** The reason for which its files cannot be read. */
  readonly problem?: string;
  readonly status?: Status;
}

interface Status {
  readonly health: 'ok' | 'fail' | 'unknown';
  /** The worst status of its doctor's checks. */
  readonly doctor?: string;
  readonly version?: string;
  readonly config_version?: number;
  readonly problem?: string;
}

/** `tenant list`: the folders, and with `--status` the state of each relay. */
export async function listTenants(cli: Cli, { status }: TenantListOptions): Promise<CommandResult> {
  const { out } = cli;
  const rows = tenantNames().map(rowOf);
  const shown = status === true ? await askAll(cli, rows) : rows;
  out.show({ items: shown }, () => {
    if (shown.length === 0)
      out.line(`no tenants in ${TENANTS}; \`${cli.paste('tenant', 'add')} <name>\` creates one`);
    else table(cli, shown, status === true);
  });
  return ok(undefined);
}

async function askAll({ out }: Cli, rows: readonly TenantRow[]): Promise<readonly TenantRow[]> {
  const asked: TenantRow[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    out.progress(`asking ${Math.min(at + AT_ONCE, rows.length)} of ${rows.length} …`);
    asked.push(...(await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => withStatus(out, row)))));
  }
  out.progressDone();
  return asked;
}

function rowOf(name: string): TenantRow {
  const tenant = readTenant(name);
  if (!tenant.ok)
    return { tenant: name, worker: null, url: null, sources: null, problem: tenant.error.message };
  const { worker, settings, paths } = tenant.value;
  const folder = readFolder(paths.documents);
  return {
    tenant: name,
    worker,
    url: settings.url ?? null,
    sources: folder.ok ? Object.keys(folder.value.set.sources).length : null,
    ...(!folder.ok && { problem: folder.error.message }),
  };
}

async function withStatus(out: Output, row: TenantRow): Promise<TenantRow> {
  return row.url === null
    ? { ...row, status: { health: 'unknown', problem: 'not deployed from here yet' } }
    : { ...row, status: await ask(out, row.tenant, row.url) };
}

const versions = z.object({ items: z.array(z.object({ version: z.number(), active: z.boolean() })) });

/** Checks one relay, with its own token. Without a token here, only its health is checked. */
async function ask(out: Output, name: string, url: string): Promise<Status> {
  const health = await fetch(`${url}/health`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null);
  await health?.body?.cancel();
  if (health?.ok !== true)
    return {
      health: 'fail',
      problem: health === null ? 'does not answer' : `/health answers ${health.status}`,
    };
  const tenant = readTenant(name);
  const client = tenant.ok ? clientOf(tenant.value, out) : tenant;
  if (!client.ok) return { health: 'ok', problem: client.error.message };
  // Without `POST`, the doctor does not call the gateway: a list must not call a hundred gateways.
  const [inside, published] = await Promise.all([
    client.value.get('/doctor', report),
    client.value.get('/config/versions', versions, { limit: 50 }),
  ]);
  if (!inside.ok) return { health: 'ok', problem: inside.error.message };
  const active = published.ok ? published.value.data.items.find((one) => one.active)?.version : undefined;
  const { version, checks } = inside.value.data;
  return {
    health: 'ok',
    doctor: worst(checks),
    version,
    ...(active !== undefined && { config_version: active }),
  };
}

function table({ out }: Cli, rows: readonly TenantRow[], hasStatus: boolean): void {
  const colour = { ok: 'green', fail: 'red', warn: 'yellow', unknown: 'cyan' } as const;
  const paint = (cell: string, text: string): string =>
    text in colour
      ? out.style(
          colour[text === 'ok' ? 'ok' : text === 'fail' ? 'fail' : text === 'warn' ? 'warn' : 'unknown'],
          cell,
        )
      : cell;
  const columns: Column[] = [
    { title: 'TENANT' },
    // The address shows it as well, and there is more to show.
    ...(hasStatus ? [] : [{ title: 'WORKER', gives: true }]),
    { title: 'SOURCES', align: 'right' },
    ...(hasStatus
      ? [
          { title: 'HEALTH', style: paint },
          { title: 'DOCTOR', style: paint },
          { title: 'CODE' },
          { title: 'CONFIG', align: 'right' } as const,
        ]
      : []),
    { title: 'ADDRESS', gives: true },
  ];
  out.table(
    columns,
    rows.map(({ tenant, worker, sources, status, url }) => [
      tenant,
      ...(hasStatus ? [] : [worker ?? '?']),
      sources === null ? '?' : String(sources),
      ...(hasStatus
        ? [
            status?.health ?? '',
            status?.doctor ?? '–',
            status?.version ?? '–',
            String(status?.config_version ?? '–'),
          ]
        : []),
      url ?? 'not deployed yet',
    ]),
  );
  for (const { tenant, problem, status } of rows) {
    const why = problem ?? (status?.health === 'unknown' ? undefined : status?.problem);
    if (why !== undefined) out.note(`${out.styleNote('yellow', tenant)}  ${why}`);
  }
}
