import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/registry/change.ts';
import type { Mark } from '../../src/registry/managed.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { containing, open, setOf } from '../config/support.ts';

const NOW = Date.now();
const newRegistry = () => env.REGISTRY.getByName(crypto.randomUUID());
type Stub = ReturnType<typeof newRegistry>;

const replace = (parts: Partial<ConfigSet>): Change => ({ kind: 'replace', set: setOf(parts) });
const put = (name: string): Change => ({ kind: 'put', collection: 'sources', name, document: open() });
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

describe('a set that is kept in git', () => {
  it('is marked by a push, since the first one of them', async () => {
    const stub = newRegistry();
    expect(await stub.keeping()).toEqual({ managed: null, taken_over: null });
    await push(stub, A);
    await stub.publish(B, 'ada', NOW + 9, undefined, undefined, mark('ada', NOW + 9, '{}'));
    expect(await managed(stub)).toEqual({ by: 'ci', at: new Date(NOW).toISOString() });
  });

  it('is changed by nothing else, and the refusal says since when, by whom, and what to do', async () => {
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

  it('may be checked with a change by anybody', async () => {
    const stub = newRegistry();
    await push(stub, A);
    expect(await stub.check(put('c'))).toMatchObject({ ok: true });
  });

  it('makes no version when a push has what is in force, but keeps the new texts', async () => {
    const stub = newRegistry();
    await push(stub, A, '{"sources/a.yaml":"one"}');
    expect(await push(stub, A, '{"sources/a.yaml":"# one\\none"}')).toMatchObject({ value: { version: 1 } });
    expect(await stub.files()).toBe('{"sources/a.yaml":"# one\\none"}');
    expect(await stub.versions(9, null)).toHaveLength(1);
  });

  it('takes one of two pushes at once that build on the same version', async () => {
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

  it('keeps its files when an earlier version is put in force', async () => {
    const stub = newRegistry();
    await push(stub, A);
    await push(stub, B, '{"sources/b.yaml":"b"}');
    expect(await stub.activate(1, undefined, mark('ci', NOW))).toMatchObject({ value: { version: 1 } });
    expect(await stub.files()).toBe('{"sources/b.yaml":"b"}');
    expect(await managed(stub)).not.toBeNull();
  });
});

describe('a takeover', () => {
  it('is a version with the same documents and a name, and then anybody publishes', async () => {
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

  it('during a push has the push look again', async () => {
    const stub = newRegistry();
    await push(stub, A);
    await stub.takeOver('Ann', 'token', NOW);
    const late = await stub.publish(B, 'ci', NOW, [1], undefined, mark('ci', NOW, '{}'));
    expect(late).toMatchObject({ error: { status: 412, inForce: 2 } });
    expect(await managed(stub)).toBeNull();
  });

  it('lasts until the next push', async () => {
    const stub = newRegistry();
    await push(stub, A);
    await stub.takeOver('Ann', 'token', NOW);
    await push(stub, B, '{}', NOW + 5);
    expect(await stub.keeping()).toEqual({
      managed: { by: 'ci', at: new Date(NOW + 5).toISOString() },
      taken_over: null,
    });
  });

  it('needs a set that is managed', async () => {
    const stub = newRegistry();
    await stub.publish(A, 'ada', NOW);
    expect(await stub.takeOver('Ann', 'token', NOW)).toMatchObject({
      error: { status: 409, conflict: 'conflict' },
    });
    await push(stub, A);
    const both = await Promise.all(['Ann', 'Ben'].map((name) => stub.takeOver(name, 'token', NOW)));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });
});
