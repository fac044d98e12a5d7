import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { misused, type CommandResult } from '../failure.ts';
import { readFile } from '../folder/read.ts';
import { quoted } from '../text.ts';
import { SETTINGS, TENANTS } from './paths.ts';
import { readSettings } from './settings.ts';
import type { Tenant } from './store.ts';

interface Chosen {
  readonly command: string;
  readonly tenant: Tenant | null;
  readonly url: string | undefined;
  readonly fromEnv: string | undefined;
}

/**
 * Refuses a folder of documents that is another tenant's than the one whose relay is called: a push would replace all
 * that this relay has.
 */
export function refuseForeign(folder: string, { command, tenant, url, fromEnv }: Chosen): CommandResult {
  const owner = ownerOf(folder);
  if (owner === null || owner.name === tenant?.name) return ok(undefined);
  if (tenant !== null) return misused(`${folder} belongs to the tenant ${owner.name}, not to ${tenant.name}`);
  if (url !== undefined || (owner.url !== undefined && withoutSlash(fromEnv) === withoutSlash(owner.url)))
    return ok(undefined);
  return misused(
    `${folder} belongs to the tenant ${owner.name}: \`npx hookbell --tenant ${quoted(owner.name)} ${command}\` (--url chooses another relay for it)`,
  );
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
