import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import type { Webhook } from '../conformance/senders/sender.ts';
import { lookUntil } from '../eventually.ts';
import { bundleHelper } from './build.ts';
import { curl, type Answer } from './curl.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { startRelay, type Relay } from './relay.ts';
import { beginTrip, merge, nameSecret, runs, webhookOf, type Trip } from './provider-trip.ts';

/** In a process of their own, as people run it; for the others that takes too long. */
const OWN_PROCESS = new Set(['stripe', 'github', 'aws-sns', 'asana', 'google-pubsub']);

const ALL = [...providers.values()].map((provider) => [provider.id, provider] as const);

let folder: string;
let gateway: Gateway;
let relay: Relay;
const trips = new Map<string, Trip>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hookbell-providers-'));
  const vars: Record<string, string> = {};
  for (const [id, provider] of ALL) {
    const trip = await beginTrip(provider, join(folder, id), OWN_PROCESS.has(id));
    trips.set(id, trip);
    for (const [name, value] of Object.entries(trip.secrets)) {
      // One relay has them all, so what two starters call the same is the same.
      expect([name, vars[name] ?? value]).toEqual([name, value]);
      vars[name] = value;
    }
  }
  gateway = await startGateway();
  mkdirSync(join(folder, 'store'));
  relay = await startRelay(inject('bundles'), gateway.baseUrl, join(folder, 'store'), false, {
    vars,
    outside: bundleHelper('test/e2e/outside-worker.ts'),
  });
}, 120_000);

afterAll(async () => {
  await relay.kill();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

function tripOf(id: string): Trip {
  const trip = trips.get(id);
  if (trip === undefined) throw new Error(`${id} was not begun`);
  return trip;
}

/** A command that has to succeed. */
async function hookbell(isOwnProcess: boolean, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runs(relay.url, isOwnProcess)(args);
  expect([args, code, code === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
  return stdout;
}

/** Posts until the source is known, and its secret: an isolate looks for a new version once a second. */
const post = (webhook: Webhook): Promise<Answer> =>
  lookUntil(
    () => curl(webhook),
    ({ status }) => ![404, 503].includes(status),
    { withinMs: 10_000, eachMs: 100 },
  );

const isIn = (list: readonly string[], text: unknown): boolean =>
  typeof text !== 'string' || list.includes(text);

/** A message of the source that the simulator's phones have. */
async function arrived(source: string, withinMs: number): Promise<MessageView> {
  const look = async (): Promise<MessageView | undefined> => {
    const response = await relay.admin('GET', `/messages?source=${source}&state=sent`);
    const { items } = await response.json<{ items: MessageView[] }>();
    const calls = await gateway.calls();
    return items.find(({ phone, params }) =>
      isIn(
        // The API shows no links.
        calls
          .filter((call) => call.params['phone'] === phone)
          .map((call) => withoutTokens(call.params['message'] ?? '')),
        Reflect.get(Object(params), 'message'),
      ),
    );
  };
  const found = await lookUntil(look, (one) => one !== undefined, { withinMs, eachMs: 50 });
  if (found === undefined) throw new Error(`no message of ${source} came within ${withinMs} ms`);
  return found;
}

/** The key is handed over in the provider's own handshake, while somebody waits for it. */
async function pair(trip: Trip): Promise<void> {
  const { provider, secrets } = trip;
  const [name = '', key = ''] = Object.entries(secrets)[0] ?? [];
  const waiting = runs(relay.url, true)(['pair', provider.id, '--json']);
  const greeting = (headers: Webhook['headers'], body: string): Webhook => ({
    method: 'POST',
    url: `${relay.url}/hooks/${provider.id}`,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const handshake =
    provider.id === 'asana'
      ? greeting({ 'X-Hook-Secret': key }, '{}')
      : greeting({}, JSON.stringify({ verification_token: key }));
  // Until the window is open.
  await lookUntil(
    () => post(handshake),
    ({ status }) => status === 200,
    { eachMs: 50 },
  );
  const { code, stdout } = await waiting;
  expect([code, stdout]).toEqual([0, expect.stringContaining(key)]);
  expect(stdout).toContain(name);
}

describe('what `init` writes into an empty folder', () => {
  it.each(ALL)('for %s is in order', async (id) => {
    await hookbell(OWN_PROCESS.has(id), 'check', tripOf(id).folder);
  });
});

describe('a webhook that is signed as its provider signs it', () => {
  /** One set, since some messages wait for others, and are reported by the route that is there by then. */
  beforeAll(async () => {
    const all = join(folder, 'all');
    merge([...trips.values()], all);
    await hookbell(true, 'push', all, '--yes');
    const paired = [...trips.values()].filter(({ isPaired }) => isPaired);
    for (const trip of paired) await pair(trip);
    for (const trip of paired) nameSecret(trip, all);
    await hookbell(true, 'push', all, '--yes');
    for (const trip of trips.values()) {
      const { status, body } = await post(await webhookOf(trip, relay.url));
      expect([trip.provider.id, Math.floor(status / 100), body]).toEqual([trip.provider.id, 2, body]);
    }
  }, 60_000);

  it.each(ALL)('is a message on a phone: %s', async (id) => {
    expect((await arrived(id, 30_000)).state).toBe('sent');
  });
});
