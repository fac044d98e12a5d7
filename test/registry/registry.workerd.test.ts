import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { Change, Mark, NewPublish } from '../../src/registry/change.ts';
import { CURRENT_KEY } from '../../src/config/load.ts';
import { parseSet, type ConfigSet, EMPTY_SET } from '../../src/config/documents/schema.ts';
import { Rejections } from '../../src/registry/rejections.ts';
import { Registry } from '../../src/registry/registry.ts';
import { containing, open, routeWith, setOf } from '../config/support.ts';
import { countRows } from '../outbox/support.ts';
import { envWith, kvWith } from '../platform/env.ts';

const NOW = Date.now();

const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());

const put = (name: string, document: unknown = open()): Change => ({
  kind: 'put',
  collection: 'sources',
  name,
  document,
});
const replace = (parts: Partial<ConfigSet>): Change => ({ kind: 'replace', set: setOf(parts) });
const A = replace({ sources: { a: open() } });
const B = replace({ sources: { b: open() } });

const publish = (on: Pick<Registry, 'publish'>, change: Change, more: Partial<NewPublish> = {}) =>
  on.publish({ change, by: 'ada', now: NOW, ...more });

const documentsOf = async (stub: DurableObjectStub<Registry>, version?: number): Promise<ConfigSet> =>
  parseSet((await stub.read(version))?.documents ?? '');

it('publishing makes versions 1, 2, 3 … after the empty set, which is 0, each as it was published and for ever', async () => {
  const stub = newRegistry();
  expect(await stub.read()).toEqual({
    version: 0,
    documents: JSON.stringify(EMPTY_SET),
    built: null,
    overrides: [],
  });
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const receipt = await publish(stub, put(name), { now: NOW + index });
    expect(receipt).toMatchObject({ ok: true, value: { version: index + 1 } });
  }
  expect([await stub.read(0), await stub.read(4)]).toEqual([null, null]);
  expect(await documentsOf(stub, 1)).toEqual(setOf({ sources: { a: open() } }));
  expect(await documentsOf(stub, 2)).toEqual(setOf({ sources: { a: open(), b: open() } }));
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open(), b: open(), c: open() } }));
  expect(await env.CONFIG.get('config/versions/2', 'json')).toEqual(
    setOf({ sources: { a: open(), b: open() } }),
  );
  const listed = [3, 2, 1].map((version) => ({
    version,
    published_at: new Date(NOW + version - 1).toISOString(),
    by: 'ada',
    note: `put sources/${' abc'[version]}`,
    active: version === 3,
  }));
  expect((await stub.versions(9, null)).items).toEqual(listed);
  expect((await stub.versions(1, 3)).items.map(({ version }) => version)).toEqual([2]);
});

it('publishing lists the first fifty errors and says how many there are', async () => {
  const sources = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`s${n}`, {}]));
  const refused = await publish(newRegistry(), replace({ sources }));
  expect(refused.ok ? [] : refused.error.errors).toHaveLength(50);
  expect(refused.ok ? '' : refused.error.detail).toContain('The first 50 of 250 errors are listed.');
});

const inKv = () => env.CONFIG.get(CURRENT_KEY);

it('a version has the partials that were shipped when it was published, also after a rollback; an export has it as written', async () => {
  const stub = newRegistry();
  const message = "{% render 'incidents' %}";
  const route = routeWith({ incident: { key: '1' }, group: {}, send: { kind: 'text', message } });
  const set = setOf({ sources: { a: open({ routes: [route] }) } });
  await publish(stub, { kind: 'replace', set });
  expect(await documentsOf(stub)).toEqual(set);
  expect(await inKv()).toContain(' is firing');
  await publish(stub, put('b'));
  // As if hookbell had shipped another text then.
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE built SET documents = replace(documents, ' is firing', ' rings')");
  });
  expect(await stub.activate({ version: 1 })).toMatchObject({ ok: true });
  for (const published of [await inKv(), await stub.published(), await env.CONFIG.get('config/versions/1')])
    expect(published).not.toContain('{% render');
  expect([await inKv(), await stub.published()].map((text) => text?.includes(' rings'))).toEqual([
    true,
    true,
  ]);
  expect(await documentsOf(stub)).toEqual(set);
  const mark = { by: 'ada', at: NOW };
  expect(await publish(stub, { kind: 'replace', set }, { mark })).toMatchObject({
    value: { version: 3 },
  });
  expect(await inKv()).toContain(' is firing');
});

/** A registry with two versions: `a`, then `a` and `b`. */
async function withTwo() {
  const stub = newRegistry();
  for (const name of ['a', 'b']) await publish(stub, put(name));
  return stub;
}

