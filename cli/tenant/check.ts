import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { checkFolder, refuseUnlessGood } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { pastable } from '../paste.ts';
import { chosenTenants, forEachTenant, type AllOptions } from './all.ts';
import { asTenant } from './run.ts';
import { readTenant, refuseShared } from './store.ts';

/** `tenant check`: the settings and documents of tenants, offline. */
export async function checkTenants(
  cli: Cli,
  name: string | undefined,
  options: AllOptions,
): Promise<CommandResult> {
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
