import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { count } from '../text.ts';
import { TENANTS } from './paths.ts';
import { noTenant, tenantNames } from './store.ts';

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
    rows.push(
      done.ok
        ? { tenant, result: 'ok', detail: done.value }
        : { tenant, result: 'failed', detail: done.error.message },
    );
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
