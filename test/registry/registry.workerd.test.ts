import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { Change } from '../../src/registry/change.ts';
import { CURRENT_KEY, parsePublished } from '../../src/config/load.ts';
import { parseSet } from '../../src/config/parse-set.ts';
import { MAX_SET_BYTES } from '../../src/registry/plan.ts';
import { Registry } from '../../src/registry/registry.ts';
import { type ConfigSet, EMPTY_SET } from '../../src/config/schema.ts';
import { PROMISED, containing, open, routeWith, setOf } from '../config/support.ts';
import { envWith, kvWith } from '../platform/env.ts';
import type { Mark } from '../../src/registry/managed.ts';

const NOW = Date.now();

const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());

const put = (name: string, document: unknown = open()): Change => ({
  kind: 'put',
  collection: 'sources',
  name,
  document,
});
const replace = (parts: Partial<ConfigSet>): Change => ({ kind: 'replace', set: setOf(parts) });

const documentsOf = async (stub: DurableObjectStub<Registry>, version?: number): Promise<ConfigSet> =>
  parseSet((await stub.read(version))?.documents ?? '');

it('publishing begins after the empty set, which is version 0; no other version is there before its time', async () => {
  const stub = newRegistry();
  expect(await stub.read()).toEqual({ version: 0, documents: JSON.stringify(EMPTY_SET) });
  await stub.publish(put('a'), 'ada', NOW);
  expect([await stub.read(0), await stub.read(3)]).toEqual([null, null]);
  await stub.activate(1);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1, activation: 2 });
});

it('publishing makes versions 1, 2, 3 …, each as it was published and for ever', async () => {
  const stub = newRegistry();
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const receipt = await stub.publish(put(name), 'ada', NOW + index);
    expect(receipt).toMatchObject({ ok: true, value: { version: index + 1 } });
  }
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
  expect(await stub.versions(9, null)).toEqual(listed);
  expect((await stub.versions(1, 3)).map(({ version }) => version)).toEqual([2]);
});

it('publishing takes the promised documents, with a warning about what anybody may post to', async () => {
  const receipt = await newRegistry().publish({ kind: 'replace', set: PROMISED }, 'ada', NOW);
  expect(receipt).toMatchObject({
    ok: true,
    value: { version: 1, warnings: [{ path: 'sources.open.verify' }] },
  });
});

it('publishing of a set with one error changes nothing', async () => {
  const stub = newRegistry();
  await stub.publish(put('a'), 'ada', NOW);
  const wrong = replace({ sources: { b: open(), c: open({ country: 'UK' }) } });
  expect(await stub.publish(wrong, 'ada', NOW)).toMatchObject({
    ok: false,
    error: { status: 422, errors: [{ path: 'sources.c.country' }] },
  });
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open() } }));
  expect(await stub.versions(9, null)).toHaveLength(1);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1 });
});

it('publishing of different documents at once loses none of them', async () => {
  const stub = newRegistry();
  const names = Array.from({ length: 12 }, (_, n) => `source-${n}`);
  const receipts = await Promise.all(names.map((name) => stub.publish(put(name), 'ada', NOW)));
  const versions = receipts.map((receipt) => (receipt.ok ? receipt.value.version : 0));
  expect(versions.toSorted((a, b) => a - b)).toEqual(names.map((_, n) => n + 1));
  const { sources } = await documentsOf(stub);
  expect(Object.keys(sources).toSorted()).toEqual(names.toSorted());
  expect(parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '')).toMatchObject({
    version: 12,
    set: { sources },
  });
});

it('publishing refuses what names a missing secret, by its name', async () => {
  const document = { verify: { scheme: 'token', in: 'path' }, secrets: ['NOT_THERE'] };
  expect(await newRegistry().publish(put('a', document), 'ada', NOW)).toMatchObject({
    error: {
      status: 422,
      errors: [{ path: 'sources.a.secrets[0]', message: containing('NOT_THERE') }],
    },
  });
});

