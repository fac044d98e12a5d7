import { expect, test } from 'vitest';
import type {
  AccountStatus,
  EventSummary,
  OpenIncidentsAnswer,
  RejectionAnswer,
} from '../../../console/api/types.ts';
import { findingsOf } from '../../../console/pages/now/findings.ts';
import type { Overview } from '../../../console/pages/now/load.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
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
  partly: { items: [], next_cursor: null },
  incidents: { items: [], next_cursor: null },
  done: { items: [], next_cursor: null },
  release: null,
  events: null,
  sent: null,
  lost: null,
  ...part,
});

const withAccounts = (...items: AccountStatus[]): Overview => overview({ status: { items } });

const rejection = (source: string, hours: number, n: number): RejectionAnswer => ({
  n,
  at: at(hours),
  source,
  status: 401,
  reason: 'mismatch',
  detail: `the signature is wrong (${n})`,
});

const open = (given: Overview) => findingsOf(given, NOW).open;
const kinds = (given: Overview): readonly string[] => open(given).map(({ is }) => is);

test('a quiet deployment has no finding', () => {
  expect(open(overview())).toEqual([]);
});

test('what could not be read is no finding', () => {
  const nothing = {
    status: null,
    stats: null,
    rejections: null,
    failed: null,
    partly: null,
    incidents: null,
    done: null,
  };
  expect(open(overview(nothing))).toEqual([]);
});

test.each(['status', 'stats', 'rejections', 'failed', 'partly', 'incidents'] as const)(
  'without %s nobody knows whether there are more',
  (part) => {
    expect(findingsOf(overview({ [part]: null }), NOW).isWhole).toBe(false);
    expect(findingsOf(overview(), NOW).isWhole).toBe(true);
  },
);

test('a paused account says who, why, and how much waits', () => {
  const paused = { since: at(1), by: 'gateway', reason: 'the login was refused' };
  expect(open(withAccounts(account({ paused, queued: 3, retrying: 2 })))).toEqual([
    { is: 'paused', card: 'paused:main', mark: NOW - HOUR, account: 'main', ...paused, waiting: 5 },
  ]);
});

test('an open circuit comes before what was given up, and that before what is uncertain', () => {
  const given = withAccounts(
    account({
      dead: 2,
      uncertain: 1,
      circuit: { state: 'open', failures: 5, probe_at: at(-1) },
      waits_for: { for: 'circuit', until: at(-1) },
    }),
  );
  expect(kinds(given)).toEqual(['circuit', 'dead', 'uncertain']);
});

test('what was given up is one finding over all accounts, and says when it is only the least', () => {
  const given = withAccounts(
    account({ dead: 2 }),
    account({ account: 'sales', dead: 1000, inexact: ['dead'] }),
  );
  expect(open(given)).toEqual([{ is: 'dead', card: 'dead', mark: 0, count: 1002, isLeast: true }]);
});

