import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Sessions, type NewSession } from '../../src/registry/sessions.ts';

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

describe('sessions', () => {
  it('are listed, the newest first, with what is known of them', () =>
    withSessions((sessions) => {
      sessions.add(session('first'));
      sessions.add(session('second', { created_at: NOW + 1 }));
      expect(ids(sessions)).toEqual(['second', 'first']);
      expect(sessions.list(NOW)[1]).toEqual({ ...session('first'), seen_at: NOW });
    }));

  it('last until they expire', () =>
    withSessions((sessions, ended) => {
      sessions.add(session('one', { expires_at: NOW + 5 }));
      expect(sessions.find('one', NOW + 4)).toEqual({ actor: 'token' });
      expect(sessions.find('one', NOW + 5)).toBeNull();
      expect(ids(sessions, NOW + 5)).toEqual([]);
      expect(ended).toEqual([]);
    }));

  it('that expired are removed when another one is added', () =>
    withSessions((sessions, ended, sql) => {
      sessions.add(session('old', { expires_at: NOW + 5 }));
      sessions.add(session('new', { created_at: NOW + 5 }));
      expect(sql.exec('SELECT id FROM sessions').toArray()).toEqual([{ id: 'new' }]);
      expect(ended).toEqual(['old']);
    }));

  it('are noted as seen once a minute at most', () =>
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

  it('that are ended are gone for good', () =>
    withSessions((sessions, ended) => {
      sessions.add(session('one'));
      sessions.add(session('other'));
      expect(sessions.end('one')).toBe(true);
      expect(sessions.end('one')).toBe(false);
      expect(sessions.find('one', NOW)).toBeNull();
      expect(sessions.find('other', NOW)).not.toBeNull();
      expect(ended).toEqual(['one']);
    }));

  it('of a role that are too many end with the oldest, and no other role’s', () =>
    withSessions((sessions, ended) => {
      sessions.add(session('of an editor'));
      for (let n = 0; n < 68; n += 1) sessions.add(session(`v${n}`, { role: 'viewer', created_at: NOW + n }));
      expect(ended).toEqual(['v0', 'v1']);
      expect(sessions.find('of an editor', NOW)).not.toBeNull();
      expect(ids(sessions)).toHaveLength(67);
    }));
});

describe('a one-time code', () => {
  it('opens one session, which ends when the code says', () =>
    withSessions((sessions) => {
      sessions.add(code('one', { role: 'viewer', actor: 'viewer' }));
      expect(redeem(sessions, 'one')).toBe(NOW + 60 * MINUTE);
      expect(redeem(sessions, 'one')).toBeNull();
      expect(sessions.list(NOW)).toMatchObject([
        { id: 'by-one', role: 'viewer', actor: 'viewer', expires_at: NOW + 60 * MINUTE, client: 'Safari' },
      ]);
    }));

  it('is none after ten minutes, or when the session that it opens would be over', () =>
    withSessions((sessions) => {
      sessions.add(code('late'));
      sessions.add(code('over', { opens_until: NOW + 1 }));
      expect(redeem(sessions, 'late', NOW + 10 * MINUTE)).toBeNull();
      expect(redeem(sessions, 'over', NOW + 1)).toBeNull();
      expect(sessions.code('late', NOW + 10 * MINUTE - 1)).not.toBeNull();
      expect(sessions.code('late', NOW + 10 * MINUTE)).toBeNull();
    }));

  it('is no session: it is not listed, lets nobody in, and cannot be ended as one', () =>
    withSessions((sessions) => {
      sessions.add(code('one'));
      expect(ids(sessions)).toEqual([]);
      expect(sessions.find('one', NOW)).toBeNull();
      expect(sessions.end('one')).toBe(false);
      expect(redeem(sessions, 'one')).not.toBeNull();
    }));

  it('and a session is no code', () =>
    withSessions((sessions) => {
      sessions.add(session('one'));
      expect(redeem(sessions, 'one')).toBeNull();
      expect(sessions.code('one', NOW)).toBeNull();
      expect(sessions.find('one', NOW)).not.toBeNull();
    }));

  it('ends with the session that made it', () =>
    withSessions((sessions) => {
      sessions.add(session('maker'));
      sessions.add(code('its', { made_by: 'maker' }));
      sessions.add(code('other'));
      sessions.end('maker');
      expect(redeem(sessions, 'its')).toBeNull();
      expect(redeem(sessions, 'other')).not.toBeNull();
    }));

  it('is not made by a session that has ended meanwhile', () =>
    withSessions((sessions) => {
      expect(sessions.add(code('late', { made_by: 'maker' }))).toBe(false);
      sessions.add(session('maker'));
      expect(sessions.add(code('its', { made_by: 'maker' }))).toBe(true);
      expect(redeem(sessions, 'late')).toBeNull();
    }));
});

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

describe('a session that was handed over', () => {
  it('ends with the one that handed it over, however many are between them, and nobody else’s does', () =>
    withSessions((sessions, ended) => {
      handOver(sessions);
      expect(ids(sessions).toSorted()).toEqual(['desk', 'other', 'phone', 'tablet']);
      expect(sessions.end('desk')).toBe(true);
      expect(ids(sessions)).toEqual(['other']);
      expect(ended.toSorted()).toEqual(['desk', 'phone', 'tablet', 'unused']);
      expect(redeem(sessions, 'unused')).toBeNull();
    }));

  it('does not end the one that handed it over', () =>
    withSessions((sessions) => {
      handOver(sessions);
      sessions.end('phone');
      expect(ids(sessions).toSorted()).toEqual(['desk', 'other']);
    }));

  it('ends with one that too many newer ones pushed out', () =>
    withSessions((sessions) => {
      sessions.add(session('desk', { created_at: NOW - 1 }));
      sessions.add(code('to-phone', { made_by: 'desk' }));
      sessions.redeem('to-phone', { id: 'phone', client: null }, NOW + 1_000);
      for (let n = 0; n < 65; n += 1) sessions.add(session(`s${n}`, { created_at: NOW + n }));
      expect([sessions.find('desk', NOW), sessions.find('phone', NOW)]).toEqual([null, null]);
      expect(sessions.find('s0', NOW)).not.toBeNull();
    }));
});

const invitation = (id: string): NewSession =>
  code(id, { role: 'operator', actor: 'Ben', invited_by: 'Ada' });

describe('an invitation', () => {
  it('is listed, and opens a session of the invited person', () =>
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

  it('is taken back like a session is ended', () =>
    withSessions((sessions, ended) => {
      sessions.add(invitation('one'));
      expect(sessions.end('one')).toBe(true);
      expect(ended).toEqual(['one']);
      expect(redeem(sessions, 'one')).toBeNull();
    }));
});