it('publishing refuses a set that a row could not hold', async () => {
  const numbers = Array.from({ length: 10_000 }, () => '491511234567890');
  const lists = Math.ceil(MAX_SET_BYTES / (numbers.length * 18));
  const recipients = Object.fromEntries(Array.from({ length: lists }, (_, n) => [`list-${n}`, { numbers }]));
  expect(await newRegistry().publish(replace({ recipients }), 'ada', NOW)).toMatchObject({
    error: { status: 413 },
  });
});

it('publishing lists the first fifty errors and says how many there are', async () => {
  const sources = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`s${n}`, {}]));
  const refused = await newRegistry().publish(replace({ sources }), 'ada', NOW);
  expect(refused.ok ? [] : refused.error.errors).toHaveLength(50);
  expect(refused.ok ? '' : refused.error.detail).toContain('The first 50 of 250 errors are listed.');
});

it('publishing finds a name that is a property of every object wrong, and does not lose it', async () => {
  // As it comes from JSON, where it is a key like any other.
  const sources = Object.fromEntries([['__proto__', open()]]);
  const change = replace({ sources });
  expect(await newRegistry().publish(change, 'ada', NOW)).toMatchObject({
    error: { status: 422, errors: [{ path: 'sources.__proto__' }] },
  });
});

it('a check says what a publish would say, and changes nothing', async () => {
  const stub = newRegistry();
  expect(await stub.check(put('a'))).toMatchObject({ ok: true, value: [{ path: 'sources.a.verify' }] });
  expect(await stub.check(put('a', {}))).toMatchObject({ ok: false, error: { status: 422 } });
  expect(await stub.versions(9, null)).toEqual([]);
});

it('a rollback puts an earlier version in force, and is no version of its own', async () => {
  const stub = newRegistry();
  await stub.publish(put('a'), 'ada', NOW);
  await stub.publish(put('b'), 'ada', NOW);
  expect(await stub.activate(1)).toMatchObject({ ok: true, value: { version: 1 } });
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open() } }));
  expect((await stub.versions(9, null)).map(({ version, active }) => [version, active])).toEqual([
    [2, false],
    [1, true],
  ]);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1, activation: 3 });
});

it('a rollback is what the next publish builds on, under the next number', async () => {
  const stub = newRegistry();
  await stub.publish(put('a'), 'ada', NOW);
  await stub.publish(put('b'), 'ada', NOW);
  await stub.activate(1);
  expect(await stub.publish(put('c'), 'ada', NOW)).toMatchObject({ value: { version: 3 } });
  expect(await documentsOf(stub)).toEqual(setOf({ sources: { a: open(), c: open() } }));
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 3, activation: 4 });
});

it('a rollback to a version that there is not is 404', async () => {
  const stub = newRegistry();
  for (const version of [0, 1, -1, 7]) {
    expect(await stub.activate(version)).toMatchObject({ ok: false, error: { status: 404 } });
  }
});

it('a rollback to a version whose secret is gone is refused, and leaves the one in force', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const signed = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] };
    const before = new Registry(state, envWith());
    await before.publish(put('a', signed), 'ada', NOW);
    await before.publish(replace({ sources: { b: open() } }), 'ada', NOW);
    const after = new Registry(state, envWith({ HOOK_SECRET: undefined }));
    expect(await after.activate(1)).toMatchObject({
      error: {
        status: 422,
        errors: [{ path: 'sources.a.secrets[0]', message: containing('HOOK_SECRET') }],
      },
    });
    expect(after.read()?.version).toBe(2);
  }));

