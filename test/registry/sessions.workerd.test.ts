import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type NewSession, Sessions } from '../../src/registry/sessions.ts';
import { type Offer, PAIRING_MS, Pairings } from '../../src/registry/pairing.ts';
import { Registry } from '../../src/registry/registry.ts';
import { envWith } from '../platform/env.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;

const session = (id: string, change: Partial<NewSession> = {}): NewSession => ({
  id,
  role: 'editor',
  actor: 'token',
  client: 'Firefox',
  created_at: NOW,
  expires_at: NOW + 12 * 60 * MINUTE,
  opens_until: null,
  made_by: null,
  invited_by: null,
  ...change,
});

const code = (id: string, change: Partial<NewSession> = {}): NewSession =>
  session(id, { expires_at: NOW + 10 * MINUTE, opens_until: NOW + 60 * MINUTE, client: null, ...change });

/** Sessions in an object of their own; `ended`: those that they said have ended. */
const withSessions = (body: (sessions: Sessions, ended: string[], sql: SqlStorage) => void): Promise<void> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage }) => {
    const ended: string[] = [];
    body(new Sessions(storage.sql, (id) => ended.push(id)), ended, storage.sql);
  });

const redeem = (sessions: Sessions, id: string, now = NOW): number | null =>
  sessions.redeem(id, { id: `by-${id}`, client: 'Safari' }, now);

const ids = (sessions: Sessions, now = NOW): readonly string[] => sessions.list(now).map(({ id }) => id);

it('sessions are listed, the newest first, with what is known of them', () =>
  withSessions((sessions) => {
    sessions.add(session('first'));
    sessions.add(session('second', { created_at: NOW + 1 }));
    expect(ids(sessions)).toEqual(['second', 'first']);
    expect(sessions.list(NOW)[1]).toEqual({ ...session('first'), seen_at: NOW });
  }));

it('sessions last until they expire', () =>
  withSessions((sessions, ended) => {
    sessions.add(session('one', { expires_at: NOW + 5 }));
    expect(sessions.find('one', NOW + 4)).toEqual({ actor: 'token' });
    expect(sessions.find('one', NOW + 5)).toBeNull();
    expect(ids(sessions, NOW + 5)).toEqual([]);
    expect(ended).toEqual([]);
  }));

it('sessions that expired are removed when another one is added', () =>
  withSessions((sessions, ended, sql) => {
    sessions.add(session('old', { expires_at: NOW + 5 }));
    sessions.add(session('new', { created_at: NOW + 5 }));
    expect(sql.exec('SELECT id FROM sessions').toArray()).toEqual([{ id: 'new' }]);
    expect(ended).toEqual(['old']);
  }));

it('sessions are noted as seen once a minute at most', () =>
  withSessions((sessions, _, sql) => {
    sessions.add(session('one'));
    const written = () => sql.exec('SELECT 1').rowsWritten + (sessions.list(NOW)[0]?.seen_at ?? 0);
    for (const [at, seen] of [
      [MINUTE - 1, 0],
      [MINUTE, MINUTE],
      [2 * MINUTE - 1, MINUTE],
      [5 * MINUTE, 5 * MINUTE],
    ] as const) {
      expect(sessions.find('one', NOW + at)).not.toBeNull();
      expect(written()).toBe(NOW + seen);
    }
  }));

it('sessions that are ended are gone for good', () =>
  withSessions((sessions, ended) => {
    sessions.add(session('one'));
    sessions.add(session('other'));
    expect(sessions.end('one')).toBe(true);
    expect(sessions.end('one')).toBe(false);
    expect(sessions.find('one', NOW)).toBeNull();
    expect(sessions.find('other', NOW)).not.toBeNull();
    expect(ended).toEqual(['one']);
  }));

it('sessions of a role that are too many end with the oldest, and no other role’s', () =>
  withSessions((sessions, ended) => {
    sessions.add(session('of an editor'));
    for (let n = 0; n < 68; n += 1) sessions.add(session(`v${n}`, { role: 'viewer', created_at: NOW + n }));
    expect(ended).toEqual(['v0', 'v1']);
    expect(sessions.find('of an editor', NOW)).not.toBeNull();
    expect(ids(sessions)).toHaveLength(67);
  }));

