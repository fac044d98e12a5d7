import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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

/** The files that a deploy uploads beside the Worker. */
export const ASSETS = join(ROOT, 'assets');

/** Bundles the relay and what it needs beside it. Takes a few seconds. */
export function buildBundles(): Bundles {
  const { entry } = relayClock();
  return {
    relay: entry === undefined ? deployed() : bundleHelper(entry),
    limited: bundleHelper('test/e2e/limited-relay.ts'),
    kv: bundleHelper('cli/dev/workerd/kv-worker.ts'),
    compatibilityDate: compatibilityDate(),
  };
}

/** Bundles a Worker that is only there for a test, as the relay is; `entry` is a path in the project. */
export const bundleHelper = (entry: string): string =>
  inNewFolder((folder) => {
    const config = join(folder, 'wrangler.json');
    // Its own: it has none of the relay's objects.
    const settings = {
      name: 'helper',
      compatibility_date: compatibilityDate(),
      minify: true,
      keep_names: false,
    };
    writeFileSync(config, JSON.stringify(settings));
    return bundled(folder, entry, ['--config', config]);
  });

const deployed = (): string => inNewFolder((folder) => bundled(folder, null, []));

/** The bundle that Wrangler would upload. */
function bundled(folder: string, entry: string | null, args: readonly string[]): string {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  execFileSync(
    process.execPath,
    [
      wranglerPath(),
      'deploy',
      ...(entry === null ? [] : [join(ROOT, entry)]),
      ...args,
      '--dry-run',
      '--outdir',
      folder,
    ],
    { cwd: ROOT, stdio: 'pipe', env },
  );
  return readFileSync(join(folder, `${basename(entry ?? 'index.ts', '.ts')}.js`), 'utf8');
}

function inNewFolder(work: (folder: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    return work(folder);
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
