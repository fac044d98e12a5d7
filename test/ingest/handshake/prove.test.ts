import { expect, it } from 'vitest';
import type { PairingResult } from '../../../src/registry/pairing.ts';
import { prove } from '../../../src/ingest/handshake.ts';
import { atMost } from '../../../src/ingest/request/reject.ts';
import { UNAUTHORIZED } from '../../../src/ingest/request/verify.ts';
import type { Proof } from '../../../src/provider/handshake.ts';
import type { LookupPlace } from '../../../src/provider/lookup.ts';
import { NOW, rawOf, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const SHOWN: Proof = { by: 'secret', at: 'query:token' };

const factsWith = (text: string | null) => ({
  payload: undefined,
  headers: new Headers(text === null ? {} : { 'X-Key': text }),
  query: new URLSearchParams(text === null ? {} : { token: text }),
});

it('a proof of nothing is there', async () => {
  const nothing: readonly Proof[] = [{ by: 'nothing' }, { by: 'signature' }];
  for (const proof of nothing)
    expect(await prove(proof, rawOf(sourceOf()), factsWith(null), bindings({}))).toMatchObject({ ok: true });
});

const env = bindings({ VERIFY_TOKEN: 'a-verify-token' });
const raw = rawOf({ ...sourceOf(), handshakeSecret: 'VERIFY_TOKEN' });

it('the secret that a handshake shows has to be the one that the source names', async () => {
  expect(await prove(SHOWN, raw, factsWith('a-verify-token'), env)).toMatchObject({ ok: true });
});

it('the secret that a handshake shows is refused when it is another, only a part of it, or none', async () => {
  for (const [given, code] of [
    ['a-verify-tokem', 'mismatch'],
    ['a-verify-toke', 'mismatch'],
    ['VERIFY_TOKEN', 'mismatch'],
    [null, 'missing_field'],
    ['', 'missing_field'],
    ['a'.repeat(4_097), 'malformed'],
  ] as const) {
    const proven = await prove(SHOWN, raw, factsWith(given), env);
    expect(proven).toMatchObject({ error: { code, problem: { status: 403, type: 'handshake-refused' } } });
    expect(JSON.stringify(proven)).not.toMatch(/a-verify|aaaa/);
  }
});

it.each([
  ['is named', null, 'handshake: { secret'],
  ['is set', 'NOT_SET', 'NOT_SET'],
])(
  'the secret that a handshake shows is asked for again later while none %s',
  async (_, handshakeSecret, detail) => {
    const open = rawOf({ ...sourceOf(), handshakeSecret });
    for (const given of ['a-verify-token', '', 'undefined', 'null']) {
      const proven = await prove(SHOWN, open, factsWith(given), env);
      expect(proven).toMatchObject({
        error: { code: 'secret_missing', problem: { status: 503, headers: { 'retry-after': '60' } } },
      });
      expect(proven.ok ? '' : proven.error.detail).toContain(detail);
    }
  },
);

/** A registry that notes what it is asked, and answers as a test says. */
function registryThat(captures: PairingResult) {
  const asked: unknown[] = [];
  const stub = {
    capturePairing: (...given: unknown[]) => {
      asked.push(given);
      return Promise.resolve(captures);
    },
  };
  const env = bindings({ REGISTRY: { getByName: () => stub }, OLD: undefined, NEW: 'new-key' });
  return { asked, env };
}

let seconds = 0;
/** Each test has a second of its own, since N keys are let through in one. */
function pair(key: string | null, env: Env, at = (seconds += 1), place: LookupPlace = 'header:X-Key') {
  const source = { ...sourceOf(), secrets: ['OLD', 'NEW'] };
  const raw = { ...rawOf(source, { env }), receivedAt: NOW + at * 1_000 };
  return prove({ by: 'pairing', key: place }, raw, factsWith(key), env);
}

it('the key that a handshake hands over is taken by an open window', async () => {
  const { env, asked } = registryThat('kept');
  expect(await pair('first-key', env)).toMatchObject({ ok: true });
  expect(asked).toEqual([
    ['shop', 'first-key', { at: NOW + seconds * 1_000, address: null, userAgent: null }],
  ]);
});

it('the key that a handshake hands over is refused beside another one, and the admin learns who offered it, and never the key', async () => {
  const { env } = registryThat('conflict');
  const proven = await pair('second-key', env);
  expect(proven).toMatchObject({ error: { code: 'pairing_conflict', problem: UNAUTHORIZED } });
  expect(proven.ok ? '' : proven.error.detail).toContain('both are void');
  expect(JSON.stringify(proven)).not.toContain('second-key');
});

it('the key that a handshake hands over is refused outside of one, and the admin learns what to do', async () => {
  const { env } = registryThat('closed');
  const proven = await pair('first-key', env);
  expect(proven).toMatchObject({
    error: { code: 'pairing_closed', problem: { status: 401, type: 'verification-failed' } },
  });
  expect(proven.ok ? '' : proven.error.detail).toContain('`npx hookbell pair shop`');
  expect(JSON.stringify(proven)).not.toContain('first-key');
});

it('the key that a handshake hands over is refused when it is none', async () => {
  const { env, asked } = registryThat('kept');
  for (const key of [null, '', 'a\tb', 'a'.repeat(4_097)])
    expect(await pair(key, env, undefined, 'query:token')).toMatchObject({
      error: { code: 'malformed', problem: { status: 400 } },
    });
  expect(asked).toEqual([]);
});

it('the key that a handshake hands over cannot flood the registry: beyond five a second it has to come again', async () => {
  const { env, asked } = registryThat('closed');
  const at = (seconds += 1);
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => pair(`key-${n}`, env, at)));
  expect(asked).toHaveLength(5);
  const busy = all.filter((one) => !one.ok && one.error.problem.status === 503);
  expect(busy).toHaveLength(15);
  expect(busy[0]).toMatchObject({ error: { code: 'pairing_busy', problem: { type: 'pairing-busy' } } });
  expect(await pair('new-key', env, at)).toMatchObject({ ok: true });
});

const passed = (n: number, ...times: readonly number[]) => {
  const lets = atMost(n, 1_000);
  return times.map((now) => lets(now));
};

it('lets N through in a second, as many in the next, and begins anew when the clock goes back', () => {
  expect(passed(2, 0, 10, 20, 999, 1_000, 1_001, 1_002)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(passed(1, 5_000, 5_001, 4_000, 4_001)).toEqual([true, false, true, false]);
});
