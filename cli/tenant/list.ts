import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { type CommandResult, failed, misused } from '../failure.ts';
import { readFolder } from '../folder/read.ts';
import { TENANTS } from './paths.ts';
import { readTenant, tenantNames, refuseShared, asTenant, noTenant } from './store.ts';
import { checkFolder, refuseUnlessGood } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { pastable } from '../paste.ts';
import { count } from '../text.ts';

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

/** A row of the list; with `problem`, its files cannot be read. */
function rowOf(name: string) {
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

export interface AllOptions {
  readonly all?: true;
  /** The tenant before the others, which wait until it is done well. */
  readonly first?: string;
}

/** The tenants that a command is for, in this order: the one that is named, or all. */
export function chosenTenants(
  name: string | undefined,
  { all, first }: AllOptions,
): CommandResult<readonly string[]> {
  if ((name === undefined) !== (all === true)) return misused('give either the name of a tenant or --all');
  if (name !== undefined)
    return first === undefined ? ok([name]) : misused('--first is for --all: give both');
  const names = tenantNames();
  if (names.length === 0) return failed(`there are no tenants in ${TENANTS}`);
  if (first === undefined) return ok(names);
  return names.includes(first) ? ok([first, ...names.filter((one) => one !== first)]) : noTenant(first);
}

/** Does the same for each tenant in turn and goes on after a failure, but not after one of `first`. Ends with a table. */
export async function forEachTenant(
  { out }: Cli,
  names: readonly string[],
  first: string | undefined,
  work: (name: string) => Promise<CommandResult<string>>,
): Promise<CommandResult | void> {
  const rows: { tenant: string; result: 'ok' | 'failed' | 'not tried'; detail: string }[] = [];
  for (const tenant of names) {
    const [before] = rows;
    if (first !== undefined && before?.result === 'failed') {
      rows.push({ tenant, result: 'not tried', detail: `since ${first} failed` });
      continue;
    }
    const done = await work(tenant);
    if (!done.ok) out.fail(done.error);
    if (!out.isJson && names.length > 1) out.line();
    const detail = done.ok ? done.value : done.error.message;
    rows.push({ tenant, result: done.ok ? 'ok' : 'failed', detail });
  }
  out.show({ items: rows }, () =>
    out.table(
      [
        { title: 'TENANT' },
        { title: 'RESULT', style: (cell, text) => out.style(text === 'ok' ? 'green' : 'red', cell) },
        { title: 'DETAIL', wraps: true },
      ],
      rows.map(({ tenant, result, detail }) => [tenant, result, detail]),
    ),
  );
  const bad = rows.filter(({ result }) => result === 'failed');
  return bad.length === 0
    ? undefined
    : failed(`${count(bad.length, 'tenant')} failed: ${bad.map(({ tenant }) => tenant).join(', ')}`);
}
