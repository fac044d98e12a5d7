import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '../simulator/simulator.ts';
import { readSet } from './demo-config.ts';
import { demoWebhooks, DEMO_SECRETS, type DemoWebhook } from './demo-webhooks.ts';
import { DEV_VARS, startRelay } from './relay.ts';
import { readDevVars } from './vars-file.ts';
import { isFinal } from '../src/outbox/state/states.ts';

const ROOT = `${dirname(import.meta.dirname)}/`;
const LOG_FILE = `${ROOT}.wrangler/start.log`;
const DEMO_TOKEN = 'demo-admin-token';
const print = (line = ''): boolean => process.stdout.write(`${line}\n`);

/** `npm start`: relay, simulator, demonstration configuration, three webhooks; then it stays up. */
async function main(): Promise<void> {
  const port = readPort('PORT', 8787);
  const simulatorPort = readPort('SIMULATOR_PORT', 8788);
  await mustBeFree(port);

  print('hookbell: starting the gateway simulator and the relay …');
  const credentials = { email: 'demo@example.com', apiKey: 'demo-gateway-key' };
  const own = readDevVars(DEV_VARS);
  const adminToken = process.env['ADMIN_TOKEN'] || own['ADMIN_TOKEN'] || DEMO_TOKEN;
  const simulator = await startSimulator({ port: simulatorPort, credentials });
  const vars: Readonly<Record<string, string>> = {
    GATEWAY_BASE_URL: `${simulator.url}/api`,
    GATEWAY_EMAIL: credentials.email,
    GATEWAY_API_KEY: credentials.apiKey,
    ADMIN_TOKEN: adminToken,
    ...DEMO_SECRETS,
  };
  // The demonstration must reach nobody's phone.
  const unused = Object.keys(own).filter((name) => name in vars && vars[name] !== own[name]);
  if (unused.length > 0) print(`Not used here, though .dev.vars has them: ${unused.join(', ')}.`);
  const relay = await startRelay({ port, persistTo: `${ROOT}.wrangler/demo`, logFile: LOG_FILE, vars });
  const stop = (): void => void relay.stop().then(() => simulator.close());
  process.once('SIGINT', stop).once('SIGTERM', stop);

  const admin = adminApi(relay.url, adminToken);
  const { version } = await admin<{ version: number }>('POST', '/config', readSet(`${ROOT}demo`));
  print(`Published the demonstration configuration (folder demo) as version ${version}.\n`);
  const webhooks = await demoWebhooks(new Date());
  for (const webhook of webhooks) await postAndShow(relay.url, webhook, admin);
  printNextSteps(relay.url, `http://localhost:${simulatorPort}`, adminToken);
  await relay.exited;
}

type AdminApi = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;

const adminApi =
  (url: string, token: string): AdminApi =>
  async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/admin/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };

interface Message {
  readonly state: string;
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly reason?: string;
}

async function postAndShow(
  url: string,
  { what, path, headers, body }: DemoWebhook,
  admin: AdminApi,
): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const receipt = await readReceipt(response);
  print(`POST ${path.replace(/demo-.*token/, '…')}  ${what}`);
  print(`  ${response.status}  ${receipt.event}, ${receipt.messages.length} messages`);
  for (const id of receipt.messages) printMessage(await settled(admin, id));
  print();
}

const readReceipt = (response: Response): Promise<{ event: string; messages: readonly string[] }> =>
  response.json();

/** The message once it has been sent, or its state after a while. */
async function settled(admin: AdminApi, id: string): Promise<Message> {
  for (let look = 0; ; look += 1) {
    const message = await admin<Message>('GET', `/messages/${id}`);
    if (isFinal(message.state) || look >= 100) return message;
    await sleep(100);
  }
}

function printMessage({ state, kind, phone, params, reason }: Message): void {
  const { phone: _, ...shown } = params;
  const text = Object.values(shown).join(' | ').replaceAll('\n', ' ⏎ ');
  print(
    `  ${state.padEnd(5)} ${kind.padEnd(12)} → ${phone ?? 'all contacts'}  ${text.length > 90 ? `${text.slice(0, 89)}…` : text}`,
  );
  if (reason !== undefined) print(`        ${reason}`);
}

function printNextSteps(url: string, simulatorUrl: string, adminToken: string): void {
  print(`The phone:  ${simulatorUrl}\n`);
  print('Send the next one:');
  print(
    `  curl ${url}/hooks/contact-form/${DEMO_SECRETS.CONTACT_FORM_TOKEN} -d name=Ada -d email=ada@example.com -d 'message=Is anybody there?'\n`,
  );
  print('Read what happened:');
  // The user's own token is not shown; the shell inserts it.
  const token = adminToken === DEMO_TOKEN ? DEMO_TOKEN : '$ADMIN_TOKEN';
  print(`  curl -H "authorization: Bearer ${token}" ${url}/admin/api/v1/messages\n`);
  print(`The relay's log is .wrangler/start.log. Stop with Ctrl-C.`);
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
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Error(`port ${port} is in use; choose another by PORT=…`)));
    probe.listen(port, 'localhost', () => probe.close(() => resolve()));
  });
}

await main().catch((thrown: unknown) => {
  process.stderr.write(`hookbell: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
});
