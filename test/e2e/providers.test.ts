import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { sampleOf } from '../../src/config/starter.ts';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { pairs } from '../../src/provider/handshake.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { hookbell, hookbellProcess, type Run } from '../cli/support.ts';
import type { Sender, Webhook } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { draftOf } from '../conformance/stage.ts';
import { starterOf } from '../conformance/starters.ts';
import { lookUntil } from '../eventually.ts';
import { bundleHelper } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { PATIENCE_MS } from './real-time.ts';
import { ADMIN_TOKEN, startRelay, type Relay } from './relay.ts';

/** The number in the lists of every starter. */
const TEAM = '4917139200901';
/** The text that a person chooses where a provider shows a secret of theirs. */
const VERIFY_TOKEN = 'a-word-that-meta-repeats';

/** A provider as a person sets it up: the folder that `init` wrote, and what its secrets are. */
interface Trip {
  readonly provider: Provider;
  readonly folder: string;
  readonly sender: Sender;
  /** Values by the names that `init` gave. */
  readonly secrets: Readonly<Record<string, string>>;
  /** True if the key comes in a handshake, so that the source names its secret later. */
  readonly isPaired: boolean;
}

const initJson = z.object({ secrets: z.array(z.object({ name: z.string() })) });

/** The relay's address as the providers were given it. */
const GIVEN = 'https://relay.example';

/** Runs `hookbell`, in a process of its own or in this one. */
const runs =
  (url: string, isOwnProcess: boolean) =>
  (args: readonly string[]): Promise<Run> =>
    (isOwnProcess ? hookbellProcess : hookbell)(args, {
      env: { HOOKBELL_URL: url, HOOKBELL_TOKEN: ADMIN_TOKEN },
    });

