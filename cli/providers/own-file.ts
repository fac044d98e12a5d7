import '../workerd-crypto.ts';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { NAME } from '../../src/config/documents/name.ts';
import { providerFileErrors } from '../../src/ingest/provider-files.ts';
import { ok } from '../../src/lib/result.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readFile, readOneDocument } from '../folder/read.ts';
import type { NewDocument } from '../init/changes.ts';
import type { OwnProviders } from '../init/starters.ts';

const ENDING = /\.(?:ya?ml|json)$/;

/** The id that an argument means: itself, or the name of the file that it is. */
export const idOf = (given: string): string =>
  ENDING.test(given) ? basename(given).replace(ENDING, '') : given;

/** The providers of these arguments that are files, or that the folder has a file for. */
export async function readOwnProviders(given: readonly string[]): Promise<CommandResult<OwnProviders>> {
  const own: Record<string, unknown> = {};
  for (const one of given) {
    const path = ENDING.test(one) ? one : join(DEFAULT_FOLDER, 'providers', `${one}.yaml`);
    if (path !== one && !existsSync(path)) continue;
    const file = await readOwnProvider(path);
    if (!file.ok) return file;
    own[file.value.name] = file.value.value;
  }
  return ok(own);
}

/** A provider's file of a user, checked as a relay does. */
export async function readOwnProvider(path: string): Promise<CommandResult<NewDocument>> {
  const text = readFile(path);
  if (!text.ok) return text;
  const read = readOneDocument(path);
  if (!read.ok) return read;
  const name = idOf(path);
  if (!NAME.test(name))
    return misused(
      `the name of ${path} must be letters, digits, \`-\` and \`_\`: it is the id of the provider`,
    );
  const errors = await providerFileErrors({ [name]: read.value });
  if (errors.length > 0)
    return failed(`${path} is not valid`, {
      details: errors.map(({ path: at, message }) => `${at.split('.').slice(2).join('.')} ${message}`.trim()),
    });
  const value = typeof read.value === 'object' ? { ...read.value } : {};
  return ok({
    kind: 'providers',
    name,
    value,
    text: path.endsWith('.json') ? writeYaml(value) : text.value,
  });
}
