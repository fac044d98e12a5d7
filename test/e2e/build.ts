import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { relayClock } from '../clock/processes.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const CONFIG = join(ROOT, 'wrangler.toml');

/** Workers as ES modules, each the text of one file. */
export interface Bundles {
  /** Exactly what a deploy would upload; at another moment, with the tests' clock below it. */
  readonly relay: string;
  /** The same relay, to which the platform's limit of calls applies; see `limited-relay.ts`. */
  readonly limited: string;
  /** Stands in for the platform's KV. */
  readonly kv: string;
  /** Of `wrangler.toml`. */
  readonly compatibilityDate: string;
}

/** What a deploy uploads beside the Worker. */
export const ASSETS = join(ROOT, 'assets');

/** Bundles the relay and what it needs beside it. Takes a few seconds. */
export function buildBundles(): Bundles {
  const { entry } = relayClock();
  return {
    relay: entry === undefined ? deployed() : bundleHelper(entry),
    limited: bundleHelper('test/e2e/limited-relay.ts'),
    kv: bundleHelper('test/e2e/kv-worker.ts'),
    compatibilityDate: compatibilityDate(),
  };
}

/** Bundles a Worker that is only there for a test, as the relay is; `entry` is a path in the project. */
export const bundleHelper = (entry: string): string =>
  made('bundle.js', (folder) => [join(ROOT, 'scripts/bundle.ts'), entry, join(folder, 'bundle.js')]);

const deployed = (): string =>
  made('worker.js', (folder) => [wranglerPath(), 'deploy', '--dry-run', '--outdir', folder]);

/** The file that a script of Node, called with these arguments, writes into a folder. */
function made(file: string, args: (folder: string) => readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
    execFileSync(process.execPath, args(folder), { cwd: ROOT, stdio: 'pipe', env });
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const wranglerPath = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');

/** Of `wrangler.toml`. */
export function compatibilityDate(): string {
  const date = /^compatibility_date = "(.+)"$/m.exec(readFileSync(CONFIG, 'utf8'))?.[1];
  if (date === undefined) throw new Error('wrangler.toml has no `compatibility_date`');
  return date;
}