it('a one-time code opens one session, which ends when the code says', () =>
  withSessions((sessions) => {
    sessions.add(code('one', { role: 'viewer', actor: 'viewer' }));
    expect(redeem(sessions, 'one')).toBe(NOW + 60 * MINUTE);
    expect(redeem(sessions, 'one')).toBeNull();
    expect(sessions.list(NOW)).toMatchObject([
      { id: 'by-one', role: 'viewer', actor: 'viewer', expires_at: NOW + 60 * MINUTE, client: 'Safari' },
    ]);
  }));

it('a one-time code is none after ten minutes, or when the session that it opens would be over', () =>
  withSessions((sessions) => {
    sessions.add(code('late'));
    sessions.add(code('over', { opens_until: NOW + 1 }));
    expect(redeem(sessions, 'late', NOW + 10 * MINUTE)).toBeNull();
    expect(redeem(sessions, 'over', NOW + 1)).toBeNull();
    expect(sessions.code('late', NOW + 10 * MINUTE - 1)).not.toBeNull();
    expect(sessions.code('late', NOW + 10 * MINUTE)).toBeNull();
  }));

it('a one-time code is no session: it is not listed, lets nobody in, and cannot be ended as one', () =>
  withSessions((sessions) => {
    sessions.add(code('one'));
    expect(ids(sessions)).toEqual([]);
    expect(sessions.find('one', NOW)).toBeNull();
    expect(sessions.end('one')).toBe(false);
    expect(redeem(sessions, 'one')).not.toBeNull();
  }));

it('a session is no one-time code', () =>
  withSessions((sessions) => {
    sessions.add(session('one'));
    expect(redeem(sessions, 'one')).toBeNull();
    expect(sessions.code('one', NOW)).toBeNull();
    expect(sessions.find('one', NOW)).not.toBeNull();
  }));

it('a one-time code ends with the session that made it', () =>
  withSessions((sessions) => {
    sessions.add(session('maker'));
    sessions.add(code('its', { made_by: 'maker' }));
    sessions.add(code('other'));
    sessions.end('maker');
    expect(redeem(sessions, 'its')).toBeNull();
    expect(redeem(sessions, 'other')).not.toBeNull();
  }));

it('a one-time code is not made by a session that has ended meanwhile', () =>
  withSessions((sessions) => {
    expect(sessions.add(code('late', { made_by: 'maker' }))).toBe(false);
    sessions.add(session('maker'));
    expect(sessions.add(code('its', { made_by: 'maker' }))).toBe(true);
    expect(redeem(sessions, 'late')).toBeNull();
  }));

/** `desk` hands one over to `phone`, which hands one over to `tablet`, which makes a code; `other` is another's. */
const handOver = (sessions: Sessions): void => {
  sessions.add(session('desk'));
  sessions.add(session('other'));
  for (const [maker, next] of [
    ['desk', 'phone'],
    ['phone', 'tablet'],
  ] as const) {
    sessions.add(code(`to-${next}`, { made_by: maker }));
    sessions.redeem(`to-${next}`, { id: next, client: null }, NOW);
  }
  sessions.add(code('unused', { made_by: 'tablet' }));
};

it('a session that was handed over ends with the one that handed it over, however many are between them, and nobody else’s does', () =>
  withSessions((sessions, ended) => {
    handOver(sessions);
    expect(ids(sessions).toSorted()).toEqual(['desk', 'other', 'phone', 'tablet']);
    expect(sessions.end('desk')).toBe(true);
    expect(ids(sessions)).toEqual(['other']);
    expect(ended.toSorted()).toEqual(['desk', 'phone', 'tablet', 'unused']);
    expect(redeem(sessions, 'unused')).toBeNull();
  }));

it('a session that was handed over does not end the one that handed it over', () =>
  withSessions((sessions) => {
    handOver(sessions);
    sessions.end('phone');
    expect(ids(sessions).toSorted()).toEqual(['desk', 'other']);
  }));

it('a session that was handed over ends with one that too many newer ones pushed out', () =>
  withSessions((sessions) => {
    sessions.add(session('desk', { created_at: NOW - 1 }));
    sessions.add(code('to-phone', { made_by: 'desk' }));
    sessions.redeem('to-phone', { id: 'phone', client: null }, NOW + 1_000);
    for (let n = 0; n < 65; n += 1) sessions.add(session(`s${n}`, { created_at: NOW + n }));
    expect([sessions.find('desk', NOW), sessions.find('phone', NOW)]).toEqual([null, null]);
    expect(sessions.find('s0', NOW)).not.toBeNull();
  }));

const invitation = (id: string): NewSession =>
  code(id, { role: 'operator', actor: 'Ben', invited_by: 'Ada' });

