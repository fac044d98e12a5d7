import { expect, it } from 'vitest';
import { type NewSession, Sessions } from '../../src/registry/sessions.ts';
import { type Offer, PAIRING_MS, Pairings } from '../../src/registry/pairing.ts';
import { tables } from './tables.ts';

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

function open(...some: readonly NewSession[]) {
  const { sql } = tables();
  const sessions = new Sessions(sql);
  for (const one of some) sessions.addSession(one);
  return { sessions, sql };
}

const redeem = (sessions: Sessions, id: string, now = NOW): number | null =>
  sessions.redeemCode(id, { id: `by-${id}`, client: 'Safari' }, now);

const ids = (sessions: Sessions, now = NOW): readonly string[] => sessions.sessions(now).map(({ id }) => id);

it('sessions are listed, the newest first, with what is known of them', () => {
  const { sessions } = open(session('first'), session('second', { created_at: NOW + 1 }));
  expect(ids(sessions)).toEqual(['second', 'first']);
  expect(sessions.sessions(NOW)[1]).toEqual({ ...session('first'), seen_at: NOW });
});

it('sessions last until they expire, and are removed when another one is added', () => {
  const { sessions, sql } = open(session('old', { expires_at: NOW + 5 }));
  expect(sessions.findSession('old', NOW + 4)).toEqual({ actor: 'token' });
  expect(sessions.findSession('old', NOW + 5)).toBeNull();
  expect(ids(sessions, NOW + 5)).toEqual([]);
  sessions.addSession(session('new', { created_at: NOW + 5 }));
  expect(sql.exec('SELECT id FROM sessions').toArray()).toEqual([{ id: 'new' }]);
});

it('sessions are noted as seen once a minute at most', () => {
  const { sessions } = open(session('one'));
  const seen = [MINUTE - 1, MINUTE, 2 * MINUTE - 1, 5 * MINUTE].map((at) => {
    expect(sessions.findSession('one', NOW + at)).not.toBeNull();
    return (sessions.sessions(NOW)[0]?.seen_at ?? 0) - NOW;
  });
  expect(seen).toEqual([0, MINUTE, MINUTE, 5 * MINUTE]);
});

it('sessions that are ended are gone for good', () => {
  const { sessions } = open(session('one'), session('other'));
  expect([sessions.endSession('one'), sessions.endSession('one')]).toEqual([true, false]);
  expect(sessions.findSession('one', NOW)).toBeNull();
  expect(sessions.findSession('other', NOW)).not.toBeNull();
});

it('sessions of a role that are too many end with the oldest, and no other role’s', () => {
  const { sessions } = open(session('of an editor'));
  for (let n = 0; n < 68; n += 1)
    sessions.addSession(session(`v${n}`, { role: 'viewer', created_at: NOW + n }));
  expect([sessions.findSession('v1', NOW), sessions.findSession('v2', NOW)]).toEqual([
    null,
    { actor: 'token' },
  ]);
  expect(sessions.findSession('of an editor', NOW)).not.toBeNull();
  expect(ids(sessions)).toHaveLength(67);
});

it('a one-time code opens one session, which ends when the code says', () => {
  const { sessions } = open(code('one', { role: 'viewer', actor: 'viewer' }));
  expect([redeem(sessions, 'one'), redeem(sessions, 'one')]).toEqual([NOW + 60 * MINUTE, null]);
  expect(sessions.sessions(NOW)).toMatchObject([
    { id: 'by-one', role: 'viewer', actor: 'viewer', expires_at: NOW + 60 * MINUTE, client: 'Safari' },
  ]);
});

it('a one-time code is none after ten minutes, or when the session that it opens would be over', () => {
  const { sessions } = open(code('late'), code('over', { opens_until: NOW + 1 }));
  expect(redeem(sessions, 'late', NOW + 10 * MINUTE)).toBeNull();
  expect(redeem(sessions, 'over', NOW + 1)).toBeNull();
  expect(sessions.findCode('late', NOW + 10 * MINUTE - 1)).not.toBeNull();
  expect(sessions.findCode('late', NOW + 10 * MINUTE)).toBeNull();
});

it('a one-time code is no session: it is not listed, lets nobody in, and cannot be ended as one; nor is a session a code', () => {
  const { sessions } = open(code('one'));
  expect([ids(sessions), sessions.findSession('one', NOW), sessions.endSession('one')]).toEqual([
    [],
    null,
    false,
  ]);
  expect(redeem(sessions, 'one')).not.toBeNull();
  sessions.addSession(session('two'));
  expect([redeem(sessions, 'two'), sessions.findCode('two', NOW)]).toEqual([null, null]);
  expect(sessions.findSession('two', NOW)).not.toBeNull();
});

