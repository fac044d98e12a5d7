import type { Command } from 'commander';
import type { Failure } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import type { Env } from '../io.ts';
import { pasteContext, pastedIn } from '../paste.ts';
import type { GlobalOptions } from '../program.ts';
import { refuseForeign } from './folder.ts';
import { chosenTenant } from './relay.ts';

/** A folder that was not given is the chosen tenant's; one that was must not be another tenant's. */
export function chooseFolder(command: Command, { tenant: name, url }: GlobalOptions, env: Env): void {
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
  const fromEnv = env['HOOKBELL_URL'];
  const own = refuseForeign(folder, {
    command: command.name(),
    tenant: tenant?.value ?? null,
    url,
    fromEnv,
  });
  if (!own.ok) fail(own.error);
}
