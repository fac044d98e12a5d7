import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import * as z from 'zod/mini';
import { terminal } from './ask.ts';
import type { Cli, Run } from './command.ts';
import { ok } from '../src/lib/result.ts';
import { listenForInterrupt } from './interrupt.ts';
import { createOutput } from './output.ts';
import { createProgram, type GlobalOptions } from './program.ts';
import { connect } from './relay/connect.ts';
import { readProfile, relayUrl } from './relay/profile.ts';
import { chosenTenant, clientOf, tenantUrl } from './tenant/relay.ts';

const { env, stdout, stderr, stdin } = process;

// `hookbell events | head` closes the pipe early, which is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const interrupt = listenForInterrupt((message) => createOutput(stdout, stderr, false).note(message));

const run: Run =
  (handler) =>
  async (...args) => {
    const { url, tenant: name, json } = program.opts<GlobalOptions>();
    const tenant = name === undefined ? null : chosenTenant(name, url);
    const out = createOutput(stdout, stderr, json === true);
    const cli: Cli = {
      out,
      env,
      interrupt,
      ask: stdin.isTTY && stderr.isTTY ? terminal : null,
      relayUrl: () => {
        if (tenant === null) return relayUrl(url, env['HOOKBELL_URL']);
        return tenant.ok ? tenantUrl(tenant.value) : tenant;
      },
      relay: () => {
        if (tenant !== null) return tenant.ok ? clientOf(tenant.value, out) : tenant;
        const profile = readProfile(url, env);
        return profile.ok ? ok(connect(profile.value, out)) : profile;
      },
    };
    const done = await handler(cli, ...args);
    out.progressDone();
    if (done.ok) return;
    out.fail(done.error);
    process.exitCode = done.error.exit;
  };

const program = createProgram(run);
for (const command of withSubcommands(program)) {
  command.exitOverride().configureOutput({
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

try {
  if (/^(-V|--version)$/.test(process.argv.slice(2).join(' '))) stdout.write(`${ownVersion()}\n`);
  else await program.parseAsync();
} catch (thrown) {
  process.exitCode = exitCodeOf(thrown);
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Not an option of commander's, which would take `pull --version 3` for it. */
function ownVersion(): string {
  const file = join(import.meta.dirname, '..', 'package.json');
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}

function exitCodeOf(thrown: unknown): number {
  // `--help` and `--version` end like this, too; all else that commander throws is about how it was called.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const detail = thrown instanceof Error ? thrown : new Error(String(thrown));
  stderr.write(`hookbell: this should not have happened: ${detail.message} (HOOKBELL_DEBUG=1 shows where)\n`);
  if (env['HOOKBELL_DEBUG'] === '1') stderr.write(`${detail.stack ?? ''}\n`);
  return 1;
}
