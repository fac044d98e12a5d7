import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { readFolder } from '../folder/read.ts';
import { TENANTS } from './paths.ts';
import { readTenant, tenantNames, refuseShared } from './store.ts';
import { checkFolder, refuseUnlessGood } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { pastable } from '../paste.ts';
import { chosenTenants, forEachTenant, type AllOptions } from './all.ts';
import { asTenant } from './relay.ts';

interface TenantRow {
  readonly tenant: string;
  readonly worker: string | null;
  readonly url: string | null;
  readonly sources: number | null;
  /** The reason for which its files cannot be read. */
  readonly problem?: string;
}

export function listTenants({ out, paste }: Cli): void {
  const rows = tenantNames().map(rowOf);
  out.show({ items: rows }, () => {
    if (rows.length === 0)
      return out.line(`no tenants in ${TENANTS}; \`${paste('tenant', 'add', 'acme')}\` creates one`);
    out.table(
      [
        { title: 'TENANT' },
        { title: 'WORKER', gives: true },
        { title: 'SOURCES', align: 'right' },
        { title: 'ADDRESS', gives: true },
      ],
      rows.map(({ tenant, worker, sources, url }) => [
        tenant,
        worker ?? '?',
        sources === null ? '?' : String(sources),
        url ?? (worker === null ? '?' : 'not deployed yet'),
      ]),
    );
    for (const { tenant, problem } of rows)
      if (problem !== undefined) out.note(`${out.styleNote('yellow', tenant)}  ${problem}`);
  });
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

export async function checkTenants(cli: Cli, name: string | undefined, options: AllOptions) {
  const names = chosenTenants(name, options);
  return names.ok ? forEachTenant(cli, names.value, undefined, (one) => checkTenant(cli, one)) : names;
}

async function checkTenant(cli: Cli, name: string): Promise<CommandResult<string>> {
  const tenant = readTenant(name);
  if (!tenant.ok) return tenant;
  const own = refuseShared(tenant.value);
  if (!own.ok) return own;
  const checked = await checkFolder(tenant.value.paths.documents);
  const good = checked.ok ? refuseUnlessGood(checked.value) : checked;
  if (!good.ok) return { ok: false, error: pastable(asTenant(cli, tenant.value), good.error) };
  return ok(checked.ok ? countByKind(checked.value.documents) : '');
}