it('a one-time code ends with the session that made it, and is not made by one that has ended meanwhile', () => {
  const { sessions } = open();
  expect(sessions.addSession(code('late', { made_by: 'maker' }))).toBe(false);
  sessions.addSession(session('maker'));
  expect(sessions.addSession(code('its', { made_by: 'maker' }))).toBe(true);
  sessions.addSession(code('other'));
  sessions.endSession('maker');
  expect([redeem(sessions, 'late'), redeem(sessions, 'its')]).toEqual([null, null]);
  expect(redeem(sessions, 'other')).not.toBeNull();
});

/** `desk` hands one over to `phone`, which hands one over to `tablet`, which makes a code; `other` is another's. */
function handedOver() {
  const { sessions } = open(session('desk'), session('other'));
  for (const [maker, next] of [
    ['desk', 'phone'],
    ['phone', 'tablet'],
  ] as const) {
    sessions.addSession(code(`to-${next}`, { made_by: maker }));
    sessions.redeemCode(`to-${next}`, { id: next, client: null }, NOW);
  }
  sessions.addSession(code('unused', { made_by: 'tablet' }));
  return sessions;
}

it('a session that was handed over ends with the one that handed it over, however many are between them, and nobody else’s does', () => {
  const sessions = handedOver();
  expect(ids(sessions).toSorted()).toEqual(['desk', 'other', 'phone', 'tablet']);
  expect(sessions.endSession('desk')).toBe(true);
  expect(ids(sessions)).toEqual(['other']);
  expect(redeem(sessions, 'unused')).toBeNull();
  // Not the other way round.
  const other = handedOver();
  other.endSession('phone');
  expect(ids(other).toSorted()).toEqual(['desk', 'other']);
});

it('a session that was handed over ends with one that too many newer ones pushed out', () => {
  const { sessions } = open(session('desk', { created_at: NOW - 1 }), code('to-phone', { made_by: 'desk' }));
  sessions.redeemCode('to-phone', { id: 'phone', client: null }, NOW + 1_000);
  for (let n = 0; n < 65; n += 1) sessions.addSession(session(`s${n}`, { created_at: NOW + n }));
  expect([sessions.findSession('desk', NOW), sessions.findSession('phone', NOW)]).toEqual([null, null]);
  expect(sessions.findSession('s0', NOW)).not.toBeNull();
});

const INVITATION = code('one', { role: 'operator', actor: 'Ben', invited_by: 'Ada' });

it('an invitation is listed, and opens a session of the invited person', () => {
  const { sessions } = open(INVITATION);
  expect(sessions.sessions(NOW)).toMatchObject([{ id: 'one', actor: 'Ben', invited_by: 'Ada' }]);
  expect([sessions.findSession('one', NOW), sessions.findCode('one', NOW)]).toEqual([null, { actor: 'Ben' }]);
  expect(redeem(sessions, 'one')).toBe(NOW + 60 * MINUTE);
  expect(sessions.findSession('by-one', NOW)).toEqual({ actor: 'Ben' });
  expect(sessions.sessions(NOW)).toMatchObject([{ id: 'by-one', invited_by: 'Ada', opens_until: null }]);
  expect(redeem(sessions, 'one')).toBeNull();
});

it('an invitation is taken back like a session is ended', () => {
  const { sessions } = open(INVITATION);
  expect([sessions.endSession('one'), redeem(sessions, 'one')]).toEqual([true, null]);
});

const PROVIDER: Omit<Offer, 'at'> = { address: '192.0.2.10', userAgent: 'Asana' };
const STRANGER: Omit<Offer, 'at'> = { address: '203.0.113.66', userAgent: null };
const from = (at: number, who = PROVIDER): Offer => ({ at, ...who });

/** A window of the source `tasks`, opened now. `kept`: everything that is kept, as JSON. */
function pairingWindow() {
  const { sql } = tables();
  const pairings = new Pairings(sql);
  const opened = pairings.openPairing('tasks', NOW);
  const kept = () => JSON.stringify(sql.exec('SELECT * FROM pairing_windows').toArray());
  const capture = (key: string, at = NOW, who = PROVIDER) =>
    pairings.capturePairing('tasks', key, from(at, who));
  return { pairings, opened, kept, capture };
}

it('a pairing window is one source’s own, closed until it is opened, and by itself after ten minutes', async () => {
  const { pairings, opened } = pairingWindow();
  expect(pairings.capturePairing('pages', 'key-1', from(NOW))).toBe('closed');
  expect(pairings.lookAtPairing('pages', NOW)).toEqual({ state: 'closed' });
  expect(opened).toEqual({ state: 'open', expiresAt: NOW + PAIRING_MS });
  expect(pairings.lookAtPairing('tasks', NOW + PAIRING_MS - 1)).toMatchObject({ state: 'open' });
  expect(pairings.lookAtPairing('tasks', NOW + PAIRING_MS)).toEqual({ state: 'closed' });
});

