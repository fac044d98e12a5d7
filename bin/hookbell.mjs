#!/usr/bin/env node
/// <reference types="node" />
// Plain JavaScript that every Node from 20 on runs. In the repository the command line is TypeScript, and its bundle may be
// out of date: a Node that cannot run TypeScript hands over to the one that `npm ci` brings. The package has the bundle alone,
// which runs on Node 20; a project may bring a newer Node, for Wrangler.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
const ROOT = join(SELF, '..', '..');
/** Set for the other Node, so that one which cannot run TypeScript either does not call itself for ever. */
const HANDED_OVER = 'HOOKBELL_NODE_HANDED_OVER';

const args = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(
    `hookbell needs Node 20 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org`,
  );
} else if (args.length === 1 && /^(-V|--version)$/.test(args[0] ?? '')) {
  /** @type {{ readonly version: string }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  const entry = bundle() ?? sources();
  const other = process.features.typescript ? null : pinnedNode();
  if (other !== null && process.env[HANDED_OVER] === undefined) handOver(other);
  else if (entry === null)
    fail(
      `Node ${process.versions.node} cannot run TypeScript. Use Node 22.18 or newer, or run \`npm ci\` in ${ROOT}, which brings one.`,
    );
  else await run(entry);
}

/** @param {string} entry */
async function run(entry) {
  // Node's warnings are about this program and not about its use.
  if (process.env['HOOKBELL_DEBUG'] !== '1') process.removeAllListeners('warning');
  // The compiled JavaScript is kept for the next call.
  module.enableCompileCache?.();
  await import(pathToFileURL(entry).href);
}

/** The sources, where this Node can run them. */
function sources() {
  const entry = join(ROOT, 'cli', 'process.ts');
  return process.features.typescript && existsSync(entry) ? entry : null;
}

/** The bundle by `scripts/cli-bundle.ts`; null: it is out of date, or the sources are asked for. */
function bundle() {
  const hasSources = existsSync(join(ROOT, 'cli', 'process.ts'));
  if (hasSources && process.env['HOOKBELL_DEBUG'] === '1') return null;
  const folder = join(ROOT, 'dist', 'cli');
  try {
    /** @type {{ readonly folder: string, readonly inputs: readonly (readonly [string, number, number])[] }} */
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own file; one that is not whole throws
    const made = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    for (const [file, mtimeMs, size] of hasSources ? made.inputs : []) {
      const now = statSync(join(ROOT, file));
      if (now.mtimeMs !== mtimeMs || now.size !== size) return null;
    }
    const entry = join(folder, made.folder, 'process.js');
    return existsSync(entry) ? entry : null;
  } catch {
    return null;
  }
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`hookbell: ${message}\n`);
  process.exitCode = 1;
}

/** @param {string} node */
function handOver(node) {
  const child = spawn(node, [SELF, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [HANDED_OVER]: '1' },
  });
  // A terminal sends its Ctrl-C to both; the child takes two at once for one. The signal of `kill` comes to this one only.
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    fail(`${node} could not be started: ${error.message}`);
  });
  child.once('exit', (code, signal) => {
    // As shells have it: 130 after Ctrl-C.
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

/**
 * The Node that npm installed for this system (bin/link-node.mjs), in the repository or in the project that has the package;
 * null when it did not.
 */
function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = [join(ROOT, 'node_modules', '.bin'), join(ROOT, '..', '.bin')];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}
