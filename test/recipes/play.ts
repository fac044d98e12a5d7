import { z } from 'zod';
import { ownValue, parseOwnJson } from '../../src/lib/json.ts';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import { languageOf } from '../../src/config/documents/starter-texts.ts';
import { documentsOfRecipe, findRecipe, recipeDocuments } from '../../cli/recipes/recipe.ts';
import type { NewDocument } from '../../cli/init/changes.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { compileWorker, type Program } from '../simulation/platform/bundle.ts';
import { ONE_MACHINE } from '../simulation/platform/isolate.ts';
import { Platform } from '../simulation/platform/platform.ts';
import { NO_PLANTED_FAULT } from '../simulation/platform/seams.ts';
import { passTime } from '../simulation/run/pass-time.ts';
import { BINDINGS, PLACES, RELAY } from '../simulation/simulation.ts';
import { clock, DAY_MS, MONDAY, momentOf, type Post, type Story } from './story.ts';

/** A message as a phone shows it. */
export interface Shown {
  /** ms since 1970. */
  readonly at: number;
  /** A number, or `ntfy`. */
  readonly phone: string;
  readonly text: string;
}

/** A webhook, and what its sender was answered. */
export interface Answered {
  readonly post: Post;
  readonly at: number;
  readonly status: number;
  readonly isDuplicate: boolean;
}

/** A week as it was. */
export interface Week {
  readonly story: Story;
  readonly posts: readonly Answered[];
  readonly shown: readonly Shown[];
  /** What the doctor, and previews of its last webhooks, warn of at its end. */
  readonly warnings: readonly string[];
  /** Returns the lines that a phone shows, `Mon 09:12 text` each. */
  readonly phone: (number: string) => readonly string[];
}

const START = MONDAY - 600_000;

/** Of a time in a text: they are how long the simulated network took. */
const MILLISECONDS = /(?<=:\d\d)\.\d{3}(?=Z)/g;

let program: Promise<Program> | null = null;

/**
 * Plays a week through the whole relay on the simulated platform, without faults: signed webhooks come in at its front door, and the
 * gateway shows what it is given. The clock is the platform's, so a week takes a moment.
 */
export async function playWeek(story: Story): Promise<Week> {
  program ??= compileWorker();
  const platform = new Platform({
    program: await program,
    seed: 1,
    startAt: START,
    duration: 8 * DAY_MS,
    faults: () => [],
    seams: NO_PLANTED_FAULT,
    machines: ONE_MACHINE,
    keepsIdle: true,
    callsPerInvocation: 50,
    only: null,
    onTrace: null,
  });
  const documents = documentsOf(story);
  Object.assign(platform.bindings, secretsOf(documents), { PUBLIC_URL: 'https://relay.example' });
  const shown: Shown[] = [];
  const show = (phone: string, text: string, at: number): void => void shown.push({ at, phone, text });
  platform.outside('gateway.example', ({ body, at }) => {
    const form = new URLSearchParams(body);
    show(form.get('phone') ?? '', withoutTokens(form.get('message') ?? ''), at);
    return {
      kind: 'answer',
      afterMs: 200,
      response: Response.json({ success: true, data: { status_code: 200 } }),
    };
  });
  platform.outside('ntfy.sh', ({ body, at }) => {
    show('ntfy', String(ownValue(parseOwnJson(body), 'message')).replaceAll(MILLISECONDS, ''), at);
    return { kind: 'answer', afterMs: 200, response: new Response('{}') };
  });
  const posts: Answered[] = [];
  let warnings: readonly string[] = [];
  platform.spawn('the week', async () => {
    await publish(platform, documents);
    const inOrder = story.posts
      .map((post) => ({ post, at: momentOf(post.at) }))
      .toSorted((a, b) => a.at - b.at);
    for (const { post, at } of inOrder) {
      await platform.sleep(at - platform.now());
      posts.push(await deliver(platform, post, documents));
    }
    warnings = await warningsOf(platform, documents);
  });
  await passTime(platform, MONDAY + 7 * DAY_MS);
  platform.close();
  if (posts.length < story.posts.length) throw new Error('not every webhook was posted in time');
  return {
    story,
    posts,
    shown,
    warnings,
    phone: (number) =>
      shown.filter(({ phone }) => phone === number).map(({ at, text }) => `${clock(at)} ${text}`),
  };
}