it('an invitation is listed, and opens a session of the invited person', () =>
  withSessions((sessions) => {
    sessions.add(invitation('one'));
    expect(sessions.list(NOW)).toMatchObject([{ id: 'one', actor: 'Ben', invited_by: 'Ada' }]);
    expect(sessions.find('one', NOW)).toBeNull();
    expect(sessions.code('one', NOW)).toEqual({ actor: 'Ben' });
    expect(redeem(sessions, 'one')).toBe(NOW + 60 * MINUTE);
    expect(sessions.find('by-one', NOW)).toEqual({ actor: 'Ben' });
    expect(sessions.list(NOW)).toMatchObject([{ id: 'by-one', invited_by: 'Ada', opens_until: null }]);
    expect(redeem(sessions, 'one')).toBeNull();
  }));

it('an invitation is taken back like a session is ended', () =>
  withSessions((sessions, ended) => {
    sessions.add(invitation('one'));
    expect(sessions.end('one')).toBe(true);
    expect(ended).toEqual(['one']);
    expect(redeem(sessions, 'one')).toBeNull();
  }));

interface Bench {
  readonly pairings: Pairings;
  /** Everything that is kept, as JSON. */
  readonly kept: () => string;
}

const PROVIDER: Omit<Offer, 'at'> = { address: '192.0.2.10', userAgent: 'Asana' };
const STRANGER: Omit<Offer, 'at'> = { address: '203.0.113.66', userAgent: null };
const from = (at: number, who = PROVIDER): Offer => ({ at, ...who });

const bench = (use: (bench: Bench) => void | Promise<void>) =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, { storage: { sql } }) => {
    const kept = () => JSON.stringify(sql.exec('SELECT * FROM pairing_windows').toArray());
    await use({ pairings: new Pairings(sql), kept });
  });

it('a pairing window is closed until it is opened, and by itself after ten minutes', () =>
  bench(({ pairings }) => {
    expect(pairings.look('tasks', NOW)).toEqual({ state: 'closed' });
    expect(pairings.open('tasks', NOW)).toEqual({ state: 'open', expiresAt: NOW + PAIRING_MS });
    expect(pairings.look('tasks', NOW + PAIRING_MS - 1)).toMatchObject({ state: 'open' });
    expect(pairings.look('tasks', NOW + PAIRING_MS)).toEqual({ state: 'closed' });
  }));

it('a pairing window is one source’s own', () =>
  bench(async ({ pairings }) => {
    pairings.open('tasks', NOW);
    expect(await pairings.capture('pages', 'key-1', from(NOW))).toBe('closed');
    expect(pairings.look('pages', NOW)).toEqual({ state: 'closed' });
  }));

it('a pairing window that is shut takes no key', () =>
  bench(async ({ pairings, kept }) => {
    pairings.open('tasks', NOW);
    pairings.close('tasks');
    expect(await pairings.capture('tasks', 'key-1', from(NOW))).toBe('closed');
    expect(await pairings.capture('tasks', 'key-1', from(NOW + PAIRING_MS))).toBe('closed');
    expect(kept()).toBe('[]');
  }));

it.each([
  [false, 'voids the first'],
  [true, 'voids the first even after that was taken'],
])('a second, different key %s: %s', (wasTaken) =>
  bench(async ({ pairings, kept }) => {
    pairings.open('tasks', NOW);
    await pairings.capture('tasks', 'key-1', from(NOW, STRANGER));
    if (wasTaken) pairings.take('tasks', NOW);
    expect(await pairings.capture('tasks', 'key-2', from(NOW + 1))).toBe('conflict');
    const offers = [from(NOW, STRANGER), from(NOW + 1)];
    const found = { state: 'void', expiresAt: NOW + 1 + PAIRING_MS, offers, wasTaken };
    expect(pairings.look('tasks', NOW + 2)).toEqual(found);
    expect(pairings.take('tasks', NOW + 2)).toEqual({ secret: null, pairing: found });
    expect(kept()).not.toMatch(/key-[12]/);
    for (const key of ['key-1', 'key-2', 'key-3'])
      expect(await pairings.capture('tasks', key, from(NOW + 3))).toBe('conflict');
    expect(pairings.look('tasks', NOW + 3)).toEqual(found);
  }),
);

