#!/usr/bin/env node
/// <reference types="node" />
// Plain JavaScript that every Node from 20 on runs. The command line itself is TypeScript: a Node that cannot run that
// hands over to the one that the dependency `node` brings.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN_URL = new URL('../cli/process.ts', import.meta.url);
const MAIN = fileURLToPath(MAIN_URL);
/** Set for the other Node, so that one which cannot run TypeScript either does not call itself for ever. */
const HANDED_OVER = 'HOOKBELL_NODE_HANDED_OVER';

if (process.features.typescript) {
  // What was made of the TypeScript is kept for the next call, which then starts in half the time.
  module.enableCompileCache?.();
  await import(MAIN_URL.href);
} else {
  handOver();
}

function handOver() {
  const node = pinnedNode();
  if (node === null || process.env[HANDED_OVER] !== undefined) {
    process.stderr.write(
      `hookbell: Node ${process.versions.node} cannot run TypeScript. Use Node 22.18 or newer, or run \`npm ci\` in ${dirname(dirname(MAIN))}, which brings one.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [MAIN, ...process.argv.slice(2)], {
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

/** The executable of the package `node`; null when it is not installed. */
function pinnedNode() {
  try {
    const folder = dirname(createRequire(MAIN).resolve('node/package.json'));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
