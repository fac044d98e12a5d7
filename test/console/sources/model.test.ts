import { describe, expect, it } from 'vitest';
import {
  hasWords,
  missingSecrets,
  routesOf,
  rowsOf,
  secretNames,
} from '../../../console/pages/sources/model.ts';

const SOURCE = {
  id: 'shop',
  provider: 'stripe',
  secrets: ['A_SECRET', 'B_SECRET'],
  handshake: { secret: 'C_TOKEN' },
};

const stats = (source: object) => ({
  sources: {
    shop: { account: 'default', events: {}, duplicates: 0, rejections: {}, last_event_at: null, ...source },
  },
  accounts: {},
});

const check = (id: string, status: 'ok' | 'warn' | 'fail') => ({ id, status, title: '', detail: '' });

const overdueIf = (overdue: boolean) =>
  rowsOf([SOURCE], stats({ heartbeat: { expected: '1h', overdue } }), new Set())[0]?.overdue;

describe('a row of the list of sources', () => {
  it('sums its events and rejections', () => {
    const counted = stats({ events: { routed: 3, unmatched: 2 }, rejections: { stale: 4 } });
    expect(rowsOf([SOURCE], counted, new Set())[0]).toMatchObject({ events: 5, rejected: 4, lastAt: null });
  });
  it('does not say 0 where nobody knows', () => {
    expect(rowsOf([SOURCE], stats({ events: null }), new Set())[0]?.events).toBeNull();
    expect(rowsOf([SOURCE], null, new Set())[0]?.events).toBeNull();
  });
  it('names an overdue heartbeat, and no other', () => {
    expect([overdueIf(true), overdueIf(false)]).toEqual(['1h', null]);
  });
  it('has those of its secrets that are missing', () => {
    expect(rowsOf([SOURCE], null, new Set(['B_SECRET', 'OTHER']))[0]?.missing).toEqual(['B_SECRET']);
  });
  it('is of the provider `generic` without one', () => {
    expect(rowsOf([{ id: 'a' }], null, new Set())[0]?.provider).toBe('generic');
  });
});

describe('secrets', () => {
  it('of a source are those that it is verified with, and that of its handshake', () => {
    expect(secretNames(SOURCE)).toEqual(['A_SECRET', 'B_SECRET', 'C_TOKEN']);
    expect(secretNames({})).toEqual([]);
  });
  it('are missing where a check of the doctor fails', () => {
    const checks = [check('secret:A', 'fail'), check('secret:ADMIN_TOKEN', 'warn'), check('clock', 'fail')];
    expect([...missingSecrets({ version: '1', now: '', checks })]).toEqual(['A']);
  });
});

describe('a search', () => {
  it.each([
    ['', true],
    ['SHOP', true],
    ['pay shop', true],
    ['shop mail', false],
  ])('for %j finds a shop with payments: %s', (search, found) => {
    expect(hasWords(search, 'shop-1', 'Payments')).toBe(found);
  });
});

describe('routes in words', () => {
  it('have receivers, a condition, and what changes them', () => {
    const routes = [
      { name: 'a', when: 'x', to: 'team', template: 't', quiet: {}, stop: true },
      { name: 'b', to: ['49151', '{{ payload.phone }}'], send: { kind: 'poll' } },
      { name: 'c', send: { kind: 'status', text: 'x' } },
    ];
    expect(routesOf({ routes })).toEqual([
      { name: 'a', when: 'x', to: ['team'], template: 't', kind: null, also: ['quiet', 'stop'] },
      { name: 'b', when: null, to: ['49151', '{{ payload.phone }}'], template: null, kind: 'poll', also: [] },
      { name: 'c', when: null, to: [], template: null, kind: 'status', also: [] },
    ]);
  });
  it.each([{}, { routes: 'x' }, { routes: [null, 1] }])('of %j are no error', (source) => {
    expect(() => routesOf(source)).not.toThrow();
  });
});
