import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { allowed, type Cli } from '../command.ts';
import { failed, type Outcome } from '../failure.ts';
import { derivedFile } from './prepare.ts';
import type { Tenant } from './store.ts';

/**
 * `tenant remove` of a tenant that has no relay: there is nothing to export and no Worker to delete, only the files that
 * `tenant add` and `init` have made. Other files in its folder stay.
 */
export async function removeFiles(
  cli: Cli,
  { name, worker, paths }: Tenant,
  { yes }: { readonly yes?: true },
): Promise<Outcome> {
  const { out } = cli;
  const files = [paths.settings, paths.secrets, paths.secretsExample, paths.documents, derivedFile(name)];
  const there = files.filter((file) => existsSync(file));
  out.note(`${name} was never deployed from here, so there is no Worker to delete. Its files:`);
  for (const file of there) out.note(`  ${file}`);
  const may = await allowed(cli, 'Delete these files?', yes === true);
  if (!may.ok) return may;
  if (!may.value) return failed('nothing was deleted');
  const begun = existsSync(derivedFile(name));
  for (const file of there) rmSync(file, { recursive: true });
  const kept = readdirSync(paths.folder).map((file) => join(paths.folder, file));
  if (kept.length === 0) rmdirSync(paths.folder);
  const left = [...kept, ...(begun ? [`if a deploy was started: npx wrangler delete --name ${worker}`] : [])];
  out.show({ tenant: name, worker, url: null, deleted: there, left }, () => {
    out.line(`${out.style('green', '✓')} the files of ${name} are deleted`);
    for (const line of left) out.line(`  left: ${line}`);
  });
  return ok(undefined);
}