/** `hookbell init` into an empty folder. */
async function beginTrip(provider: Provider, folder: string, isOwnProcess: boolean): Promise<Trip> {
  const [sender] = sendersOf(provider.id);
  if (sender === undefined) throw new Error(`nobody sends like ${provider.id}`);
  const { asks = {}, customers = {} } = starterOf(provider);
  const answers = Object.entries(asks).flatMap(([name, { example }]) => ['--answer', `${name}=${example}`]);
  const place = ['--country', 'DE', '--locale', 'en-GB', '--timezone', 'Europe/Berlin'];
  const who = ['--provider', provider.id, '--source', provider.id, '--to', `+${TEAM}`];
  // A form's sender is a page.
  const page = provider.id === 'html-form' ? ['--page', 'https://shop.example'] : [];
  const args = [
    ...who,
    ...place,
    ...page,
    ...answers,
    // The first sample of a shop may be news for its customers alone.
    ...(Object.keys(customers).length > 0 ? ['--customers'] : []),
  ];
  const run = runs(GIVEN, isOwnProcess);
  const { code, stdout, stderr } = await run(['init', folder, ...args, '--yes', '--json']);
  if (code !== 0) throw new Error(`init ${provider.id}: ${stderr}`);
  const values = sender.keys.secrets.length === 0 ? [] : [sender.keys.secrets[0] ?? ''];
  const { secrets } = initJson.parse(JSON.parse(stdout));
  // A group waits for minutes, and a real device takes one message at a time.
  const source = sourceFile(folder, provider);
  writeFileSync(source, readFileSync(source, 'utf8').replaceAll(/\bwait: ['"]?\d+[sm]['"]?/g, 'wait: 1s'));
  mkdirSync(join(folder, 'accounts'), { recursive: true });
  writeFileSync(join(folder, 'accounts', 'default.yaml'), 'rate: false\nper_recipient: false\n');
  return {
    provider,
    folder,
    sender,
    secrets: Object.fromEntries(
      secrets.map(({ name }, at): [string, string] => [name, values[at] ?? VERIFY_TOKEN]),
    ),
    isPaired: pairs(provider),
  };
}

const sourceFile = (folder: string, { id }: Provider): string => join(folder, 'sources', `${id}.yaml`);

/** Writes the name of the secret into the source of a folder, as `init` says in its comment. */
function nameSecret({ provider, secrets }: Trip, folder: string): void {
  const file = sourceFile(folder, provider);
  const [name = ''] = Object.keys(secrets);
  writeFileSync(file, `${readFileSync(file, 'utf8')}secrets: [${name}]\n`);
}

/** The documents of all folders in one. Two templates of one name have to be the same; lists have the same numbers. */
function merge(trips: readonly Trip[], folder: string): void {
  const templates = new Map<string, string>();
  for (const { folder: from } of trips) {
    for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (!file.startsWith('templates') || !file.endsWith('.yaml')) continue;
      const text = readFileSync(join(from, file), 'utf8');
      if ((templates.get(file) ?? text) !== text)
        throw new Error(`${from} has another ${file} than the others`);
      templates.set(file, text);
    }
    cpSync(from, folder, { recursive: true });
  }
}

/** The first sample that says something, signed as its provider signs it, for the address at `url`. */
async function webhookOf({ provider, sender }: Trip, url: string): Promise<Webhook> {
  const speaking = starterOf(provider).samples.filter(({ silent }) => silent === undefined);
  const own = sender.covers.address === true ? GIVEN : url;
  const draft = speaking
    .map((sample) => draftOf(sender, sampleOf(sample), `${own}/hooks/${provider.id}`))
    .find((one) => sender.takes?.(one) ?? true);
  if (draft === undefined) throw new Error(`${provider.id} has no sample that says something`);
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const sent = await sender.send(draft, { keys: [sender.keys.signers[0]?.key ?? ''], now });
  return { ...sent, url: sent.url.replace(own, url) };
}

/** In a process of their own, as people run it; for the others that takes too long. */
const OWN_PROCESS = new Set(['stripe', 'github', 'aws-sns', 'asana', 'google-pubsub']);

const post = async ({ method, url, headers, body }: Webhook): Promise<{ status: number; text: string }> => {
  const answer = await fetch(url, { method, headers, body });
  return { status: answer.status, text: await answer.text() };
};

/** An isolate looks for a new version once a second. */
const isKnown = ({ status }: { status: number }): boolean => ![404, 503].includes(status);

/** The messages of a source that the simulator's phones have. */
async function arrived(relay: Relay, gateway: Gateway, source: string): Promise<readonly MessageView[]> {
  const response = await relay.admin('GET', `/messages?source=${source}&state=sent`);
  const { items } = await response.json<{ items: MessageView[] }>();
  const calls = await gateway.calls();
  return items.filter(({ phone, params }) => {
    const text: unknown = Reflect.get(Object(params), 'message');
    // The API shows no links.
    const isIt = (call: (typeof calls)[number]): boolean =>
      call.params['phone'] === phone && withoutTokens(call.params['message'] ?? '') === text;
    return typeof text !== 'string' || calls.some(isIt);
  });
}

/** The key is handed over in the provider's own handshake, while somebody waits for it. */
async function pair({ url }: Relay, { provider, secrets }: Trip): Promise<void> {
  const [name = '', key = ''] = Object.entries(secrets)[0] ?? [];
  const waiting = runs(url, true)(['pair', provider.id, '--json']);
  const isAsana = provider.id === 'asana';
  const handshake: Webhook = {
    method: 'POST',
    url: `${url}/hooks/${provider.id}`,
    headers: { 'content-type': 'application/json', ...(isAsana && { 'X-Hook-Secret': key }) },
    body: isAsana ? '{}' : JSON.stringify({ verification_token: key }),
  };
  // Until the window is open.
  await lookUntil(
    () => post(handshake),
    ({ status }) => status === 200,
    { withinMs: PATIENCE_MS, eachMs: 50 },
  );
  const { code, stdout } = await waiting;
  expect([code, stdout]).toEqual([0, expect.stringContaining(key)]);
  expect(stdout).toContain(name);
}

it('what `init` writes for a provider is in order, and its signed webhook is a message on a phone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-providers-'));
  const gateway = await startGateway();
  const vars: Record<string, string> = {};
  const trips: Trip[] = [];
  for (const [id, provider] of providers) {
    const trip = await beginTrip(provider, join(folder, id), OWN_PROCESS.has(id));
    trips.push(trip);
    for (const [name, value] of Object.entries(trip.secrets)) {
      // One relay has them all, so what two starters call the same is the same.
      expect([name, vars[name] ?? value]).toEqual([name, value]);
      vars[name] = value;
    }
  }
  const outside = bundleHelper('test/e2e/outside-worker.ts');
  mkdirSync(join(folder, 'store'));
  const relay = await startRelay(inject('bundles'), gateway.baseUrl, join(folder, 'store'), false, {
    vars,
    outside,
  });
  onTestFinished(async () => {
    await relay.kill();
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  /** A command that has to succeed. */
  const succeeds = async (isOwnProcess: boolean, ...args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await runs(relay.url, isOwnProcess)(args);
    expect([args, code, code === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
  };
  for (const trip of trips) await succeeds(OWN_PROCESS.has(trip.provider.id), 'check', trip.folder);

  // One set, since some messages wait for others, and are reported by the route that is there by then.
  const all = join(folder, 'all');
  merge(trips, all);
  await succeeds(true, 'push', all, '--yes');
  const paired = trips.filter(({ isPaired }) => isPaired);
  for (const trip of paired) await pair(relay, trip);
  for (const trip of paired) nameSecret(trip, all);
  await succeeds(true, 'push', all, '--yes');
  for (const trip of trips) {
    const webhook = await webhookOf(trip, relay.url);
    const { status, text } = await lookUntil(() => post(webhook), isKnown, {
      withinMs: PATIENCE_MS,
      eachMs: 100,
    });
    expect([trip.provider.id, Math.floor(status / 100), text]).toEqual([trip.provider.id, 2, text]);
  }
  for (const { provider } of trips) {
    const found = await lookUntil(
      () => arrived(relay, gateway, provider.id),
      ({ length }) => length > 0,
      { withinMs: PATIENCE_MS, eachMs: 50 },
    );
    expect(found.length, `messages of ${provider.id}`).toBeGreaterThan(0);
  }
});