it('a rollback puts an earlier version in force, is no version of its own, and is what the next publish builds on', async () => {
  const stub = await withTwo();
  expect(await stub.activate({ version: 1 })).toMatchObject({ ok: true, value: { version: 1 } });
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open() } }));
  expect((await stub.versions(9, null)).items.map(({ version, active }) => [version, active])).toEqual([
    [2, false],
    [1, true],
  ]);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1 });
  expect(await publish(stub, put('c'))).toMatchObject({ value: { version: 3 } });
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open(), c: open() } }));
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 3 });
});

it('a rollback to a version whose secret is gone, or whose account has lost its login, is refused, and leaves the one in force', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const signed = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] };
    const before = new Registry(state, envWith());
    await publish(before, put('a', signed));
    await publish(before, replace({ sources: { a: open({ routes: [routeWith({})] }) } }));
    await publish(before, A);
    const after = new Registry(state, envWith({ HOOK_SECRET: undefined, GATEWAY_API_KEY: undefined }));
    const secret = { path: 'sources.a.secrets[0]', message: containing('HOOK_SECRET') };
    expect(await after.activate({ version: 1 })).toMatchObject({ error: { status: 422, errors: [secret] } });
    const login = { path: 'accounts.default' };
    expect(await after.activate({ version: 2 })).toMatchObject({ error: { status: 422, errors: [login] } });
    expect(after.read()?.version).toBe(3);
  }));

const OUT = kvWith({ put: () => Promise.reject(new Error('KV is out')) });

it('when KV cannot be written, a publish is made all the same, and the alarm brings it into force', async () => {
  const stub = newRegistry();
  await env.CONFIG.delete(CURRENT_KEY);
  await runInDurableObject(stub, async (_, state) => {
    let failures = 1;
    const kv = kvWith({
      put: async (key: string, value: string) => {
        failures -= 1;
        if (failures >= 0) throw new Error('KV is out');
        await env.CONFIG.put(key, value);
      },
    });
    const registry = new Registry(state, envWith({ CONFIG: kv }));
    const published = await publish(registry, put('a'));
    expect(published).toMatchObject({ ok: true, value: { version: 1 } });
    expect(JSON.stringify(published)).toContain('KV could not be written');
    expect(await env.CONFIG.get(CURRENT_KEY)).toBeNull();
    expect(await state.storage.getAlarm()).not.toBeNull();
  });
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1 });
  expect(await env.CONFIG.get('config/versions/1', 'json')).toEqual(setOf({ sources: { a: open() } }));
  // The next one is the hourly look at outboxes.
  await runInDurableObject(stub, async (_, state) =>
    expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now() + 60_000),
  );
});

it('when KV cannot be written, it is not tried at each start of the object: an alarm that stands for it is left where it is', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const registry = new Registry(state, envWith({ CONFIG: OUT }));
    await publish(registry, put('a'));
    for (let failures = 0; failures < 9; failures += 1) await registry.alarm();
    const armedAt = await state.storage.getAlarm();
    expect(armedAt).toBeGreaterThan(Date.now() + 300_000);
    await new Registry(state, envWith({ CONFIG: OUT })).wake();
    expect(await state.storage.getAlarm()).toBe(armedAt);
    await state.storage.deleteAlarm();
    await new Registry(state, envWith({ CONFIG: OUT })).wake();
    expect(await state.storage.getAlarm()).toBe(armedAt);
  }));

it('when KV cannot be written, an alarm stands before the first write, so that a crash in between leaves nothing behind', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const alarms: (number | null)[] = [];
    const kv = kvWith({
      put: async (key: string, value: string) => {
        alarms.push(await state.storage.getAlarm());
        await env.CONFIG.put(key, value);
      },
    });
    const registry = new Registry(state, envWith({ CONFIG: kv }));
    await publish(registry, put('a'));
    await registry.activate({ version: 1 });
    expect(alarms).toHaveLength(3);
    expect(alarms).not.toContain(null);
  }));

it('the alarm never throws: whatever fails in it, the rest is done, and another alarm stands', async () => {
  for (const fault of [
    'DROP TABLE spam',
    'DROP TABLE copy_retry',
    "CREATE TRIGGER full BEFORE INSERT ON rounds BEGIN SELECT RAISE(ABORT, 'full'); END",
  ])
    await runInDurableObject(newRegistry(), async (_, state) => {
      const registry = new Registry(state, envWith());
      await publish(registry, put('a'));
      state.storage.sql.exec(fault);
      await registry.alarm();
      expect(await state.storage.getAlarm(), fault).toBeGreaterThan(Date.now() + 60_000);
    });
});

type Stub = ReturnType<typeof newRegistry>;

const mark = (by: string, at: number, files: string): Mark => ({ by, at, files });

