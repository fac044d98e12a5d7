import * as z from 'zod/mini';
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { formHtml } from '../../shared/new-source/form-html.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import type { ServedPage } from '../../simulator/page.ts';
import { DEMO_TOKEN, type Client } from '../client.ts';
import { must } from '../failure.ts';
import { readFolder } from '../folder/read.ts';
import { readConfig, readVersion } from '../relay/config.ts';
import { published, event as eventShape, eventList, message, type Message } from '../relay/shapes.ts';
import { isFinal } from '../../src/schema/states.ts';
import { count } from '../text.ts';

/** The demo's source that is a form, and where its page is on the simulator's server. */
export const FORM_SOURCE = 'contact-form';
export const PAGE_PATH = '/contact';
export const pageUrl = (port: number): string => `http://localhost:${port}${PAGE_PATH}`;

/** The origins of a page on this port of this machine: a browser says the name by which the page was opened. */
export const pageOrigins = (port: number): readonly string[] =>
  ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}`);

const form = z.looseObject({ provider: z.literal('html-form'), origins: z.unknown() });

/** The same documents, with a form that pages of these origins may post. */
export function withOrigins(documents: ConfigSet, origins: readonly string[]): ConfigSet {
  const { data } = form.safeParse(documents.sources[FORM_SOURCE]);
  if (data === undefined) return documents;
  return { ...documents, sources: { ...documents.sources, [FORM_SOURCE]: { ...data, origins } } };
}

/** The page of a shop, with the HTML that `init` prints for this source. */
export function demoPage(source: unknown, relayUrl: string): ServedPage {
  const made = formHtml(source, `${relayUrl}/hooks/${FORM_SOURCE}`);
  if (made === null) throw new Error(`the source ${FORM_SOURCE} of the demo is no form with fields`);
  return { html: `${START}\n${made.html}\n${END}`, headers: headersFor(relayUrl) };
}

const START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contact – the demo's shop</title>
<style>:root { color-scheme: light dark; font-family: system-ui, sans-serif } main { max-width: 30rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>Write to us</h1>`;

const END = '</main>\n</body>\n</html>';

/** The page says its whole address, for the link by which a visitor comes back to it. */
const headersFor = (relayUrl: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action ${relayUrl}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer-when-downgrade',
});

/** The signing secrets of the demonstration. They protect only a relay on this machine. */
export const DEMO_SECRETS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_demo_signing_secret',
  ALERTMANAGER_TOKEN: 'demo-alertmanager-token',
} as const;

