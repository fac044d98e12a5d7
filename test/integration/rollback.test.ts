import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/config/registry-client.ts';
import { openStore, type StoreSchema } from '../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../src/outbox/state/schema.ts';
import type { NewSession } from '../../src/registry/sessions.ts';
import { REGISTRY_STORE } from '../../src/registry/schema.ts';
import { admin, callsTo, event, isSent, message, postJson, publish } from './relay.ts';

const tablesOf = ({ migrations }: StoreSchema): readonly string[] =>
  migrations
    .flatMap(({ statements }) => statements)
    .flatMap((text) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table = '']) => table));

/** The next release: it adds a column to each table. */
const nextOf = (schema: StoreSchema): StoreSchema => ({
  ...schema,
  migrations: [
    ...schema.migrations,
    {
      statements: tablesOf(schema).map(
        (table) => `ALTER TABLE ${table} ADD COLUMN added TEXT NOT NULL DEFAULT 'default'`,
      ),
    },
  ],
});

/** The next release opens the object, and the Worker is rolled back to this one. */
async function rollBack(stub: DurableObjectStub, schema: StoreSchema): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => openStore(storage, nextOf(schema)));
  await evictDurableObject(stub);
}

const outbox = () => env.OUTBOX.getByName('default');

/** The number of rows in each table. Expects that newer code finds the default in all of them. */
const rowsOf = (stub: DurableObjectStub, schema: StoreSchema): Promise<Record<string, number>> =>
  runInDurableObject(stub, (_, { storage: { sql } }) =>
    Object.fromEntries(
      tablesOf(schema).map((table) => {
        const rows = sql.exec<{ added: string }>(`SELECT added FROM ${table}`).toArray();
        expect(new Set(rows.map(({ added }) => added)).size).toBeLessThan(2);
        return [table, rows.length];
      }),
    ),
  );

const NOW = Date.now();
const source = (template: object) => ({
  verify: { scheme: 'none' },
  dedupe: { key: '{{ payload.id }}' },
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: 'hello' }, ...template }],
});
const SET = { sources: { form: source({}), alarms: source({ throttle: { max: 9, per: '1h' } }) } };

const session = (id: string, change: Partial<NewSession> = {}): NewSession => ({
  id,
  role: 'editor',
  actor: 'token',
  client: 'Firefox',
  created_at: NOW,
  expires_at: NOW + 3_600_000,
  opens_until: null,
  made_by: null,
  invited_by: null,
  ...change,
});

beforeAll(async () => {
  await rollBack(outbox(), OUTBOX_STORE);
  await rollBack(registry(env), REGISTRY_STORE);
  await publish(SET);
});

describe('after a rollback to a release whose tables have less', () => {
  it('an outbox goes on: it accepts, knows duplicates, delivers, groups and lists', async () => {
    const first = await postJson('form', { id: 'one', phone: '+4915112355001' });
    expect(first.status).toBe(202);
    const accepted = await first.json<{ event: string; messages: string[] }>();
    await message(accepted.messages[0] ?? '', isSent);
    const again = await postJson('form', { id: 'one', phone: '+4915112355001' });
    expect(await again.json()).toMatchObject({ event: accepted.event, duplicate: true });
    await postJson('alarms', { id: 'two', phone: '+4915112355002' });
    await expect.poll(() => callsTo('4915112355002')).toHaveLength(1);
    expect(await callsTo('4915112355001')).toHaveLength(1);
    expect(await event(accepted.event)).toMatchObject({ state: 'routed', duplicates: 1 });
  });

  it('its rows are whole for the newer release', async () => {
    const rows = await rowsOf(outbox(), OUTBOX_STORE);
    const written = Object.keys(rows).filter((table) => (rows[table] ?? 0) > 0);
    expect(written).toEqual(
      expect.arrayContaining(['events', 'dedupe_claims', 'messages', 'checkpoint', 'meta', 'incidents']),
    );
    expect(
      await runInDurableObject(outbox(), (_, { storage: { sql } }) =>
        sql.exec('SELECT version FROM store_version').one(),
      ),
    ).toEqual({ version: OUTBOX_STORE.migrations.length + 1 });
  });

  it('the registry goes on: publishes, silences, pairings, sessions, rejections and rounds', async () => {
    const stub = registry(env);
    const document = { when: 'true', until: new Date(NOW + 60_000).toISOString(), reason: 'x' };
    expect(await stub.addSilence(document, 'ada', NOW)).not.toBeNull();
    await stub.openPairing('form', NOW);
    const offer = { at: NOW, address: null, userAgent: null };
    expect(await stub.capturePairing('form', 'key', offer)).toBe('kept');
    expect(await stub.takePairing('form', NOW)).toMatchObject({ secret: 'key' });
    await stub.addSession(session('code', { opens_until: NOW + 3_600_000 }));
    expect(await stub.redeemCode('code', { id: 'browser', client: null }, NOW)).toBe(NOW + 3_600_000);
    expect(await stub.findSession('browser', NOW + 120_000)).toEqual({ actor: 'token' });
    expect(await stub.sessions(NOW)).toEqual([
      { ...session('browser', { client: null }), seen_at: NOW + 120_000 },
    ]);
    const rejection = {
      at: new Date(NOW).toISOString(),
      source: 'form',
      status: 401,
      reason: 'mismatch',
      detail: '',
    };
    await stub.recordRejection(rejection);
    await stub.recordRejection(rejection);
    expect(await stub.rejections(9, null)).toHaveLength(1);
    const entry = { ...rejection, status: 202, reason: 'spam', spam: 'links', detail: 'x' } as const;
    await stub.recordSpam({ entry, event: 'evt_spam', digest: 'digest', sameMs: 60_000, form: '{}' });
    await stub.setDone('source:form', 1, 'ada', NOW);
    await stub.suppress({ phone: '4915112355009', by: 'ada', reason: 'asked' }, NOW);
    expect((await admin('POST', '/config?managed=true', { ...SET, templates: {} })).status).toBe(200);
    await runDurableObjectAlarm(stub);
    const rows = await rowsOf(stub, REGISTRY_STORE);
    const empty = Object.keys(rows).filter((table) => rows[table] === 0);
    expect(empty).toEqual(['removed_accounts', 'copy_retry', 'series']);
  });
});

describe('after a rollback to a release that cannot read the tables', () => {
  it('a sender hears to try again, so that nothing is lost', async () => {
    const stub = outbox();
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      sql.exec('UPDATE store_version SET readable_since = version');
    });
    await evictDurableObject(stub);
    const refused = await postJson('form', { id: 'three', phone: '+4915112355003' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });
});