const managed = async (stub: Stub) => (await stub.versions(1, null)).managed;
const push = (stub: Stub, change: Change, files = '{}', at = NOW) =>
  publish(stub, change, { by: 'ci', now: at, mark: mark('ci', at, files) });

it('a set that is kept in git is marked by a push, since the first one of them', async () => {
  const stub = newRegistry();
  expect(await stub.versions(1, null)).toEqual({ items: [], managed: null, taken_over: null });
  await push(stub, A);
  await publish(stub, B, { now: NOW + 9, mark: mark('ada', NOW + 9, '{}') });
  expect(await managed(stub)).toEqual({ by: 'ci', at: new Date(NOW).toISOString() });
});

it('a set that is kept in git makes no version when a push has what is in force, but keeps the new texts', async () => {
  const stub = newRegistry();
  await push(stub, A, '{"sources/a.yaml":"one"}');
  expect(await push(stub, A, '{"sources/a.yaml":"# one\\none"}')).toMatchObject({ value: { version: 1 } });
  expect(await stub.files()).toBe('{"sources/a.yaml":"# one\\none"}');
  expect((await stub.versions(9, null)).items).toHaveLength(1);
});

it('a set that is kept in git takes one of two pushes at once that build on the same version', async () => {
  const stub = newRegistry();
  await push(stub, A);
  const both = await Promise.all(
    [B, replace({ sources: { c: open() } })].map((change) =>
      publish(stub, change, { by: 'ci', condition: [1], mark: mark('ci', NOW, '{}') }),
    ),
  );
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ error: { status: 412, inForce: 2 } });
});

it('a takeover during a push has the push look again', async () => {
  const stub = newRegistry();
  await push(stub, A);
  await stub.takeOver('Ann', 'token', NOW);
  const late = await publish(stub, B, { by: 'ci', condition: [1], mark: mark('ci', NOW, '{}') });
  expect(late).toMatchObject({ error: { status: 412, inForce: 2 } });
  expect(await managed(stub)).toBeNull();
});

it('a takeover needs a set that is managed, so one of two at once is made', async () => {
  const stub = newRegistry();
  await push(stub, A);
  const both = await Promise.all(['Ann', 'Ben'].map((name) => stub.takeOver(name, 'token', NOW)));
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ error: { status: 409, conflict: 'conflict' } });
});

it('a pairing key that nobody asked for any more is gone when the registry wakes', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const registry = new Registry(state, envWith());
    const at = NOW - 365 * 86_400_000;
    registry.openPairing('tasks', at);
    const kept = registry.capturePairing('tasks', 'key-1', {
      at,
      address: '192.0.2.10',
      userAgent: null,
    });
    expect(kept).toBe('kept');
    const woken = new Registry(state, envWith());
    expect(state.storage.sql.exec('SELECT * FROM pairing_windows').toArray()).toEqual([]);
    expect(woken.lookAtPairing('tasks', NOW)).toEqual({ state: 'closed' });
  }));

it('a rejection costs one row, and so does each report of a flood', () =>
  runInDurableObject(newRegistry(), (_, { storage: { sql } }) => {
    const rejections = new Rejections(sql);
    const entry = {
      at: new Date(NOW).toISOString(),
      source: 'shop',
      status: 429,
      code: 'limited' as const,
      detail: 'x',
    };
    rejections.recordLimited([{ ...entry, times: 5 }]);
    const rows = countRows(sql);
    for (let n = 0; n < 10; n += 1) rejections.recordRejection({ ...entry, code: 'mismatch' });
    expect(rows.written()).toBe(10);
    rejections.recordLimited([{ ...entry, times: 5 }]);
    expect(rows.written()).toBe(11);
  }));

it('one more who opts out, or in again, reads and writes a few rows, however many have opted out', () =>
  runInDurableObject(newRegistry(), async (registry, { storage: { sql } }) => {
    const phones = Array.from({ length: 5_000 }, (_one, n) => String(491510000000 + n));
    const add = "INSERT INTO suppressions (phone, at, by, reason) VALUES (?, 0, 'a', 'x')";
    for (const phone of phones) sql.exec(add, phone);
    const rows = countRows(sql);
    const gone = [0, 1_022, 1_023, 4_999].map((n) => phones[n] ?? '');
    for (const phone of gone) await registry.unsuppress(phone);
    await registry.suppress({ phone: '49', by: 'a', reason: 'x' }, NOW);
    const left = [...phones.filter((phone) => !gone.includes(phone)), '49'];
    expect(registry.published()).toContain(JSON.stringify(left.join('\n')));
    expect([rows.read() < 200, rows.written() < 25]).toEqual([true, true]);
  }));
