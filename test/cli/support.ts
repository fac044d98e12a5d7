import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject, vi } from 'vitest';
import { z } from 'zod';
import type { Ask } from '../../cli/ask.ts';
import type { Io } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';
import { processClock } from '../clock/processes.ts';
import { lookUntil } from '../eventually.ts';
import type { Place } from './global-setup.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
export const BIN = join(ROOT, 'bin', 'hookbell.mjs');
export const TOKEN = 'admin-token-of-the-tests';

const fileOfPlace = (): string => {
  const file = inject('places')[Number(process.env['VITEST_POOL_ID']) - 1];
  if (file === undefined) throw new Error('more workers than relays: see WORKERS in workers.ts');
  return file;
};
const placeSchema = z.object({ relayUrl: z.string(), phoneUrl: z.string() });

/** The relay and the phone of this worker, which it has for itself. */
const place = (): Place => placeSchema.parse(JSON.parse(readFileSync(fileOfPlace(), 'utf8')));

/** The relays start one after another, beside other tests: the last one is there after a minute on a busy machine (ms). */
const READY_MS = 300_000;

/** Waits until {@link place} is there. */
export const placeReady = (): Promise<Place> => vi.waitFor(place, { timeout: READY_MS, interval: 50 });
export const relayUrl = (): string => place().relayUrl;
export const phoneUrl = (): string => place().phoneUrl;

/** The result of a run of the command line. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Over HOOKBELL_URL and HOOKBELL_TOKEN of the tests' relay. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The width of its terminal, which has no colours; absent: it writes into a pipe. For {@link hookbell}. */
  readonly columns?: number;
  /** The Node to run it with. */
  readonly node?: string;
}

/** A run that is under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Run>;
  /** The output so far. */
  readonly written: () => { readonly stdout: string; readonly stderr: string };
}

/** The variables that a run sees. */
const environment = (over: RunOptions['env']): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TZ: 'UTC',
  HOOKBELL_URL: over?.['HOOKBELL_URL'] ?? relayUrl(),
  HOOKBELL_TOKEN: TOKEN,
  ...over,
});

export function start(args: readonly string[], { cwd, env, input, node }: RunOptions = {}): Running {
  const child = spawn(node ?? process.execPath, [BIN, ...args], {
    cwd: cwd ?? ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Node that is named may be one that cannot import TypeScript.
    env: { ...(node === undefined && processClock()), ...environment(env) },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  child.stdin.end(input ?? '');
  const { promise, resolve } = Promise.withResolvers<Run>();
  child.once('close', (code) => resolve({ code, ...written }));
  return { child, done: promise, written: () => written };
}

/** Runs `hookbell` as people do, to its end: for what a process of its own is needed for. */
export const hookbellProcess = (args: readonly string[], options?: RunOptions): Promise<Run> =>
  start(args, options).done;

/** Runs `hookbell` in this process, to its end: the same but for the start, which takes longer than most commands. */
export async function hookbell(
  args: readonly string[],
  {
    cwd = ROOT,
    env,
    input = '',
    columns,
    ask = null,
  }: Omit<RunOptions, 'node'> & { readonly ask?: Ask | null } = {},
): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const io: Io = {
    stdout: {
      write: (text) => (written.stdout += text),
      ...(columns !== undefined && { isTTY: true, columns }),
    },
    stderr: { write: (text) => (written.stderr += text) },
    env: environment({ ...(columns !== undefined && { NO_COLOR: '1' }), ...env }),
    readStdin: () => input,
    interrupt: {
      handle: () => () => undefined,
      leave: () => {
        throw new Error('nobody presses Ctrl-C in this process');
      },
    },
    ask,
  };
  const code = await inFolder(cwd, () => main(args, io));
  return { code, ...written };
}

const running = { folder: ROOT, runs: 0 };

/** A process is in one folder at a time. */
async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (running.runs > 0 && running.folder !== folder)
    throw new Error('runs at the same time in different folders: use `hookbellProcess` or `start`');
  running.folder = folder;
  running.runs += 1;
  process.chdir(folder);
  try {
    return await run();
  } finally {
    running.runs -= 1;
    if (running.runs === 0) process.chdir(ROOT);
  }
}

/** Runs it with `--json`, and reads its stdout. Throws if it fails, or if stdout is not JSON of the shape. */
export async function json<T>(
  args: readonly string[],
  shape: z.ZodType<T>,
  options?: RunOptions,
): Promise<T> {
  const { stdout, stderr, code } = await hookbell([...args, '--json'], options);
  if (code !== 0) throw new Error(`hookbell ${args.join(' ')}: ${code} ${stderr}`);
  return shape.parse(JSON.parse(stdout));
}

/** A folder of its own for a test, which is deleted after the run. */
export const newFolder = (): string => mkdtempSync(join(dirname(fileOfPlace()), 'test-'));

/** Writes files into a new folder, by their paths in it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A copy of the demonstration's configuration. */
export function demoCopy(): string {
  const folder = newFolder();
  cpSync(join(ROOT, 'demo'), folder, { recursive: true });
  return folder;
}

/** A call of the admin API without the command line. */
export async function admin(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${relayUrl()}/admin/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      // Some tests block this process for longer than the relay keeps a connection open.
      connection: 'close',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json<unknown>();
}

/** A source that anybody may post to, and an account without a pace. */
export const OPEN_SET = {
  sources: {
    open: {
      verify: { scheme: 'none' },
      country: 'DE',
      routes: [
        {
          name: 'hello',
          when: 'payload.phone != blank',
          to: '{{ payload.phone }}',
          send: { kind: 'text', message: 'Hello {{ payload.name }}' },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false } },
};

/** Publishes a whole set, past the command line. */
export const publish = (set: object = OPEN_SET): Promise<unknown> => admin('POST', '/config', set);

const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });

/** Posts JSON to a source; gives what it was answered. */
export async function post(
  path: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<z.output<typeof receipt>> {
  const response = await fetch(`${relayUrl()}/hooks/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  if (response.status !== 202) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return receipt.parse(await response.json());
}

/** Asks again until it holds; a relay works while the test waits. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await lookUntil(holds, Boolean, { withinMs: 50_000, eachMs: 50 })))
    throw new Error(`in vain: ${what}`);
}

const calls = z.object({
  items: z.array(z.object({ to: z.string().nullable(), params: z.record(z.string(), z.string()) })),
});

/** The texts that a number got on the simulated phone. */
export async function phoneTexts(phone: string): Promise<readonly string[]> {
  const response = await fetch(`${phoneUrl()}/_control/calls?phone=${phone}`);
  return calls.parse(await response.json()).items.map(({ params }) => params['message'] ?? '');
}

const messageList = z.object({ items: z.array(z.object({ id: z.string(), state: z.string() })) });

/** Waits until a message is in a state. */
export const untilState = (id: string, state: string): Promise<void> =>
  until(async () => {
    const one = z.object({ state: z.string() }).parse(await admin('GET', `/messages/${id}`));
    return one.state === state;
  }, `${id} ${state}`);

export const messagesIn = async (state: string): Promise<readonly string[]> =>
  messageList.parse(await admin('GET', `/messages?state=${state}`)).items.map(({ id }) => id);

const versionList = z.object({ items: z.array(z.object({ version: z.number(), active: z.boolean() })) });

/** The version in force. */
export async function inForce(): Promise<number> {
  const { items } = versionList.parse(await admin('GET', '/config/versions?limit=200'));
  return items.find(({ active }) => active)?.version ?? 0;
}
