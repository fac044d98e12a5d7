import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { STARTED } from '../cli/doctor/dev-vars.ts';
import { sessionLink } from '../openapi/schemas/sessions.ts';
import type { Call } from '../simulator/call-log.ts';
import type { ServedPage } from '../simulator/page.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { adminApi } from './admin-api.ts';
import { postAndShow } from './demo-post.ts';
import { readSet } from './demo-config.ts';
import { demoPage, FORM_SOURCE, PAGE_PATH, pageOrigins, withOrigins } from './demo-page.ts';
import { inForce, publishDemo, type StoreContent } from './demo-store.ts';
import { DEMO_LOGIN, demoVars, type DemoVars } from './demo-vars.ts';
import { DEMO_SECRETS, demoWebhooks } from './demo-webhooks.ts';
import { nextSteps } from './next-steps.ts';
import { startRelay } from './relay.ts';
import { realPhone, type RealPhone } from './real-phone.ts';
import { readDevVars } from './vars-file.ts';

const DEMO = join(dirname(import.meta.dirname), 'demo');
const print = (line = ''): boolean => process.stdout.write(`${line}\n`);

/**
 * `npm start`: relay, simulator, and in an empty store the demo and three webhooks; then it stays up. `.dev.vars`, the
 * store and the log are in the current folder, which npm makes the project's.
 */
async function main(): Promise<void> {
  // Here, and not in a script of npm's, which would print its commands first.
  await import('./docs-page.ts');
  await import('./cli-bundle.ts');
  await import('./console.ts');
  const port = readPort('PORT', 8787);
  const simulatorPort = readPort('SIMULATOR_PORT', 8788);
  await mustBeFree(port);

  print('hookbell: starting the gateway simulator and the relay …');
  const phone = chosenPhone(process.argv.slice(2));
  const pages = new Map<string, ServedPage>();
  const simulator = await startSimulator({
    port: simulatorPort,
    pages,
    credentials: DEMO_LOGIN,
    ...(phone !== null && { onCall: (call) => void showOn(phone, call) }),
  });
  if (phone !== null)
    print(
      `Messages also go to ${phone.baseUrl}/${phone.topic}: subscribe to it in the ntfy app. Whoever guesses a public topic reads along.`,
    );
  const readAt = Date.now();
  const demo = demoVars(readDevVars(resolve('.dev.vars')), process.env['ADMIN_TOKEN'] ?? '', simulator.url);
  for (const line of whoseValues(demo)) print(line);
  const relay = await startRelay({
    port,
    persistTo: resolve('.wrangler', 'demo'),
    logFile: resolve('.wrangler', 'start.log'),
    vars: demo.vars,
  });
  // For `doctor`, which says when `.dev.vars` is newer.
  writeFileSync(resolve(STARTED), JSON.stringify({ port, at: readAt }));
  const stop = (): void => void relay.stop().then(() => simulator.close());
  process.once('SIGINT', stop).once('SIGTERM', stop);

  const admin = adminApi(relay.url, demo.adminToken);
  const documents = withOrigins(readSet(DEMO), pageOrigins(simulatorPort));
  const before = await inForce(admin, documents);
  const isStale = before === null || (before.isDemo && !before.isCurrent);
  const now = isStale ? await publishDemo(admin, documents) : before;
  for (const line of whatIsInForce(now, isStale, demo)) print(line);
  print();
  const phoneUrl = `http://localhost:${simulatorPort}`;
  const pageUrl = phoneUrl + PAGE_PATH;
  if (now.isDemo) {
    pages.set(PAGE_PATH, demoPage(now.sources[FORM_SOURCE], relay.url));
    const columns = process.stdout.columns ?? 132;
    for (const webhook of await demoWebhooks(new Date(), demo.secrets, pageUrl)) {
      for (const line of await postAndShow(relay.url, webhook, admin, columns)) print(line);
      print();
    }
  }
  const { env } = process;
  const { url } = relay;
  const link = sessionLink.parse((await admin('POST', '/session/link')).body).url;
  const facts = {
    url,
    phoneUrl,
    pageUrl: now.isDemo ? pageUrl : null,
    link,
    sources: now.sources,
    demo,
    env,
  };
  for (const line of nextSteps(facts)) print(line);
  await relay.exited;
}

/** The phone of `--phone`; null: only the simulated one. */
function chosenPhone(args: readonly string[]): RealPhone | null {
  const { values } = parseArgs({ args: [...args], options: { phone: { type: 'string' } } });
  if (values.phone === undefined) return null;
  const phone = realPhone(values.phone, fetch);
  if (!phone.ok) throw new Error(phone.error);
  return phone.value;
}

async function showOn(phone: RealPhone, call: Call): Promise<void> {
  const wrong = await phone.show(call);
  if (wrong !== null) print(`A message did not reach the topic ${phone.topic}: ${wrong}.`);
}

/** Which values of the person's are in force, and which are not; by their names only. */
function whoseValues({ own, unused, originOf }: DemoVars): readonly string[] {
  return [
    ...(originOf('ADMIN_TOKEN') === 'environment' ? ['Yours, from the environment: ADMIN_TOKEN.'] : []),
    ...(own.length > 0 ? [`Yours, from .dev.vars: ${own.join(', ')}.`] : []),
    ...(unused.length > 0
      ? [`Not used, so that no real phone is reached (the gateway is a simulator): ${unused.join(', ')}.`]
      : []),
  ];
}

/** Which version is in force, and by whom. */
function whatIsInForce(now: StoreContent, isNew: boolean, { originOf }: DemoVars): readonly string[] {
  const { version, publishedAt, by, note, isDemo, sources } = now;
  if (isNew) return [`Published the demo (folder demo) as version ${version}.`];
  const at = `${publishedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const who = `published ${at} by ${by === 'token' ? 'the admin token' : by}`;
  if (isDemo) return [`Version ${version} is in force: the demo, ${who}.`];
  const names = Object.keys(sources);
  const standIns = Object.keys(DEMO_SECRETS).filter(
    (name) => originOf(name) === 'demo' && JSON.stringify(sources).includes(`"${name}"`),
  );
  return [
    `Version ${version} is in force (${note}), ${who}.`,
    `It is left as it is, and the demo is not published. Sources: ${names.length === 0 ? 'none' : names.join(', ')}.`,
    ...(standIns.length > 0
      ? [
          `With the demo's value, which no real sender signs with; set your own in .dev.vars: ${standIns.join(', ')}.`,
        ]
      : []),
  ];
}

function readPort(name: string, standard: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return standard;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${name} must be a port number from 1 to 65535, not ${text}`);
}

/** Wrangler would silently use another port, and the addresses printed here would be wrong. */
async function mustBeFree(port: number): Promise<void> {
  await new Promise<void>((done, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Error(`port ${port} is in use; choose another by PORT=…`)));
    probe.listen(port, 'localhost', () => probe.close(() => done()));
  });
}

await main().catch((thrown: unknown) => {
  process.stderr.write(`hookbell: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
});
