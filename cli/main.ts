import { type Command, CommanderError } from 'commander';
import type { Cli, RunCommand } from './command.ts';
import { commandsFor, createProgram, type GlobalOptions, withCommandMeant } from './commands.ts';
import { packageVersion } from './doctor/changes.ts';
import { createClient, type Client, DEFAULT_URL, readProfile, relayUrl } from './client.ts';
import type { Io } from './io.ts';
import { createOutput, type Output } from './output.ts';
import { pastable, pasteContext, pasting, programName } from './paste.ts';
import { placeAt, placeOfTenant } from './place.ts';
import { workerOf } from './tenant/paths.ts';
import { STANDARD_COLUMNS } from './text.ts';

/** Runs `hookbell` in the current folder, changes nothing of the process, and returns the exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let exit = 0;
  const run: RunCommand =
    (handler) =>
    async (...given) => {
      const cli = await cliOf(program.opts<GlobalOptions>(), io, (code) => (exit = code));
      const done = await handler(cli, ...given);
      cli.out.progressDone();
      if (done === undefined || done.ok) return;
      cli.out.fail(pastable(cli, done.error));
      exit = done.error.exit;
    };
  const program = createProgram(run, await commandsFor(args)).name(programName(io.env));
  program.hook('preAction', async (_, command) => {
    if (!command.registeredArguments.some((one) => one.name() === 'folder')) return;
    const { chooseFolder } = await import('./tenant/folder.ts');
    chooseFolder(command, program.opts<GlobalOptions>(), io.env);
  });
  for (const command of withSubcommands(program)) writeTo(command, io);
  try {
    // Not an option of commander: that would also match `pull --version 3`.
    if (/^(-V|--version)$/.test(args.join(' '))) io.stdout.write(`${packageVersion()}\n`);
    else await program.parseAsync(args, { from: 'user' });
  } catch (thrown) {
    return exitCodeOf(thrown, io);
  }
  return exit;
}

async function cliOf(options: GlobalOptions, io: Io, exitWith: Cli['exitWith']): Promise<Cli> {
  const { url, tenant: name, json } = options;
  const { env } = io;
  const out = createOutput(io, json === true);
  const of = name === undefined ? null : await tenantOf(name, url, out);
  const context = pasteContext(options, env);
  return {
    ...io,
    out,
    exitWith,
    ...pasting(context, of?.place ?? placeAt(context.url ?? DEFAULT_URL)),
    tenant: of?.tenant ?? null,
    relayUrl: () => (of === null ? relayUrl(url, env['HOOKBELL_URL']) : of.relayUrl()),
    client: createClient(() => (of === null ? readProfile(url, env, out) : of.profile())),
  };
}

/** A tenant and its relay. The code that reads tenants is loaded only then: it brings the schemas of documents. */
async function tenantOf(
  name: string,
  url: string | undefined,
  out: Output,
): Promise<Pick<Cli, 'place' | 'relayUrl' | 'tenant'> & { readonly profile: Client['relay'] }> {
  const { chosenTenant, profileOf, tenantUrl } = await import('./tenant/store.ts');
  const tenant = chosenTenant(name, url);
  return {
    tenant,
    place: placeOfTenant(tenant.ok ? tenant.value : { name, worker: workerOf(name) }),
    relayUrl: () => (tenant.ok ? tenantUrl(tenant.value) : tenant),
    profile: () => (tenant.ok ? profileOf(tenant.value, out) : tenant),
  };
}

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

function writeTo(command: Command, { stdout, stderr }: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? STANDARD_COLUMNS,
    getErrHelpWidth: () => stderr.columns ?? STANDARD_COLUMNS,
    // One line: "error: unknown command 'evnts'\n(Did you mean events?)"
    outputError: (text, write) => write(`hookbell: ${withCommandMeant(oneLineOf(text), command)}\n`),
  });
}

const oneLineOf = (text: string): string =>
  text
    .trim()
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ');

function exitCodeOf(thrown: unknown, { stderr, env }: Io): number {
  // `--help` ends like this, too; everything else that commander throws is wrong usage.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const detail = thrown instanceof Error ? thrown : new Error(String(thrown));
  stderr.write(`hookbell: this should not have happened: ${detail.message} (HOOKBELL_DEBUG=1 shows where)\n`);
  if (env['HOOKBELL_DEBUG'] === '1') stderr.write(`${detail.stack ?? ''}\n`);
  return 1;
}
