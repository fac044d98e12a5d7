import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { bundleHelper } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { startRelay, type Relay } from './relay.ts';
import { rowsOf } from './store.ts';
import { makeWebhooks, proofConfig, type SignedWebhook } from './webhook.ts';

const bundles = { ...inject('bundles'), relay: bundleHelper('test/e2e/jurisdiction-worker.ts') };

/** The namespaces within jurisdictions: `jurisdiction-worker.ts`. */
const OBJECTS = ['Eu', 'Fedramp'].flatMap((name) =>
  ['Outbox', 'Registry'].map((kind) => ({
    binding: `${kind}_${name}`.toUpperCase(),
    className: kind + name,
  })),
);

let storeDir = '';
let gateway: Gateway;
let relay: Relay | null = null;

beforeEach(async () => {
  storeDir = mkdtempSync(join(tmpdir(), 'hookbell-jurisdiction-'));
  gateway = await startGateway();
});
afterEach(async () => {
  await relay?.kill();
  await gateway.close();
  rmSync(storeDir, { recursive: true, force: true });
});

/** Starts the relay on the store with these variables; one that runs is stopped. */
async function start(vars: Readonly<Record<string, string>>): Promise<Relay> {
  await relay?.kill();
  relay = await startRelay(bundles, gateway.baseUrl, storeDir, false, { vars, objects: OBJECTS });
  return relay;
}

async function post({ hookUrl }: Relay, webhook: SignedWebhook | undefined): Promise<number> {
  if (webhook === undefined) throw new Error('no webhook');
  const { body, signature } = webhook;
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  return (await fetch(hookUrl, { method: 'POST', headers, body })).status;
}

const asked = z.object({
  binding: z.string(),
  jurisdiction: z.string().nullable(),
  name: z.string(),
  hint: z.string().nullable(),
});

/** The namespaces that were asked for objects so far. */
const askedOf = (one: Relay) =>
  [...one.output().matchAll(/asked (\{.*\})/g)].map(([, json = '']) => asked.parse(JSON.parse(json)));

/** All that KV keeps. */
const inKv = () =>
  rowsOf(storeDir, 'kv').map(({ key, value }) => ({
    key: String(key),
    value: value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value),
  }));

describe('a relay with a jurisdiction', () => {
  it('asks for every object within it and at the place that is hinted, and delivers', async () => {
    const eu = await start({ JURISDICTION: 'eu', LOCATION_HINT: 'weur' });
    await eu.publish(proofConfig({}, {}));
    const [webhook] = makeWebhooks('eu', 1, 1);
    expect(await post(eu, webhook)).toBe(202);
    await eu.drained();
    expect((await gateway.calls()).length).toBe(1);
    const all = askedOf(eu);
    expect(new Set(all.map(({ binding }) => binding))).toEqual(new Set(['OUTBOX', 'REGISTRY']));
    for (const one of all) expect(one).toMatchObject({ jurisdiction: 'eu', hint: 'weur' });
  });

  it('keeps no document in KV, and a cold isolate still knows all of them', async () => {
    const eu = await start({ JURISDICTION: 'eu' });
    await eu.publish(proofConfig({}, {}));
    await eu.publish(proofConfig({ name: 'renamed' }, {}));
    const value: unknown = expect.stringMatching(/^{"activation":\d{13},"version":2,"jurisdiction":"eu"}$/);
    expect(inKv()).toEqual([{ key: 'config/current', value }]);
    const cold = await start({ JURISDICTION: 'eu' });
    const [webhook] = makeWebhooks('cold', 1, 1);
    expect(await post(cold, webhook)).toBe(202);
    await cold.drained();
    expect(await cold.messages()).toMatchObject([{ route: 'renamed', config_version: 2 }]);
  });

  it.each([
    ['is removed', { JURISDICTION: 'eu' }, {}, 'set it to eu again'],
    ['is added', {}, { JURISDICTION: 'eu' }, 'remove it'],
    ['is another', { JURISDICTION: 'eu' }, { JURISDICTION: 'fedramp' }, 'set it to eu again'],
  ])(
    'refuses webhooks and publishes once it %s, says how to go on, and has lost nothing when it is back',
    async (_, before, after, way) => {
      const first = await start(before);
      await first.publish(proofConfig({}, {}));
      await gateway.down();
      const [waiting, other] = makeWebhooks('waits', 2, 1);
      expect(await post(first, waiting)).toBe(202);

      const moved = await start(after);
      expect(await post(moved, other)).toBe(503);
      const refused = await moved.admin('POST', '/config', proofConfig({}, {}));
      const text = await refused.text();
      expect([refused.status, text]).toEqual([409, expect.stringContaining(way)]);
      expect(text).toContain('npx hookbell export');
      const doctor = await (await moved.admin('GET', '/doctor')).text();
      expect(doctor).toContain(way);

      const back = await start(before);
      await gateway.up();
      expect(await post(back, other)).toBe(202);
      await back.drained();
      expect((await back.messages()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    },
  );
});
