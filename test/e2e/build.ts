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

/** Bundles the relay and what it needs beside it. Takes a few seconds. */
export function buildBundles(): Bundles {
  return {
    relay: bundleRelay(),
    limited: bundle(CONFIG, 'limited-relay.js', 'test/e2e/limited-relay.ts'),
    kv: bundleHelper('test/e2e/kv-worker.ts'),
    compatibilityDate: compatibilityDate(),
  };
}

/** Bundles a Worker that is only there for a test; `entry` is a path in the project. */
export function bundleHelper(entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-helper-'));
  try {
    // Of its own, since the relay's configuration asks for the relay's classes.
    const config = join(folder, 'wrangler.toml');
    const main = JSON.stringify(join(ROOT, entry));
    writeFileSync(
      config,
      `name = "helper"\nmain = ${main}\ncompatibility_date = "${compatibilityDate()}"\nminify = true\n`,
    );
    return bundle(config, entry.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function bundleRelay(): string {
  const { entry } = relayClock();
  return entry === undefined
    ? bundle(CONFIG, 'index.js')
    : bundle(CONFIG, basename(entry).replace(/\.ts$/, '.js'), entry);
}

function bundle(config: string, output: string, entry?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    execFileSync(
      process.execPath,
      [
        wranglerPath(),
        'deploy',
        ...(entry === undefined ? [] : [entry]),
        '--config',
        config,
        '--dry-run',
        '--outdir',
        folder,
      ],
      { cwd: ROOT, stdio: 'pipe', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
    );
    return readFileSync(join(folder, output), 'utf8');
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
