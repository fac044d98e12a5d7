import { execFileSync } from 'node:child_process';
import { timingSafeEqual } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Published } from '../../src/config/load.ts';
import type { Acceptance, Receipt } from '../../src/outbox/state/acceptance.ts';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { ASSETS } from '../e2e/build.ts';
import type * as ColdWorker from './cold-worker.ts';

/** A cold start is a process of its own; N are measured for each size. */
const ROUNDS = 9;
const SIZES = [1, 5, 50, 500] as const;
/** The CPU time that a set of N sources may take beyond a set of one, in ms. */
const BUDGET = { sources: 50, ms: 5 } as const;
/**
 * The CPU time of a cold isolate's first webhook with that number of sources, in ms: the free plan gives a request this
 * much.
 */
const FIRST_WEBHOOK = 10;

const TOKEN = 'token-of-the-measurement';

/** CPU of a cold isolate, in ms. */
const coldSchema = z.object({
  /** Loading the code, which Cloudflare does not count as a request's. */
  code: z.number(),
  /** From the text that KV gives to the source that a webhook names. */
  config: z.number(),
  /** A whole webhook, up to what the outbox is given: the first, with the configuration in it, and the next. */
  first: z.number(),
  next: z.number(),
});
type Cold = z.output<typeof coldSchema>;

