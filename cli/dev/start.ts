import '../facts.ts';
import { mkdirSync, readFileSync, writeFileSync, appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { randomBytes } from 'node:crypto';
import type { Call } from '../../simulator/call-log.ts';
import type { ServedPage } from '../../simulator/page.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { ROOT } from '../built.ts';
import { createClient, type Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { changedAt, readStarted, STARTED } from '../doctor/dev-vars.ts';
import { must } from '../failure.ts';
import { sessionLink, published } from '../relay/shapes.ts';
import {
  postAndShow,
  readSet,
  inForce,
  publishDemo,
  demoPage,
  FORM_SOURCE,
  PAGE_PATH,
  pageOrigins,
  pageUrl,
  withOrigins,
  DEMO_LOGIN,
  demoVars,
  type DemoVars,
  DEMO_SECRETS,
  demoWebhooks,
} from './demo.ts';
import { unreadableStoreText, startDevRelay } from './relay.ts';
import { nextSteps } from './next-steps.ts';
import type { RealPhone } from './real-phone.ts';
import type { Env } from '../io.ts';
import { decodeUtf8 } from '../../src/lib/encoding.ts';
import { ok } from '../../src/lib/result.ts';
import type { Output } from '../output.ts';
import { diffSets } from '../diff/documents.ts';
import { checkFolder } from '../folder/check.ts';
import { countByKind } from '../folder/kinds.ts';
import { showProblem } from '../folder/problem.ts';
import { pastable, pasted, programName } from '../paste.ts';
import { readConfig, readVersion } from '../relay/config.ts';
import { count } from '../text.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { namedSecrets } from '../../src/config/secrets/named-secrets.ts';
import { readFolderOrNothing } from '../folder/read.ts';

export interface DevOptions {
  /** The documents to publish; null: the demo's, into an empty store. */
  readonly folder: string | null;
  /** The tenant whose documents they are: its relay has a store of its own. */
  readonly tenant: string | null;
  readonly port: number;
  readonly simulatorPort: number;
  readonly phone: RealPhone | null;
}

/** In a pipe. */
const STANDARD_WIDTH = 132;

/** Starts a relay with a simulated gateway and phone, and runs until it is stopped. Throws when it cannot start. */
export async function startDev(
  cli: Cli,
  { folder, tenant, port, simulatorPort, phone }: DevOptions,
): Promise<void> {
  const { out, env } = cli;
  const print = (line = ''): void => out.line(line);
  // Another program on the port would answer in place of the relay.
  if (!(await isFree(port))) throw new Error(`port ${port} is in use; choose another with PORT=…`);
  const place = tenant === null ? '.wrangler' : join('.wrangler', 'dev', tenant);
  const startedFile = resolve(place, basename(STARTED));
  const other = await portOfOther(startedFile);
  if (other !== null)
    throw new Error(
      `the relay on port ${other} uses the store in ${place}, which two relays would mix up: stop it first, or start this one in another folder`,
    );
  if (phone !== null && URL.parse(phone.baseUrl)?.port === String(simulatorPort))
    throw new Error(
      '--phone names this simulator itself: give an ntfy server, or a simulator on another port',
    );
  print('hookbell: starting the relay and a simulated gateway …');
  const file = resolve('.dev.vars');
  const known = readDevVars(file);
  const missing = folder === null ? [] : missingSecrets(folder, known);
  if (missing.length > 0) {
    makeUpSecrets(file, missing);
    print(`Made up for this machine, and added to .dev.vars: ${missing.join(', ')}.`);
  }
  const readAt = changedAt(file);
  const pages = new Map<string, ServedPage>();
  const simulator = await startSimulator({
    port: simulatorPort,
    pages,
    credentials: DEMO_LOGIN,
    ...(phone !== null && { onCall: (call) => void showOn(print, phone, call) }),
  });
  if (phone !== null)
    print(
      `Messages also go to ${phone.baseUrl}/${phone.topic}: subscribe to it in the ntfy app. Anyone who guesses a public topic can read them.`,
    );
  const logFile = resolve(place, 'start.log');
  const demo = demoVars(readDevVars(file), env['ADMIN_TOKEN'] ?? '', simulator.url);
  for (const line of whoseValues(demo, missing)) print(line);
  const relay = await startDevRelay({
    port,
    storeDir: resolve(place, 'demo'),
    logFile,
    // The address that links of actions begin with.
    vars: { PUBLIC_URL: `http://localhost:${port}`, ...demo.vars },
  }).catch(async (thrown: unknown) => {
    await simulator.close();
    throw thrown;
  });
  // For `doctor`, which says when `.dev.vars` is newer.
  mkdirSync(dirname(startedFile), { recursive: true });
  writeFileSync(startedFile, JSON.stringify({ port, at: readAt, pid: process.pid }));
  const stop = (): void => void relay.stop().then(() => simulator.close());
  cli.interrupt.handle(stop);
  onOrphaned(env, stop);

  try {
    const client = createClient(() => ok({ url: relay.url, token: demo.adminToken }));
    const { sources, isDemo } =
      folder === null
        ? await showDemo(out, client, simulatorPort, pages, demo)
        : { sources: await publishFolder(cli, client, folder), isDemo: false };
    print();
    const { url: link } = must(await client.post('/session/link', sessionLink)).data;
    const phoneUrl = `http://localhost:${simulatorPort}`;
    const { url } = client;
    const log = join(place, 'start.log');
    nextSteps({ url, phoneUrl, isDemo, sources, link, demo, tenant, log, env }).forEach((line) =>
      print(line),
    );
  } catch (thrown) {
    await relay.stop();
    await simulator.close();
    const unreadable = unreadableStoreText(logFile, join(place, 'demo'));
    throw unreadable === null ? thrown : new Error(unreadable, { cause: thrown });
  }
  await relay.exited;
}

/** Publishes the demo into an empty store, and posts its webhooks where it is in force. */
async function showDemo(
  out: Output,
  client: Client,
  simulatorPort: number,
  pages: Map<string, ServedPage>,
  demo: DemoVars,
) {
  const documents = withOrigins(readSet(join(ROOT, 'examples/demo')), pageOrigins(simulatorPort));
  const before = await inForce(client, documents);
  const isStale = before === null || (before.isDemo && !before.isCurrent);
  const now = isStale ? await publishDemo(client, documents) : before;
  for (const line of whatIsInForce(now, isStale, demo)) out.line(line);
  if (!now.isDemo) return now;
  pages.set(PAGE_PATH, demoPage(now.sources[FORM_SOURCE], client.url));
  const width = out.columns === Infinity ? STANDARD_WIDTH : out.columns;
  for (const webhook of demoWebhooks(new Date(), demo.secrets, pageUrl(simulatorPort))) {
    out.line();
    for (const line of await postAndShow(client, webhook, width)) out.line(line);
  }
  return now;
}

async function showOn(print: (line: string) => void, phone: RealPhone, call: Call): Promise<void> {
  const wrong = await phone.show(call);
  if (wrong !== null) print(`A message did not reach the topic ${phone.topic}: ${wrong}.`);
}

/** Names the person's values that are in force, and those that are not. Shows no values, and skips made-up ones. */
function whoseValues({ own: all, unused, originOf }: DemoVars, madeUp: readonly string[]): readonly string[] {
  const own = all.filter((name) => !madeUp.includes(name));
  return [
    ...(originOf('ADMIN_TOKEN') === 'environment' ? ['Your value from the environment: ADMIN_TOKEN.'] : []),
    ...(own.length > 0 ? [`Your values from .dev.vars: ${own.join(', ')}.`] : []),
    ...(unused.length > 0
      ? [`Not used, so that no message reaches a real phone: ${unused.join(', ')}.`]
      : []),
  ];
}

function whatIsInForce(
  { isDemo, sources, version: of }: Awaited<ReturnType<typeof publishDemo>>,
  isNew: boolean,
  { originOf }: DemoVars,
): readonly string[] {
  const { version, published_at, by, note } = of;
  if (isNew) return [`Published the demo (folder demo) as version ${version}.`];
  const at = `${published_at.slice(0, 16).replace('T', ' ')} UTC`;
  const who = `published ${at} by ${by === 'token' ? 'the admin token' : by}`;
  if (isDemo) return [`Version ${version} is active: the demo, ${who}.`];
  const names = Object.keys(sources);
  const standIns = Object.keys(DEMO_SECRETS).filter(
    (name) => originOf(name) === 'demo' && JSON.stringify(sources).includes(`"${name}"`),
  );
  return [
    `Version ${version} is active (${note}), ${who}.`,
    `It was left as it is, without the demo. Sources: ${names.length === 0 ? 'none' : names.join(', ')}.`,
    ...(standIns.length > 0
      ? [`These have the demo's values; for real senders, set your own in .dev.vars: ${standIns.join(', ')}.`]
      : []),
  ];
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, 'localhost', () => probe.close(() => done(true)));
  });