it('a rollback to a version whose account has lost its login is refused', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    await new Registry(state, envWith()).publish(put('a', open({ routes: [routeWith({})] })), 'ada', NOW);
    const after = new Registry(state, envWith({ GATEWAY_API_KEY: undefined }));
    expect(await after.activate(1)).toMatchObject({
      error: { status: 422, errors: [{ path: 'accounts.default' }] },
    });
  }));

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
    const published = await registry.publish(put('a'), 'ada', NOW);
    expect(published).toMatchObject({ ok: true, value: { version: 1 } });
    expect(JSON.stringify(published)).toContain('KV could not be written');
    expect(await env.CONFIG.get(CURRENT_KEY)).toBeNull();
    expect(await state.storage.getAlarm()).not.toBeNull();
  });
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1, activation: 1 });
  expect(await env.CONFIG.get('config/versions/1', 'json')).toEqual(setOf({ sources: { a: open() } }));
  // The next one is the hourly look at outboxes.
  await runInDurableObject(stub, async (_, state) =>
    expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now() + 60_000),
  );
});

it('when KV cannot be written, it is not tried at each start of the object: an alarm that stands for it is left where it is', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const kv = kvWith({ put: () => Promise.reject(new Error('KV is out')) });
    const registry = new Registry(state, envWith({ CONFIG: kv }));
    await registry.publish(put('a'), 'ada', NOW);
    for (let failures = 0; failures < 9; failures += 1) await registry.alarm();
    const armedAt = await state.storage.getAlarm();
    expect(armedAt).toBeGreaterThan(Date.now() + 300_000);
    await new Registry(state, envWith({ CONFIG: kv })).wake();
    expect(await state.storage.getAlarm()).toBe(armedAt);
    await state.storage.deleteAlarm();
    await new Registry(state, envWith({ CONFIG: kv })).wake();
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
    await registry.publish(put('a'), 'ada', NOW);
    await registry.activate(1);
    expect(alarms).toHaveLength(3);
    expect(alarms).not.toContain(null);
  }));

it('when KV cannot be written, a rollback is made all the same', () =>
  runInDurableObject(newRegistry(), async (_, state) => {
    const healthy = new Registry(state, envWith());
    await healthy.publish(put('a'), 'ada', NOW);
    await healthy.publish(put('b'), 'ada', NOW);
    const kv = kvWith({ put: () => Promise.reject(new Error('KV is out')) });
    const registry = new Registry(state, envWith({ CONFIG: kv }));
    expect(await registry.activate(1)).toMatchObject({ ok: true, value: { version: 1 } });
    expect(registry.read()?.version).toBe(1);
    await registry.alarm();
    expect(await state.storage.getAlarm()).not.toBeNull();
    await new Registry(state, envWith()).alarm();
    expect(await env.CONFIG.get(CURRENT_KEY, 'json')).toMatchObject({ version: 1, activation: 3 });
  }));

type Stub = ReturnType<typeof newRegistry>;

const A = replace({ sources: { a: open() } });
const B = replace({ sources: { b: open() } });

const mark = (by: string, at: number, files?: string): Mark => ({
  by,
  at,
  ...(files !== undefined && { files }),
});

const managed = async (stub: Stub) => (await stub.keeping()).managed;
const push = (stub: Stub, change: Change, files = '{}', at = NOW) =>
  stub.publish(change, 'ci', at, undefined, undefined, mark('ci', at, files));

it('a set that is kept in git is marked by a push, since the first one of them', async () => {
  const stub = newRegistry();
  expect(await stub.keeping()).toEqual({ managed: null, taken_over: null });
  await push(stub, A);
  await stub.publish(B, 'ada', NOW + 9, undefined, undefined, mark('ada', NOW + 9, '{}'));
  expect(await managed(stub)).toEqual({ by: 'ci', at: new Date(NOW).toISOString() });
});

it('a set that is kept in git is changed by nothing else, and the refusal says since when, by whom, and what to do', async () => {
  const stub = newRegistry();
  await push(stub, A);
  const refusals = [
    await stub.publish(B, 'ada', NOW),
    await stub.publish(put('c'), 'ada', NOW, [1]),
    await stub.publish({ kind: 'delete', collection: 'sources', name: 'a' }, 'ada', NOW),
    await stub.activate(1),
  ];
  for (const refusal of refusals)
    expect(refusal).toEqual({
      ok: false,
      error: {
        status: 409,
        conflict: 'managed',
        errors: [],
        detail: containing(
          `has been managed in git since ${new Date(NOW).toISOString()}, by ci. Nothing was changed.`,
        ),
      },
    });
  expect(await stub.versions(9, null)).toHaveLength(1);
});