it('a pairing window that is shut takes no key', async () => {
  const { pairings, kept, capture } = pairingWindow();
  pairings.closePairing('tasks');
  for (const at of [NOW, NOW + PAIRING_MS]) expect(capture('key-1', at)).toBe('closed');
  expect(kept()).toBe('[]');
});

it('a second, different key voids the first, even after that was taken', async () => {
  for (const wasTaken of [false, true]) {
    const { pairings, kept, capture } = pairingWindow();
    capture('key-1', NOW, STRANGER);
    if (wasTaken) pairings.takePairing('tasks', NOW);
    expect(capture('key-2', NOW + 1)).toBe('conflict');
    const offers = [from(NOW, STRANGER), from(NOW + 1)];
    const found = { state: 'void', expiresAt: NOW + 1 + PAIRING_MS, offers, wasTaken };
    expect(pairings.lookAtPairing('tasks', NOW + 2)).toEqual(found);
    expect(pairings.takePairing('tasks', NOW + 2)).toEqual({ secret: null, pairing: found });
    expect(kept()).not.toMatch(/key-[12]/);
    for (const key of ['key-1', 'key-2', 'key-3']) expect(capture(key, NOW + 3)).toBe('conflict');
    expect(pairings.lookAtPairing('tasks', NOW + 3)).toEqual(found);
  }
});

it('a second, different key that comes at the same moment voids both, and is forgiven by opening the window anew', async () => {
  const { pairings, capture } = pairingWindow();
  const both = [capture('key-1'), capture('key-2')];
  expect(both.toSorted()).toEqual(['conflict', 'kept']);
  expect(pairings.takePairing('tasks', NOW)).toMatchObject({ secret: null, pairing: { state: 'void' } });
  expect(pairings.openPairing('tasks', NOW)).toMatchObject({ state: 'open' });
  expect(capture('key-2')).toBe('kept');
  expect(pairings.takePairing('tasks', NOW).secret).toBe('key-2');
});

it('the key that comes in is shown once, and gone; who offered it is seen until the window ends', async () => {
  const { pairings, kept, capture } = pairingWindow();
  expect(capture('key-1', NOW + 1)).toBe('kept');
  const pairing = { state: 'taken', expiresAt: NOW + 1 + PAIRING_MS, offers: [from(NOW + 1)] };
  expect(pairings.takePairing('tasks', NOW + 2)).toEqual({ secret: 'key-1', pairing });
  expect(pairings.takePairing('tasks', NOW + 2)).toEqual({ secret: null, pairing });
  expect(kept()).not.toContain('key-1');
});

it('the key that comes in is looked at as often as one likes, and nothing changes', async () => {
  const { pairings, kept, capture } = pairingWindow();
  capture('key-1');
  const before = kept();
  for (const at of [NOW + 1, NOW + 10 * PAIRING_MS]) pairings.lookAtPairing('tasks', at);
  const found = { state: 'captured', expiresAt: NOW + PAIRING_MS, offers: [from(NOW)] };
  expect(pairings.lookAtPairing('tasks', NOW)).toEqual(found);
  expect(kept()).toBe(before);
});

it('the key that comes in may come again until the window ends: the answer to it may have been lost', async () => {
  const { pairings, capture } = pairingWindow();
  expect([capture('key-1'), capture('key-1', NOW + 1)]).toEqual(['kept', 'known']);
  expect(pairings.takePairing('tasks', NOW + 2).secret).toBe('key-1');
  expect(capture('key-1', NOW + 3)).toBe('known');
  expect(capture('key-1', NOW + PAIRING_MS)).toBe('closed');
});

it('the key that comes in waits ten minutes from when it came, and is deleted at the next touch of any source', async () => {
  const { pairings, kept, capture } = pairingWindow();
  const late = NOW + PAIRING_MS - 1;
  capture('key-1', late);
  pairings.openPairing('pages', late + PAIRING_MS - 1);
  expect(kept()).toContain('key-1');
  expect(pairings.capturePairing('other', 'key-2', from(late + PAIRING_MS))).toBe('closed');
  expect(kept()).not.toContain('key-1');
});

it('the key that comes in is dropped by closing, and by opening anew', async () => {
  for (const act of ['closePairing', 'openPairing'] as const) {
    const { pairings, kept, capture } = pairingWindow();
    capture('key-1');
    pairings[act]('tasks', NOW + 1);
    expect(kept(), act).not.toContain('key-1');
  }
});