/** A webhook as its sender posts it to its source. */
export interface DemoWebhook {
  readonly what: string;
  readonly source: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type DemoSecrets = Readonly<Record<keyof typeof DEMO_SECRETS, string>>;

/** The three webhooks that `npm start` posts: the form of the demo's page, a signed payment, a group of alerts. */
export const demoWebhooks = (now: Date, secrets: DemoSecrets, pageUrl: string): readonly DemoWebhook[] => [
  contactForm(now, pageUrl),
  stripePayment(now, secrets),
  alertmanager(now, secrets),
];

/** A contact form as a browser posts it. The same form within a minute is one event, so each has another text. */
function contactForm(now: Date, pageUrl: string): DemoWebhook {
  const body = new URLSearchParams({
    name: 'Jürgen Müller',
    email: 'juergen@example.com',
    phone: '0151 23456789',
    message:
      'Do you have the *blue* one in 42 & 43?\nI need it by Friday – 100% sure :)\n' +
      `My last order was ${Math.floor(now.getTime() / 1_000)}.`,
  });
  return {
    what: `the form of ${pageUrl}`,
    source: FORM_SOURCE,
    path: `/hooks/${FORM_SOURCE}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: new URL(pageUrl).origin,
      referer: pageUrl,
    },
    body: body.toString(),
  };
}

function stripePayment(now: Date, secrets: DemoSecrets): DemoWebhook {
  const created = Math.floor(now.getTime() / 1_000);
  const session = {
    id: `cs_test_${created}`,
    object: 'checkout.session',
    amount_total: 12_950,
    currency: 'eur',
    payment_status: 'paid',
    customer_details: { name: 'Zoë Schmidt', email: 'zoe@example.com', phone: '+4915187654399' },
  };
  const event = {
    id: `evt_demo_${created}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object: session },
  };
  const body = JSON.stringify(event, null, 2);
  const signature = createHmac('sha256', secrets.STRIPE_WEBHOOK_SECRET).update(`${created}.${body}`);
  return {
    what: 'a Stripe checkout, signed',
    source: 'shop-payments',
    path: '/hooks/shop-payments',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${created},v1=${signature.digest('hex')}`,
    },
    body,
  };
}

/** A notification as Alertmanager sends it (version 4), with three alerts. */
function alertmanager(now: Date, secrets: DemoSecrets): DemoWebhook {
  const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
  const alert = (status: string, alertname: string, instance: string, summary: string, minutes: number) => ({
    status,
    labels: { alertname, instance, service: 'checkout', severity: 'critical' },
    annotations: { summary },
    startsAt: minutesAgo(minutes),
    endsAt: status === 'resolved' ? minutesAgo(0) : '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example/graph',
    fingerprint: `${alertname}-${instance}`.toLowerCase(),
  });
  const notification = {
    version: '4',
    groupKey: '{}:{service="checkout"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'hookbell',
    groupLabels: { service: 'checkout' },
    commonLabels: { service: 'checkout', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example',
    alerts: [
      alert('firing', 'HighErrorRate', 'web-1:9090', '12% of the requests fail (threshold 1%)', 4),
      alert('firing', 'DiskAlmostFull', 'db_main_1:9100', 'Disk /var/lib is 96% full, full in ~2 h', 27),
      alert('resolved', 'LatencyHigh', 'web-2:9090', 'p99 is back under 300 ms', 61),
    ],
  };
  return {
    what: 'an Alertmanager notification, three alerts',
    source: 'alerts',
    path: '/hooks/alerts',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Alertmanager/0.28.1',
      authorization: `Bearer ${secrets.ALERTMANAGER_TOKEN}`,
    },
    body: `${JSON.stringify(notification)}\n`,
  };
}

export const DEMO_LOGIN = { email: 'demo@example.com', apiKey: 'demo-gateway-key' };

type Vars = Readonly<Record<string, string>>;

export type DemoVars = ReturnType<typeof demoVars>;

/** The gateway of an account, and its login. */
const OF_AN_ACCOUNT = /^GATEWAY_(?:.+_)?(BASE_URL|EMAIL|API_KEY|APP_KEY)$/;

const part = (name: string): string | undefined => OF_AN_ACCOUNT.exec(name)?.[1];

/** A person's own values win over the demo's, except for gateways: the demo must not reach anybody's phone. */
export function demoVars(devVars: Vars, tokenOfEnvironment: string, simulatorUrl: string) {
  const unused = Object.keys(devVars).filter((name) => part(name) !== undefined);
  const own = Object.fromEntries(Object.entries(devVars).filter(([name]) => part(name) === undefined));
  const gateway: Vars = {
    BASE_URL: `${simulatorUrl}/api`,
    EMAIL: DEMO_LOGIN.email,
    API_KEY: DEMO_LOGIN.apiKey,
  };
  const simulated = ['GATEWAY_BASE_URL', 'GATEWAY_EMAIL', 'GATEWAY_API_KEY', ...unused].flatMap((name) => {
    const value = gateway[part(name) ?? ''];
    return value === undefined ? [] : [[name, value] as const];
  });
  const demo = { ...DEMO_SECRETS, ADMIN_TOKEN: DEMO_TOKEN, ...Object.fromEntries(simulated) };
  const environment: Vars = tokenOfEnvironment === '' ? {} : { ADMIN_TOKEN: tokenOfEnvironment };
  // Last: other makers' gateways are simulated, too, whatever anybody sets.
  const vars: Vars & DemoSecrets & { readonly ADMIN_TOKEN: string } = {
    ...demo,
    ...own,
    ...environment,
    GATEWAY_STAND_INS: `${simulatorUrl}/makers`,
  };
  const { ADMIN_TOKEN: adminToken, STRIPE_WEBHOOK_SECRET, ALERTMANAGER_TOKEN } = vars;
  return {
    vars,
    adminToken,
    /** The secrets by which the demo's sources check webhooks. */
    secrets: { STRIPE_WEBHOOK_SECRET, ALERTMANAGER_TOKEN },
    /** The origin of a value: the demo's own values are not secret. Undefined if there is no such variable. */
    originOf: (name: string) => {
      if (name in environment) return 'environment';
      if (name in own) return '.dev.vars';
      return name in demo ? 'demo' : undefined;
    },
    /** Names in `.dev.vars`: those in force, and those that the simulator's values replace. */
    own: Object.keys(own).filter((name) => !(name in environment)),
    unused,
  };
}

/** Reads the configuration in force; null: nothing was ever published. `demo`: the demo's documents, for the page of this run. */
export async function inForce(client: Client, demo: ConfigSet) {
  const { version: number, set } = must(await readConfig(client));
  const version = must(await readVersion(client, number));
  if (version === null) return null;
  return {
    version,
    sources: set.sources,
    /** True if these are the demo's documents and nothing else, for whichever page. */
    isDemo: isDeepStrictEqual(withOrigins(set, []), withOrigins(demo, [])),
    /** True if they are for the page of this run, too. */
    isCurrent: isDeepStrictEqual(set, demo),
  };
}

/** Publishes the demo's documents: for an empty store, or one that has them for a page on another port. */
export async function publishDemo(client: Client, demo: ConfigSet) {
  const query = { note: 'the demo, by npm start' };
  must(await client.request('POST', '/config', published, { query, body: demo }));
  const now = await inForce(client, demo);
  if (now === null) throw new Error('the demo was published, but nothing is active');
  return now;
}

/** The documents of a folder that has no errors. */
export const readSet = (folder: string): ConfigSet => must(readFolder(folder)).set;

/** The looks at a message, 100 ms apart: the script does not wait for one that its account's pace holds back. */
const LOOKS = 100;
const INDENT = 39;

const receipt = z.object({ event: z.string(), messages: z.array(z.string()) });

/** Posts a webhook through the front door; returns lines about its outcome, each at most `columns` wide. */
export async function postAndShow(
  client: Client,
  { what, source, path, headers, body }: DemoWebhook,
  columns: number,
): Promise<readonly string[]> {
  const response = await fetch(client.url + path, { method: 'POST', headers, body });
  const title = `POST /hooks/${source}: ${what}`;
  const { status } = response;
  const text = await response.text();
  if (!response.ok) return [title, `  ${status} ${text}`];
  const { event, messages } = status === 202 ? receipt.parse(JSON.parse(text)) : await ofForm(client, source);
  const lines = [title, `  ${status} ${event}, ${count(messages.length, 'message')}`];
  for (const id of messages) lines.push(...shown(await settled(client, id), columns));
  return lines;
}

/** A browser is answered with a page, which names no event: it is the newest one. */
async function ofForm(client: Client, source: string): Promise<z.output<typeof receipt>> {
  const [newest] = must(await client.get('/events', eventList, { source, limit: 1 })).data.items;
  const { id, messages } = must(await client.get(`/events/${newest?.id}`, eventShape)).data;
  return { event: id, messages: messages.map((one) => one.id) };
}

async function settled(client: Client, id: string): Promise<Message> {
  for (let look = 0; ; look += 1) {
    const one = must(await client.get(`/messages/${id}`, message)).data;
    if (isFinal(one.state) || look >= LOOKS) return one;
    await sleep(100);
  }
}

function shown({ state, kind, phone, params, reason }: Message, columns: number): readonly string[] {
  const { phone: _, ...rest } = params;
  const text = Object.values(rest).join(' | ').replaceAll('\n', ' ⏎ ');
  const room = Math.max(columns - INDENT, 20);
  const line = `  ${state.padEnd(6)} ${kind.padEnd(12)} → ${(phone ?? 'all contacts').padEnd(13)}  `;
  return [
    line + (text.length > room ? `${text.slice(0, room - 1)}…` : text),
    ...(reason === undefined ? [] : [`         ${reason}`]),
  ];
}