it('a set that is kept in git may be checked with a change by anybody', async () => {
  const stub = newRegistry();
  await push(stub, A);
  expect(await stub.check(put('c'))).toMatchObject({ ok: true });
});

it('a set that is kept in git makes no version when a push has what is in force, but keeps the new texts', async () => {
  const stub = newRegistry();
  await push(stub, A, '{"sources/a.yaml":"one"}');
  expect(await push(stub, A, '{"sources/a.yaml":"# one\\none"}')).toMatchObject({ value: { version: 1 } });
  expect(await stub.files()).toBe('{"sources/a.yaml":"# one\\none"}');
  expect(await stub.versions(9, null)).toHaveLength(1);
});

it('a set that is kept in git takes one of two pushes at once that build on the same version', async () => {
  const stub = newRegistry();
  await push(stub, A);
  const both = await Promise.all(
    [B, replace({ sources: { c: open() } })].map((change) =>
      stub.publish(change, 'ci', NOW, [1], undefined, mark('ci', NOW, '{}')),
    ),
  );
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ error: { status: 412, inForce: 2 } });
});

it('a set that is kept in git keeps its files when an earlier version is put in force', async () => {
  const stub = newRegistry();
  await push(stub, A);
  await push(stub, B, '{"sources/b.yaml":"b"}');
  expect(await stub.activate(1, undefined, mark('ci', NOW))).toMatchObject({ value: { version: 1 } });
  expect(await stub.files()).toBe('{"sources/b.yaml":"b"}');
  expect(await managed(stub)).not.toBeNull();
});

it('a takeover is a version with the same documents and a name, and then anybody publishes', async () => {
  const stub = newRegistry();
  await push(stub, A, '{"sources/a.yaml":"a"}');
  expect(await stub.takeOver('Ann', 'token', NOW + 1)).toMatchObject({ ok: true, value: { version: 2 } });
  expect(await stub.keeping()).toEqual({
    managed: null,
    taken_over: { name: 'Ann', at: new Date(NOW + 1).toISOString(), version: 2 },
  });
  expect(await stub.files()).toBe('{}');
  expect((await stub.versions(1, null))[0]).toMatchObject({ by: 'token', note: 'taken over by Ann' });
  expect((await stub.read(2))?.documents).toBe((await stub.read(1))?.documents);
  expect(await stub.publish(put('c'), 'ada', NOW)).toMatchObject({ value: { version: 3 } });
});

it('a takeover during a push has the push look again', async () => {
  const stub = newRegistry();
  await push(stub, A);
  await stub.takeOver('Ann', 'token', NOW);
  const late = await stub.publish(B, 'ci', NOW, [1], undefined, mark('ci', NOW, '{}'));
  expect(late).toMatchObject({ error: { status: 412, inForce: 2 } });
  expect(await managed(stub)).toBeNull();
});

it('a takeover lasts until the next push', async () => {
  const stub = newRegistry();
  await push(stub, A);
  await stub.takeOver('Ann', 'token', NOW);
  await push(stub, B, '{}', NOW + 5);
  expect(await stub.keeping()).toEqual({
    managed: { by: 'ci', at: new Date(NOW + 5).toISOString() },
    taken_over: null,
  });
});

it('a takeover needs a set that is managed', async () => {
  const stub = newRegistry();
  await stub.publish(A, 'ada', NOW);
  expect(await stub.takeOver('Ann', 'token', NOW)).toMatchObject({
    error: { status: 409, conflict: 'conflict' },
  });
  await push(stub, A);
  const both = await Promise.all(['Ann', 'Ben'].map((name) => stub.takeOver(name, 'token', NOW)));
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
});
