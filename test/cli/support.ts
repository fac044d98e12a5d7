import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inject, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { processClock } from '../clock/processes.ts';
import { lookUntil } from '../eventually.ts';
import type { Place } from './global-setup.ts';
import * as offline from './offline.ts';
import type { OwnOptions, Run, RunOptions } from './offline.ts';
import './short-pauses.ts';

export { BIN, demoCopy, folderWith, newFolder, ROOT, TOKEN, widest, words } from './offline.ts';
export type { Run } from './offline.ts';

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

/** A call of the admin API without the command line. */
export async function admin(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${relayUrl()}/admin/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${offline.TOKEN}`,
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

/** Waits until a message is in a state. */
export const untilState = (id: string, state: string): Promise<void> =>
  until(async () => {
    const one = z.object({ state: z.string() }).parse(await admin('GET', `/messages/${id}`));
    return one.state === state;
  }, `${id} ${state}`);

const versionList = z.object({ items: z.array(z.object({ version: z.number(), active: z.boolean() })) });

/** The version in force. */
export async function inForce(): Promise<number> {
  const { items } = versionList.parse(await admin('GET', '/config/versions?limit=200'));
  return items.find(({ active }) => active)?.version ?? 0;
}

/** What the simulated gateway answers from now on. */
export const scriptGateway = (...steps: readonly object[]): Promise<unknown> =>
  fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });

const queued = z.object({ id: z.string() });

/** Sends a message by the API, which is cancelled at the end of the test if it still waits. */
export async function sendTo(to: string): Promise<string> {
  const { id } = queued.parse(await admin('POST', '/messages', { to, kind: 'text', message: 'x' }));
  onTestFinished(async () => void (await admin('POST', `/messages/${id}/cancel`).catch(() => null)));
  return id;
}

const accountState = z.object({
  paused: z.nullable(z.object({ by: z.string() })),
  circuit: z.object({ state: z.string() }),
});

/** Has the gateway answer so to a message, until the account knows that it fails; it is well again after the test. */
export async function failingGateway(step: object): Promise<void> {
  const phone = '4915199999999';
  await scriptGateway({ ...step, match: { phone }, times: 5 });
  onTestFinished(async () => {
    await scriptGateway();
    await admin('POST', '/accounts/default/resume');
    await untilState(await sendTo('4915199999998'), 'sent');
  });
  await sendTo(phone);
  await until(async () => {
    const { paused, circuit } = accountState.parse(await admin('GET', '/accounts/default/status'));
    return paused?.by === 'gateway' || circuit.state === 'open';
  }, 'the account knows that its gateway fails');
}