/** The port of another relay that runs from this file's store; null: none does. */
async function portOfOther(startedFile: string): Promise<number | null> {
  const other = readStarted(startedFile);
  if (other?.pid === undefined || !isRunning(other.pid)) return null;
  // After a restart of the machine, the number may be another program's.
  return (await isFree(other.port)) ? null : other.port;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The variables of `.dev.vars`; none if there is no such file. Empty ones count as not set. */
export function readDevVars(file: string): Readonly<Record<string, string>> {
  const text = existsSync(file) ? decodeUtf8(readFileSync(file)) : '';
  // Node, in the commands that are printed, takes a byte order mark for a part of the first name.
  if (text === null || text.startsWith('\ufeff'))
    throw new Error(`${file} is not UTF-8 without a byte order mark (BOM): save it in that encoding`);
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value = '']) =>
      value === '' ? [] : [[name, value] as const],
    ),
  );
}

const LOOK_EVERY_MS = 500;

/**
 * Calls `stop` when npm, which started this process, is gone. npm passes a signal on to the shell that it runs a command
 * in, and not every shell passes it on; a killed npm passes on nothing.
 */
function onOrphaned(env: Env, stop: () => void): void {
  if (env['npm_command'] === undefined && env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** The note of these versions in the list of versions. */
const NOTE = 'the folder, by hookbell dev';

/**
 * Publishes a folder without errors, unless somebody published others: a person may try something in the console. Returns
 * the sources in force.
 */
async function publishFolder(cli: Cli, client: Client, folder: string) {
  const { out, env } = cli;
  const { version, set } = must(await readConfig(client));
  const asBefore = (...lines: readonly string[]) => {
    for (const line of lines) out.line(line);
    return set.sources;
  };
  const checked = await checkFolder(folder, { fixtures: false });
  if (!checked.ok) return asBefore(cli.pasteIn(checked.error.message));
  const { errors, documents, set: own } = checked.value;
  if (errors.length > 0)
    return asBefore(
      `${folder} has ${count(errors.length, 'error')} and is not published:`,
      ...errors.map(showProblem),
    );
  const what = `${folder} (${countByKind(documents)})`;
  if (version > 0 && diffSets(set, own).length === 0)
    return asBefore(`Version ${version} is active: ${what}.`);
  // With an address, since another relay's is meant without one: a tenant's, or that on the default port.
  const push = pasted({ program: programName(env) }, 'push', folder, '--url', client.url);
  if (version > 0 && must(await readVersion(client, version))?.note !== NOTE)
    return asBefore(
      `Version ${version} is active and differs from ${folder}. It was left as it is; \`${push}\` publishes the folder.`,
    );
  const done = await client.request('POST', '/config', published, { body: own, query: { note: NOTE } });
  if (!done.ok) {
    const { message, details = [] } = pastable(cli, done.error);
    return asBefore(`${folder} is not published: ${message}`, ...details.map((one) => `  ${one}`));
  }
  out.line(`Published ${what} as version ${done.value.data.version}.`);
  return own.sources;
}

/** The secrets that the documents of a folder name and that have no value yet. */
export function missingSecrets(folder: string, known: Readonly<Record<string, string>>): readonly string[] {
  const local = readFolderOrNothing(folder);
  if (!local.ok) return [];
  const { config } = compileConfig(local.value.set, 0);
  // The logins of gateways are the simulator's.
  return [...namedSecrets(config).keys()].filter(
    (name) => !name.startsWith('GATEWAY_') && (known[name] ?? '') === '',
  );
}

/** Adds random values for these secrets to a file of variables. Only its user can read it if it is new. */
export function makeUpSecrets(file: string, names: readonly string[]): void {
  const isOpenLine = existsSync(file) && /[^\n]$/.test(readFileSync(file, 'utf8'));
  const lines = names.map((name) => `${name}="${randomBytes(24).toString('base64url')}"\n`);
  appendFileSync(file, (isOpenLine ? '\n' : '') + lines.join(''), { mode: 0o600 });
}