/** The documents that `init --recipe` would write. */
function documentsOf({
  recipe: id,
  chosen,
  customers,
  locale = 'en-GB',
  phones,
}: Story): readonly NewDocument[] {
  const recipe = findRecipe(id);
  const documents = recipe.ok ? recipeDocuments(recipe.value, languageOf(locale)) : recipe;
  if (!recipe.ok || !documents.ok) throw new Error(`no recipe ${id}`);
  return documentsOfRecipe(recipe.value, documents.value, {
    chosen: chosen ?? null,
    customers: customers ?? false,
    country: 'DE',
    numbers: Object.keys(phones).filter((phone) => phone.startsWith('49151')),
    locale,
    timezone: 'Europe/Berlin',
    answers: new Map(),
    quiet: quietOf(documents.value),
  });
}

/** The recipe's own hours. */
function quietOf(documents: readonly { readonly value: unknown }[]): { from: string; to: string } | null {
  const quiet = documents.map(({ value }) => ownValue(value, 'quiet')).find((one) => one !== undefined);
  return quiet === undefined
    ? null
    : { from: String(ownValue(quiet, 'from')), to: String(ownValue(quiet, 'to')) };
}

const secretOf = (document: NewDocument): string | null => {
  const secrets = document.value['secrets'];
  return Array.isArray(secrets) ? String(secrets[0]) : null;
};

const valueOfSecret = (name: string): string => `${name.toLowerCase()}-of-the-week`;

function secretsOf(documents: readonly NewDocument[]): Record<string, string> {
  const names = documents.map(secretOf).filter((name) => name !== null);
  return Object.fromEntries([...names, 'NOTIFY_NTFY_TOPIC'].map((name) => [name, valueOfSecret(name)]));
}

async function publish(platform: Platform, documents: readonly NewDocument[]): Promise<void> {
  const set = { sources: {}, templates: {}, recipients: {}, accounts: {}, silences: {}, providers: {} };
  for (const { kind, name, value } of documents) Object.assign(set[kind], { [name]: value });
  await admin(platform, 'POST', '/config', set);
}

async function admin(platform: Platform, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await platform.request(
    PLACES[0],
    new Request(`${RELAY}/admin/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${BINDINGS['ADMIN_TOKEN']}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const diagnosis = z.object({ checks: z.array(z.object({ id: z.string(), status: z.string() })) });
const preview = z.object({ warnings: z.array(z.object({ message: z.string() })) });

async function warningsOf(platform: Platform, documents: readonly NewDocument[]): Promise<readonly string[]> {
  const { checks } = diagnosis.parse(await admin(platform, 'GET', '/doctor'));
  const found = checks.filter(({ status }) => status !== 'ok').map(({ id }) => id);
  for (const { name } of documents.filter(({ kind }) => kind === 'sources')) {
    const answer = await admin(platform, 'POST', `/sources/${name}/preview`, { last: 50 });
    found.push(...preview.parse(answer).warnings.map(({ message }) => message));
  }
  return found;
}

/** Posts as the source's provider signs it. */
async function deliver(platform: Platform, post: Post, documents: readonly NewDocument[]): Promise<Answered> {
  const { source, headers = {} } = post;
  const document = documents.find(({ kind, name }) => kind === 'sources' && name === source);
  if (document === undefined) throw new Error(`the recipe has no source ${source}`);
  const at = platform.now();
  const body = post.body(new Date(at));
  const secret = secretOf(document);
  const proof =
    secret === null ? {} : await proofOf(String(document.value['provider']), body, valueOfSecret(secret), at);
  const response = await platform.request(
    PLACES[0],
    new Request(`${RELAY}/hooks/${source}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...proof },
      body,
    }),
  );
  const text = await response.text();
  return { post, at, status: response.status, isDuplicate: text.includes('"duplicate":true') };
}

/** The headers that prove the body's sender. `generic` has no way of its own: the recipes use a token in a header. */
const proofOf = async (provider: string, body: string, secret: string, at: number) =>
  provider === 'generic'
    ? { authorization: `Bearer ${secret}` }
    : await signedHeaders(provider, body, secret, Math.floor(at / 1_000));
