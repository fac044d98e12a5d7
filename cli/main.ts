import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import * as z from 'zod/mini';
import type { Cli, Run } from './command.ts';
import { commandsFor } from './commands.ts';
import { ok } from '../src/lib/result.ts';
import type { Io } from './io.ts';
import { createOutput, type Output, STANDARD_COLUMNS } from './output.ts';
import { pastable, pasteContext, pasting, programName } from './paste.ts';
import { createProgram, type GlobalOptions } from './program.ts';
import { connect } from './relay/connect.ts';
import { placeAt, placeOfTenant } from './place.ts';
import { DEFAULT_URL, readProfile, relayUrl } from './relay/profile.ts';
import { workerOf } from './tenant/name.ts';

/**
 * Runs `hookbell` with these arguments, and returns the exit code. It changes nothing of the process. Paths are
 * relative to the current folder.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let exit = 0;
  const run: Run =
    (handler) =>
    async (...given) => {
      const cli = await cliOf(program.opts<GlobalOptions>(), io, (code) => (exit = code));
      const done = await handler(cli, ...given);
      cli.out.progressDone();
      if (done.ok) return;
      cli.out.fail(pastable(cli, done.error));
      exit = done.error.exit;
    };
  const program = createProgram(run, await commandsFor(args)).name(programName(io.env));
  program.hook('preAction', async (_, command) => {
    if (!command.registeredArguments.some((argument) => argument.name() === 'folder')) return;
    const { chooseFolder } = await import('./tenant/choose-folder.ts');
    chooseFolder(command, program.opts<GlobalOptions>(), io.env);
  });
  for (const command of withSubcommands(program)) writeTo(command, io);
  try {
    if (/^(-V|--version)$/.test(args.join(' '))) io.stdout.write(`${ownVersion()}\n`);
    else await program.parseAsync(args, { from: 'user' });
  } catch (thrown) {
    return exitCodeOf(thrown, io);
  }
  return exit;
}

async function cliOf(options: GlobalOptions, io: Io, exitWith: Cli['exitWith']): Promise<Cli> {
  const { url, tenant: name, json } = options;
  const { env, readStdin, interrupt, ask } = io;
  const out = createOutput(io, json === true);
  const tenant = name === undefined ? null : await tenantOf(name, url, out);
  const context = pasteContext(options, env);
  const place =
    name === undefined
      ? placeAt(context.url ?? DEFAULT_URL)
      : placeOfTenant(tenant?.tenant.ok === true ? tenant.tenant.value : { name, worker: workerOf(name) });
  return {
    out,
    env,
    readStdin,
    interrupt,
    ask,
    exitWith,
    ...pasting(context, place),
    tenant: tenant?.tenant ?? null,
    relayUrl: () => (tenant === null ? relayUrl(url, env['HOOKBELL_URL']) : tenant.relayUrl()),
    relay: () => {
      if (tenant !== null) return tenant.relay();
      const profile = readProfile(url, env);
      return profile.ok ? ok(connect(profile.value, out)) : profile;
    },
  };
}

/** A tenant and its relay. What reads tenants is loaded only then: it brings the schemas of documents. */
async function tenantOf(name: string, url: string | undefined, out: Output) {
  const { chosenTenant, clientOf, tenantUrl } = await import('./tenant/relay.ts');
  const tenant = chosenTenant(name, url);
  return {
    tenant,
    relayUrl: () => (tenant.ok ? tenantUrl(tenant.value) : tenant),
    relay: () => (tenant.ok ? clientOf(tenant.value, out) : tenant),
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
    outputError: (text, write) =>
      write(
        `hookbell: ${text
          .trim()
          .replace(/^error: /, '')
          .replaceAll(/\s*\n\s*/g, ' ')}\n`,
      ),
  });
}

/** Not an option of commander: that would also match `pull --version 3`. */
function ownVersion(): string {
  const file = join(import.meta.dirname, '..', 'package.json');
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}

function exitCodeOf(thrown: unknown, { stderr, env }: Io): number {
  // `--help` ends like this, too; everything else that commander throws is wrong usage.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const detail = thrown instanceof Error ? thrown : new Error(String(thrown));
  stderr.write(`hookbell: this should not have happened: ${detail.message} (HOOKBELL_DEBUG=1 shows where)\n`);
  if (env['HOOKBELL_DEBUG'] === '1') stderr.write(`${detail.stack ?? ''}\n`);
  return 1;
}