test('rejections of the last day are one finding for each source, with the newest one', () => {
  const items = [
    rejection('stripe', 1, 9),
    rejection('shop', 2, 8),
    rejection('stripe', 3, 7),
    rejection('old', 25, 6),
  ];
  expect(open(overview({ rejections: { items, next_cursor: null } }))).toMatchObject([
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
  expect(open(overview({ stats: { sources, accounts: {} } }))).toMatchObject([
    { is: 'silent', source: 'quiet', expected: '1d', lastAt: at(30) },
  ]);
});

test('an outbox that fills up is a finding before it is full', () => {
  const given = withAccounts(account({ storage: { bytes: 85, max_bytes: 100, state: 'low' } }));
  expect(open(given)).toMatchObject([{ is: 'full', account: 'main', state: 'low', ratio: 0.85, mark: 85 }]);
});

const storm = (part: Partial<OpenIncidentsAnswer> = {}): OpenIncidentsAnswer => ({
  source: 'monitor',
  open: 38,
  unattended: 38,
  acknowledged: 0,
  silenced: 0,
  inhibited: 0,
  critical: 3,
  fired_at: at(1),
  newest: null,
  ...part,
});

const withIncidents = (...items: OpenIncidentsAnswer[]): Overview =>
  overview({ incidents: { items, next_cursor: null } });

test('a storm is one card for each source, those with critical ones first', () => {
  const mild = storm({ source: 'disk', critical: 0 });
  const given = withIncidents(mild, storm());
  expect(open(given).map(({ card }) => card)).toEqual(['incidents:monitor', 'incidents:disk']);
});

test('what somebody has, or a silence holds back, needs nobody', () => {
  expect(kinds(withIncidents(storm({ unattended: 0, acknowledged: 30, silenced: 8, critical: 0 })))).toEqual(
    [],
  );
});

const done = (card: string, mark: number) => ({
  items: [{ card, mark, by: 'anna', at: at(0) }],
  next_cursor: null,
});

test('a card that somebody is done with is apart, with who, until the next occurrence', () => {
  const given = withIncidents(storm());
  const seen = { ...given, done: done('incidents:monitor', NOW - HOUR) };
  expect(findingsOf(seen, NOW)).toMatchObject({
    open: [],
    done: [{ finding: { card: 'incidents:monitor' }, by: 'anna' }],
  });
  const again = { ...withIncidents(storm({ fired_at: at(0.5) })), done: seen.done };
  expect(kinds(again)).toEqual(['incidents']);
});

const accounts = (dead: number) => ({
  main: {
    messages: { dead },
    attempts: {},
    queue: {},
    oldest_waiting_seconds: 0,
    latency_seconds: null,
  },
});

const givenUp = (dead: number): Overview => ({
  ...withAccounts(account({ dead: 2 })),
  stats: { sources: {}, accounts: accounts(dead) },
  done: done('dead', 7),
});

test('a message that is given up after somebody was done with the others is a new occurrence', () => {
  expect([kinds(givenUp(7)), kinds(givenUp(8))]).toEqual([[], ['dead']]);
});

const event = (id: string, of?: string): EventSummary => ({
  id,
  source: 'shop',
  type: null,
  state: 'failed',
  received_at: at(1),
  duplicates: 0,
  config_version: 1,
  stored: true,
  ...(of !== undefined && { replay_of: of }),
});

test('a replay that fails as well is no further event', () => {
  const items = [event('evt_3', 'evt_1'), event('evt_2', 'evt_1'), event('evt_1')];
  const [finding] = open(overview({ failed: { items, next_cursor: null } }));
  expect(finding).toMatchObject({ is: 'failed', events: [{ id: 'evt_3' }] });
});

test('a sender that is accepted again after its rejections is fixed, and folded ones are counted', () => {
  const items = [{ ...rejection('stripe', 1, 9), times: 24 }];
  const given = (last: string | null): Overview => ({
    ...overview({ rejections: { items, next_cursor: null } }),
    stats: {
      sources: {
        stripe: { account: 'main', events: null, duplicates: null, rejections: null, last_event_at: last },
      },
      accounts: {},
    },
  });
  expect(open(given(at(2)))).toMatchObject([{ is: 'rejected', count: 24 }]);
  expect(open(given(at(0.5)))).toEqual([]);
});

test('an open circuit is no finding while messages wait for their receivers, who are', () => {
  const given = withAccounts(
    account({
      queued: 38,
      circuit: { state: 'open', failures: 5, probe_at: at(0.4) },
      waits_for: { for: 'receiver', until: at(-0.5) },
      receivers_at_cap: {
        receivers: 1,
        messages: 38,
        per_hour: 30,
        next_at: at(-0.5),
        last_at: at(-2),
      },
    }),
  );
  expect(open(given)).toMatchObject([{ is: 'capped', account: 'main', messages: 38, nextAt: at(-0.5) }]);
});

const released = (version: string, since = '0.1.0'): Overview =>
  overview({ release: { version: '0.1.0', newest: { version, since, changes: ['Bells'] } } });

test.each([
  ['0.1.1', ['older']],
  ['0.10.0', ['older']],
  ['0.1.0', []],
  ['0.0.9', []],
])('a relay of 0.1.0 that knows of %s finds %j', (version, expected) => {
  expect(kinds(released(version))).toEqual(expected);
});

test('changes since another version than the relay’s are not shown', () => {
  expect(open(released('0.3.0'))).toMatchObject([{ newer: { changes: ['Bells'] } }]);
  expect(open(released('0.3.0', '0.0.9'))).toMatchObject([{ newer: { changes: [] } }]);
});

test('who is done with a version is asked again by the next one only', () => {
  const [finding] = open(released('0.9.0'));
  const done = {
    items: [{ card: 'older', mark: finding?.mark ?? 0, by: 'anna', at: at(1) }],
    next_cursor: null,
  };
  expect(kinds({ ...released('0.9.0'), done })).toEqual([]);
  expect(kinds({ ...released('0.10.0'), done })).toEqual(['older']);
});