/** `npm run bench:cold`: what a cold isolate pays before it answers, by the number of sources that are published. */
async function main(): Promise<void> {
  const [, , bundle, sources, part] = process.argv;
  if (bundle !== undefined) {
    process.stdout.write(JSON.stringify(await coldPart(bundle, Number(sources), part === 'config')));
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cold-'));
  try {
    // As what is deployed is bundled.
    await bundleWorker('test/bench/cold-worker.ts', folder);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    compare(join(folder, 'index.js'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const print = (cells: readonly (string | number)[]): boolean =>
  process.stdout.write(`| ${cells.join(' | ')} |\n`);

function compare(bundle: string): void {
  print(['sources', 'KiB', 'code', 'configuration', 'first webhook', 'next webhook']);
  print(['------:', '--:', '---:', '------------:', '------------:', '-----------:']);
  let ofOne = Infinity;
  for (const sources of SIZES) {
    const rounds = Array.from({ length: ROUNDS }, () => coldStart(bundle, sources));
    const middle = (read: (cold: Cold) => number): number => median(rounds.map((round) => read(round)));
    const config = middle((round) => round.config);
    const first = middle((round) => round.first);
    const parts = [middle(({ code }) => code), config, first, middle(({ next }) => next)];
    const kib = Math.round(JSON.stringify(published(sources)).length / 1_024);
    print([sources, kib, ...parts.map((ms) => `${ms.toFixed(1)} ms`)]);
    if (sources === 1) ofOne = config;
    if (sources <= BUDGET.sources && first > FIRST_WEBHOOK) process.exitCode = 1;
    if (sources === BUDGET.sources && config - ofOne > BUDGET.ms) process.exitCode = 1;
  }
}

function coldStart(bundle: string, sources: number): Cold {
  const run = (part: string): Cold => {
    const args = ['--expose-gc', import.meta.filename, bundle, String(sources), part];
    return lastLine(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  return { ...run('webhook'), config: run('config').config };
}

/** Before it stands what the Worker logs. */
const lastLine = (output: string): Cold => coldSchema.parse(JSON.parse(output.split('\n').at(-1) ?? ''));

/** In a process of its own: nothing of it ran before. */
async function coldPart(bundle: string, sources: number, isConfigOnly: boolean): Promise<Cold> {
  // The platform has it here; Node elsewhere.
  Object.assign(crypto.subtle, { timingSafeEqual });
  await loadNodesOwn();
  const text = JSON.stringify(published(sources));
  const id = `shop-${Math.floor(sources / 2)}`;
  const code = await cpu(() => import(bundle));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the bundle of that file
  const worker = (await import(bundle)) as typeof ColdWorker;
  const env = bindings(text);
  collectGarbage();
  if (isConfigOnly) {
    worker.useFacts(worker.parseFacts(readFileSync(join(ASSETS, FACTS), 'utf8')));
    const config = await cpu(async () => worker.openSource(env.CONFIG, text, id));
    return { code, config, first: 0, next: 0 };
  }
  const post = async (): Promise<void> => {
    const answer = await worker.handleWebhook(webhook(id), { sourceId: id, pathToken: undefined }, env, {
      waitUntil: () => undefined,
    });
    if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  };
  const first = await cpu(post);
  return { code, config: 0, first, next: await cpu(post) };
}

/**
 * Node's `Request`, `Response`, streams, Web Crypto and console are scripts, loaded with their first use: that would count as the Worker's.
 * In workerd they are compiled code.
 */
async function loadNodesOwn(): Promise<void> {
  const body = '{}';
  const request = new Request('https://hooks.example/', { method: 'POST', headers: { accept: '*/*' }, body });
  await crypto.subtle.digest('SHA-256', await readAll(request));
  await new Response(body).text();
  // oxlint-disable-next-line no-console -- it is the console that is loaded
  console.info('a cold start');
}

/** By the stream, as the Worker reads it. */
async function readAll(request: Request): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunk: unknown = (await reader?.read())?.value;
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}

/** Frees the garbage of the start now. A collection during the first webhook would cost that webhook 3 ms more. */
function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run it with --expose-gc');
  globalThis.gc();
}

const receipt = ({ event, messages }: Acceptance): Receipt => ({
  event: event.id,
  duplicate: false,
  messages: messages.map((_, index) => `msg_${index}`),
});

const FACTS = 'facts.json';

/** KV that has the text, assets that have the facts, and an outbox that takes everything. */
function bindings(text: string): Env {
  // The asset server's answer: an isolate gets it; making it, in Node by a script, is not its work.
  const facts = new Response(readFileSync(join(ASSETS, FACTS)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the trip of a webhook uses nothing else of it
  return {
    HOOK_SECRET: TOKEN,
    CONFIG: { get: () => Promise.resolve(text) },
    ASSETS: { fetch: () => Promise.resolve(facts) },
    OUTBOX: { getByName: () => ({ accept: (taken: Acceptance) => Promise.resolve(receipt(taken)) }) },
  } as unknown as Env;
}

const webhook = (id: string): Request =>
  new Request(`https://hooks.example/hooks/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({
      id: 'order_1',
      state: 'paid',
      amount: 1_999,
      currency: 'EUR',
      customer: { name: 'Ada', phone: '0151 12345678' },
      items: [{ name: 'tea' }, { name: 'cups' }],
    }),
  });

/** Sources as shops have them: a token, three routes, two templates of their own and one of all. */
function published(count: number): Published {
  const ids = Array.from({ length: count }, (_, index) => `shop-${index}`);
  const sources = ids.map((id) => [id, sourceDocument(id)] as const);
  const templates = ids.flatMap((id) => [
    [
      `${id}-paid`,
      {
        kind: 'text',
        message:
          'Thanks {{ payload.customer.name | default: "you" }}!\nWe got *{{ payload.amount | money: payload.currency }}* for {% for item in payload.items %}{{ item.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}.\n',
      },
    ] as const,
    [
      `${id}-sent`,
      {
        kind: 'text',
        message: 'Order {{ payload.id | upcase }} left on {{ event.received_at | datetime: "long" }}.',
      },
    ] as const,
  ]);
  const set = {
    sources: Object.fromEntries(sources),
    templates: Object.fromEntries([
      ...templates,
      [
        'for-all',
        {
          kind: 'text',
          message: 'New order {{ payload.id }}: {{ payload.amount | money: payload.currency }}',
        },
      ],
    ]),
    recipients: { owners: { numbers: ['4915112345678', '4915187654321'] } },
    accounts: { default: { rate: { per_minute: 30, burst: 5 } }, sales: { rate: false } },
    silences: {},
  };
  return { activation: 1, version: 1, set };
}

const sourceDocument = (id: string) => ({
  verify: { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
  secrets: ['HOOK_SECRET'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  dedupe: { key: '{{ payload.id }}-{{ payload.state }}', window: '3d' },
  routes: [
    {
      name: 'paid',
      when: 'payload.state == "paid" and payload.amount > 0',
      to: '{{ payload.customer.phone }}',
      template: `${id}-paid`,
    },
    {
      name: 'sent',
      when: 'payload.state == "sent"',
      to: '{{ payload.customer.phone }}',
      template: `${id}-sent`,
    },
    { name: 'owners', to: ['owners', '4930123456'], template: 'for-all', priority: 'high', expires: '1d' },
  ],
});

async function cpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

await main();
