import '../workerd-crypto.ts';
import { basename } from 'node:path';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { NAME } from '../../src/config/documents/name.ts';
import { providerFileErrors } from '../../src/ingest/provider-files.ts';
import { ok } from '../../src/lib/result.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { readFile, readOneDocument } from '../folder/read.ts';
import type { NewDocument } from '../init/documents.ts';

/** A provider's file of a user, checked as a relay does. */
export async function readOwnProvider(path: string): Promise<CommandResult<NewDocument>> {
  const text = readFile(path);
  if (!text.ok) return text;
  const read = readOneDocument(path);
  if (!read.ok) return read;
  const name = basename(path).replace(/\.(?:ya?ml|json)$/, '');
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
