import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Failure } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readFile } from '../folder/read.ts';
import type { Env } from '../io.ts';
import { pasteContext, pastedIn } from '../paste.ts';
import { quoted } from '../text.ts';
import { SETTINGS, TENANTS } from './paths.ts';
import { chosenTenant, type Tenant } from './store.ts';
import { readSettings } from './settings.ts';

/** A folder that was not given is the chosen tenant's; one that was must not be another tenant's. */
export function chooseFolder(
  command: Command,
  { tenant: name, url }: { readonly tenant?: string; readonly url?: string },
  env: Env,
): void {
  const at = command.registeredArguments.findIndex((one) => one.name() === 'folder');
  const argument = command.registeredArguments[at];
  if (argument === undefined) return;
  const fail = ({ message, details = [], exit }: Failure) =>
    command.error(pastedIn(pasteContext({}, env), [message, ...details].join('; ')), { exitCode: exit });
  const tenant = name === undefined ? null : chosenTenant(name, url);
  if (tenant?.ok === false) return fail(tenant.error);
  const isGiven = command.args[at] !== undefined;
  if (tenant !== null && !isGiven && argument.defaultValue !== undefined)
    command.processedArgs[at] = tenant.value.paths.documents;
  const folder = isGiven ? command.args[at] : DEFAULT_FOLDER;
  // It calls no relay.
  if (folder === undefined || command.name() === 'check' || (tenant !== null && !isGiven)) return;
  const why = whyForeign(folder, command.name(), tenant?.value ?? null, url ?? null, env['HOOKBELL_URL']);
  if (why !== null) fail({ message: why, exit: 2 });
}

/** Why a folder is another tenant's than the relay; null: it is not. A push would replace all that this relay has. */
function whyForeign(
  folder: string,
  command: string,
  tenant: Tenant | null,
  url: string | null,
  fromEnv: string | undefined,
): string | null {
  const owner = ownerOf(folder);
  if (owner === null || owner.name === tenant?.name) return null;
  if (tenant !== null) return `${folder} belongs to the tenant ${owner.name}, not to ${tenant.name}`;
  const isItsRelay = owner.url !== undefined && withoutSlash(fromEnv) === withoutSlash(owner.url);
  if (url !== null || isItsRelay) return null;
  return `${folder} belongs to the tenant ${owner.name}: \`npx hookbell --tenant ${quoted(owner.name)} ${command}\` (--url chooses another relay for it)`;
}

const withoutSlash = (address = ''): string => address.replace(/\/+$/, '');

/** The tenant in whose folder this one is; null: none. It is found from wherever the command is run. */
export function ownerOf(folder: string): { readonly name: string; readonly url: string | undefined } | null {
  for (let at = real(folder); dirname(at) !== at; at = dirname(at)) {
    const file = join(at, SETTINGS);
    if (basename(dirname(at)) !== TENANTS || !existsSync(file)) continue;
    const text = readFile(file);
    const settings = text.ok ? readSettings(file, text.value) : text;
    return { name: basename(at), url: settings.ok ? settings.value.url : undefined };
  }
  return null;
}

/** Follows links, as far as there is something. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
