#!/usr/bin/env node
/// <reference types="node" />
// Plain JavaScript that every Node from 20 on runs. The command line itself is TypeScript: a Node that cannot run that
// hands over to the one that `npm ci` brings.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SELF = fileURLToPath(import.meta.url);
/** Set for the other Node, so that one which cannot run TypeScript either does not call itself for ever. */
const HANDED_OVER = 'HOOKBELL_NODE_HANDED_OVER';

const args = process.argv.slice(2);
if (args.length === 1 && /^(-V|--version)$/.test(args[0] ?? '')) {
  /** @type {{ readonly version: string }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
} else if (process.features.typescript) {
  // Node's warnings are about this program and not about its use.
  if (process.env['HOOKBELL_DEBUG'] !== '1') process.removeAllListeners('warning');
  // The compiled JavaScript is kept for the next call.
  module.enableCompileCache?.();
  await import(pathToFileURL(bundle() ?? join(ROOT, 'cli', 'process.ts')).href);
} else {
  handOver();
}

/** The bundle by `scripts/cli-bundle.ts`; null: it is out of date, or the sources are asked for. */
function bundle() {
  if (process.env['HOOKBELL_DEBUG'] === '1') return null;
  const folder = join(ROOT, 'dist', 'cli');
  try {
    /** @type {{ readonly folder: string, readonly inputs: readonly (readonly [string, number, number])[] }} */
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file; one that is not whole throws
    const made = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    for (const [file, mtimeMs, size] of made.inputs) {
      const now = statSync(join(ROOT, file));
      if (now.mtimeMs !== mtimeMs || now.size !== size) return null;
    }
    const entry = join(folder, made.folder, 'process.js');
    return existsSync(entry) ? entry : null;
  } catch {
    return null;
  }
}

function handOver() {
  const node = pinnedNode();
  if (node === null || process.env[HANDED_OVER] !== undefined) {
    process.stderr.write(
      `hookbell: Node ${process.versions.node} cannot run TypeScript. Use Node 22.18 or newer, or run \`npm ci\` in ${ROOT}, which brings one.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [SELF, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [HANDED_OVER]: '1' },
  });
  // A terminal sends its Ctrl-C to both; the child takes two at once for one. What `kill` sends comes to this one only.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`hookbell: ${node} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    // As shells have it: 130 after Ctrl-C.
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

/** The Node that npm installed for this system (scripts/link-node.mjs); null when it did not. */
function pinnedNode() {
  const file = join(ROOT, 'node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : null;
}
