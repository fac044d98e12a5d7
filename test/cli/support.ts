import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inject, vi } from 'vitest';
import { z } from 'zod';
import { processClock } from '../clock/processes.ts';
import type { Place } from './global-setup.ts';
import * as offline from './offline.ts';
import type { OwnOptions, Run, RunOptions } from './offline.ts';
import './short-pauses.ts';

const fileOfPlace = (): string => {
  const file = inject('places')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (file === undefined) throw new Error('more workers than relays: see WORKERS in workers.ts');
  return file;
};
const placeSchema = z.object({ relayUrl: z.string(), phoneUrl: z.string() });

/** The relay and the phone of this worker, which it has for itself. */
const place = (): Place => placeSchema.parse(JSON.parse(readFileSync(fileOfPlace(), 'utf8')));

/** The relays start beside other tests, on a machine that may be busy (ms). */
const READY_MS = 300_000;

/** Waits until {@link place} is there. */
export const placeReady = (): Promise<Place> => vi.waitFor(place, { timeout: READY_MS, interval: 50 });
export const relayUrl = (): string => place().relayUrl;
export const phoneUrl = (): string => place().phoneUrl;

/** A run that is under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Run>;
  /** The output so far. */
  readonly written: () => { readonly stdout: string; readonly stderr: string };
}

export interface StartOptions extends RunOptions {
  /** The Node to run it with. */
  readonly node?: string;
}

const withRelay = (env: RunOptions['env']): Readonly<Record<string, string>> => ({
  HOOKBELL_URL: env?.['HOOKBELL_URL'] ?? relayUrl(),
  ...env,
});

const SHORT_PAUSES = `--import=${new URL('short-pauses.ts', import.meta.url).href}`;

export function start(
  args: string | readonly string[],
  { cwd, env, input, node }: StartOptions = {},
): Running {
  const { NODE_OPTIONS = '', ...clock } = processClock();
  // A Node that is named may be one that cannot import TypeScript.
  const own = node === undefined ? { ...clock, NODE_OPTIONS: `${NODE_OPTIONS} ${SHORT_PAUSES}` } : {};
  const child = spawn(
    node ?? process.execPath,
    [offline.BIN, ...(typeof args === 'string' ? offline.words(args) : args)],
    {
      cwd: cwd ?? offline.ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...own, ...offline.environment(withRelay(env)) },
    },
  );
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  child.stdin.end(input ?? '');
  const { promise, resolve } = Promise.withResolvers<Run>();
  child.once('close', (code) => resolve({ code, ...written }));
  return { child, done: promise, written: () => written };
}

/** Runs `hookbell` as people do, to its end: for what a process of its own is needed for. */
export const hookbellProcess = (args: string | readonly string[], options?: StartOptions): Promise<Run> =>
  start(args, options).done;

/** Runs `hookbell` in this process, to its end, with the relay of this worker. */
export const hookbell = (args: string | readonly string[], options?: OwnOptions): Promise<Run> =>
  offline.hookbell(args, { ...options, env: withRelay(options?.env) });

export const { json, shown, refused, expectRefused } = offline.runsBy(hookbell);