it('a second, different key that comes at the same moment voids both, whichever was first', () =>
  bench(async ({ pairings }) => {
    pairings.open('tasks', NOW);
    const both = ['key-1', 'key-2'].map((key) => pairings.capture('tasks', key, from(NOW)));
    expect((await Promise.all(both)).toSorted()).toEqual(['conflict', 'kept']);
    expect(pairings.take('tasks', NOW)).toMatchObject({ secret: null, pairing: { state: 'void' } });
  }));

it('a second, different key is forgiven by opening the window anew', () =>
  bench(async ({ pairings }) => {
    pairings.open('tasks', NOW);
    for (const key of ['key-1', 'key-2']) await pairings.capture('tasks', key, from(NOW));
    expect(pairings.open('tasks', NOW)).toMatchObject({ state: 'open' });
    expect(await pairings.capture('tasks', 'key-2', from(NOW))).toBe('kept');
    expect(pairings.take('tasks', NOW).secret).toBe('key-2');
  }));

it('the key that comes in is shown once, and gone; who offered it is seen until the window ends', () =>
  bench(async ({ pairings, kept }) => {
    pairings.open('tasks', NOW);
    expect(await pairings.capture('tasks', 'key-1', from(NOW + 1))).toBe('kept');
    const found = { expiresAt: NOW + 1 + PAIRING_MS, offers: [from(NOW + 1)] };
    const { secret, pairing } = pairings.take('tasks', NOW + 2);
    expect({ secret, pairing }).toEqual({ secret: 'key-1', pairing: { state: 'taken', ...found } });
    expect(pairings.take('tasks', NOW + 2)).toEqual({ secret: null, pairing });
    expect(kept()).not.toContain('key-1');
  }));

it('the key that comes in is looked at as often as one likes, and nothing changes', () =>
  bench(async ({ pairings, kept }) => {
    pairings.open('tasks', NOW);
    await pairings.capture('tasks', 'key-1', from(NOW));
    const before = kept();
    for (const at of [NOW, NOW + 1, NOW + 10 * PAIRING_MS]) pairings.look('tasks', at);
    expect(pairings.look('tasks', NOW)).toEqual({
      state: 'captured',
      expiresAt: NOW + PAIRING_MS,
      offers: [from(NOW)],
    });
    expect(kept()).toBe(before);
  }));

it('the key that comes in may come again until the window ends: the answer to it may have been lost', () =>
  bench(async ({ pairings }) => {
    pairings.open('tasks', NOW);
    expect(await pairings.capture('tasks', 'key-1', from(NOW))).toBe('kept');
    expect(await pairings.capture('tasks', 'key-1', from(NOW + 1))).toBe('known');
    expect(pairings.take('tasks', NOW + 2).secret).toBe('key-1');
    expect(await pairings.capture('tasks', 'key-1', from(NOW + 3))).toBe('known');
    expect(await pairings.capture('tasks', 'key-1', from(NOW + PAIRING_MS))).toBe('closed');
  }));

it('the key that comes in waits ten minutes from when it came, and is deleted at the next touch of any source', () =>
  bench(async ({ pairings, kept }) => {
    const late = NOW + PAIRING_MS - 1;
    pairings.open('tasks', NOW);
    await pairings.capture('tasks', 'key-1', from(late));
    pairings.open('pages', late + PAIRING_MS - 1);
    expect(kept()).toContain('key-1');
    expect(await pairings.capture('other', 'key-2', from(late + PAIRING_MS))).toBe('closed');
    expect(kept()).not.toContain('key-1');
  }));

it.each<[string, (pairings: Pairings) => unknown]>([
  ['closing', (pairings) => pairings.close('tasks')],
  ['opening anew', (pairings) => pairings.open('tasks', NOW + 1)],
])('the key that comes in is dropped by %s', (_, act) =>
  bench(async ({ pairings, kept }) => {
    pairings.open('tasks', NOW);
    await pairings.capture('tasks', 'key-1', from(NOW));
    act(pairings);
    expect(kept()).not.toContain('key-1');
  }),
);

it('a key that nobody asked for any more is gone when the registry wakes', () =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, state) => {
    const registry = new Registry(state, envWith());
    registry.openPairing('tasks', NOW - 365 * 86_400_000);
    expect(await registry.capturePairing('tasks', 'key-1', from(NOW - 365 * 86_400_000))).toBe('kept');
    const woken = new Registry(state, envWith());
    expect(state.storage.sql.exec('SELECT * FROM pairing_windows').toArray()).toEqual([]);
    expect(woken.lookAtPairing('tasks', NOW)).toEqual({ state: 'closed' });
  }));
