import { expect, test } from 'vitest';
import type { AccountStatus, Rejection } from '../../../console/api/types.ts';
import { findingsOf } from '../../../console/pages/now/findings.ts';
import type { Overview } from '../../../console/pages/now/load.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();

const account = (part: Partial<AccountStatus> = {}): AccountStatus => ({
  account: 'main',
  queued: 0,
  retrying: 0,
  sending: 0,
  uncertain: 0,
  dead: 0,
  waiting: 0,
  open_incidents: 0,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: null,
  storage: { bytes: 1, max_bytes: 100, state: 'ok' },
  drain_seconds: 0,
  ...part,
});

const overview = (part: Partial<Overview> = {}): Overview => ({
  session: null,
  status: { items: [account()] },
  stats: { sources: {}, accounts: {} },
  rejections: { items: [], next_cursor: null },
  failed: { items: [], next_cursor: null },
  incidents: { items: [], next_cursor: null },
  events: null,
  sent: null,
  lost: null,
  ...part,
});

const withAccounts = (...items: AccountStatus[]): Overview => overview({ status: { items } });

const rejection = (source: string, hours: number, n: number): Rejection => ({
  n,
  at: at(hours),
  source,
  status: 401,
  reason: 'mismatch',
  detail: `the signature is wrong (${n})`,
});

const kinds = (given: Overview): readonly string[] => findingsOf(given, NOW).map(({ is }) => is);

test('a quiet deployment has no finding', () => {
  expect(findingsOf(overview(), NOW)).toEqual([]);
});

test('what could not be read is no finding', () => {
  const nothing = { status: null, stats: null, rejections: null, failed: null, incidents: null };
  expect(findingsOf(overview(nothing), NOW)).toEqual([]);
});

test('a paused account says who, why, and how much waits', () => {
  const paused = { since: at(1), by: 'gateway', reason: 'the login was refused' };
  expect(findingsOf(withAccounts(account({ paused, queued: 3, retrying: 2 })), NOW)).toEqual([
    { is: 'paused', account: 'main', ...paused, waiting: 5 },
  ]);
});

test('an open circuit comes before what was given up, and that before what is uncertain', () => {
  const given = withAccounts(
    account({ dead: 2, uncertain: 1, circuit: { state: 'open', failures: 5, probe_at: at(-1) } }),
  );
  expect(kinds(given)).toEqual(['circuit', 'dead', 'uncertain']);
});

test('what was given up is one finding over all accounts, and says when it is only the least', () => {
  const given = withAccounts(
    account({ dead: 2 }),
    account({ account: 'sales', dead: 1000, inexact: ['dead'] }),
  );
  expect(findingsOf(given, NOW)).toEqual([{ is: 'dead', count: 1002, isLeast: true }]);
});

test('rejections of the last day are one finding for each source, with the newest one', () => {
  const items = [
    rejection('stripe', 1, 9),
    rejection('shop', 2, 8),
    rejection('stripe', 3, 7),
    rejection('old', 25, 6),
  ];
  expect(findingsOf(overview({ rejections: { items, next_cursor: null } }), NOW)).toEqual([
    { is: 'rejected', source: 'stripe', count: 2, last: items[0] },
    { is: 'rejected', source: 'shop', count: 1, last: items[1] },
  ]);
});

test('a source is silent only when its heartbeat is overdue', () => {
  const source = { account: 'main', events: null, duplicates: null, rejections: null, last_event_at: at(30) };
  const sources = {
    quiet: { ...source, heartbeat: { expected: '1d', overdue: true } },
    fine: { ...source, heartbeat: { expected: '2d', overdue: false } },
    unwatched: source,
  };
  expect(findingsOf(overview({ stats: { sources, accounts: {} } }), NOW)).toEqual([
    { is: 'silent', source: 'quiet', expected: '1d', lastAt: at(30) },
  ]);
});

test('an outbox that fills up is a finding before it is full', () => {
  const given = withAccounts(account({ storage: { bytes: 85, max_bytes: 100, state: 'low' } }));
  expect(findingsOf(given, NOW)).toEqual([{ is: 'full', account: 'main', state: 'low', ratio: 0.85 }]);
});
