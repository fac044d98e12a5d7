import '../facts.ts';
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { MIN_NEW_TOKEN_LENGTH, TOKENS } from '../../src/admin/auth/tokens.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { namedSecrets } from '../../src/config/secrets/named-secrets.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import { ROOT } from '../built.ts';
import { failed, type CommandResult } from '../failure.ts';
import { count } from '../text.ts';
import { bindingNames, derive, type JsonObject } from './derive.ts';
import { readSecrets, type Tenant } from './store.ts';

/** The folder of derived configurations: not in git, and never edited by hand. */
const DERIVED = join('.wrangler', 'tenants');

/** The configuration that a tenant is deployed with. */
export const derivedFile = (name: string): string => join(DERIVED, `${name}.json`);

/** The secrets that a tenant must have: those that its documents name, and the token of its admin API. */
export function neededSecrets(set: ConfigSet): ReadonlyMap<string, readonly string[]> {
  const { config } = compileConfig(set, 0);
  return new Map([...namedSecrets(config), ['ADMIN_TOKEN', ['the admin API']]]);
}

/** The tenant's secrets, if all that are needed are there and none would replace a binding. */
export function checkSecrets(
  tenant: Tenant,
  needed: ReadonlyMap<string, readonly string[]>,
  root: JsonObject,
): CommandResult<ReadonlyMap<string, string>> {
  const { secrets: file } = tenant.paths;
  const ignored = isIgnored(file);
  if (ignored === false)
    return failed(
      `${file} would be committed: git does not ignore it; add tenants/*/secrets.env to .gitignore`,
    );
  const secrets = readSecrets(tenant);
  if (!secrets.ok) return secrets;
  const missing = [...needed].filter(([name]) => !secrets.value.has(name));
  if (missing.length > 0)
    return failed(`${count(missing.length, 'secret')} missing in ${file}`, {
      details: missing.map(([name, usedBy]) => `${name}: for ${usedBy.join(', ')}`),
    });
  const short = isNew(tenant) ? TOKENS.find(({ name }) => isShort(secrets.value.get(name))) : undefined;
  if (short !== undefined)
    return failed(
      `${file}: ${short.name} is shorter than ${MIN_NEW_TOKEN_LENGTH} characters; make a random one: openssl rand -base64 32`,
    );
  const taken = [...bindingNames(root), ...Object.keys(tenant.settings.vars ?? {})].find((name) =>
    secrets.value.has(name),
  );
  return taken === undefined
    ? secrets
    : failed(
        `${file}: ${taken} is the name of a binding or variable, which the secret would replace; remove it`,
      );
}

/** True if it was never deployed: a token that a relay already has may be shorter, and its `doctor` warns. */
const isNew = ({ settings }: Tenant): boolean => settings.url === undefined;

const isShort = (token: string | undefined): boolean =>
  token !== undefined && token.length < MIN_NEW_TOKEN_LENGTH;

/** True if git ignores a file. Null: unknown, since this is not a git repository, or git is not installed. */
function isIgnored(file: string): boolean | null {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', file], { stdio: 'ignore' });
  return status === 0 ? true : status === 1 ? false : null;
}

export const isOpenToOthers = (file: string): boolean =>
  process.platform !== 'win32' && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/** Writes the configuration that the tenant is deployed with, each time again, and returns the file's path. */
export function writeDerived(
  tenant: Tenant,
  root: JsonObject,
  secrets: readonly string[],
): CommandResult<string> {
  const { name, worker, settings } = tenant;
  const file = derivedFile(name);
  const path = (given: string): string => relative(dirname(file), join(ROOT, given)).split(sep).join('/');
  const derived = derive(root, { worker, settings, secrets, path });
  if (!derived.ok) return failed(derived.error);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(derived.value, null, 2)}\n`);
  return ok(file);
}
