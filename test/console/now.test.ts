import { expect, test } from 'vitest';
import type {
  AccountStatus,
  EventSummary,
  OpenIncidentsAnswer,
  RejectionAnswer,
} from '../../console/api/types.ts';
import { findingsOf, type Overview } from '../../console/pages/now/findings.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();
const page = <Item>(...items: Item[]) => ({ items, next_cursor: null });

const NO_MESSAGES = { queued: 0, retrying: 0, sending: 0, uncertain: 0, dead: 0, waiting: 0 };
const account = (part: Partial<AccountStatus> = {}): AccountStatus => ({
  account: 'main',
  ...NO_MESSAGES,
  open_incidents: 0,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: null,
  storage: { bytes: 1, max_bytes: 100, state: 'ok' },
  drain_seconds: 0,
  ...part,
});

const NONE = page<never>();
const NO_LISTS = { rejections: NONE, failed: NONE, partly: NONE, incidents: NONE };
const NOT_LOADED = { session: null, events: null, sent: null, lost: null };
const overview = (part: Partial<Overview> = {}): Overview => ({
  status: { items: [account()] },
  stats: { sources: {}, accounts: {} },
  ...NO_LISTS,
  ...NOT_LOADED,
  ...part,
});

const withAccounts = (...items: Partial<AccountStatus>[]): Overview =>
  overview({ status: { items: items.map((part) => account(part)) } });
const sources = (parts: Readonly<Record<string, object>>) => {
  const source = { account: 'main', events: null, duplicates: null, rejections: null, last_event_at: null };
  const all = Object.entries(parts).map(([name, part]) => [name, { ...source, ...part }] as const);
  return { sources: Object.fromEntries(all), accounts: {} };
};

const open = (given: Overview, done = {}) => findingsOf(given, done, NOW).open;
const kinds = (given: Overview, done = {}): readonly string[] => open(given, done).map(({ is }) => is);

test('a quiet deployment has no finding, and without a part nobody knows whether there are more', () => {
  expect(findingsOf(overview(), {}, NOW)).toMatchObject({ open: [], isWhole: true });
  for (const part of ['status', 'stats', 'rejections', 'failed', 'partly', 'incidents'] as const)
    expect(findingsOf(overview({ [part]: null }), {}, NOW), part).toMatchObject({ open: [], isWhole: false });
});

test('an open circuit comes before what was given up, and that before what is uncertain', () => {
  const circuit = { state: 'open', failures: 5, probe_at: at(-1) } as const;
  const waits = { for: 'circuit', until: at(-1) } as const;
  const given = withAccounts({ dead: 2, uncertain: 1, circuit, waits_for: waits });
  expect(kinds(given)).toEqual(['circuit', 'dead', 'uncertain']);
});

test('an open circuit is no finding while messages wait for their receivers, who are', () => {
  const given = withAccounts({
    queued: 38,
    circuit: { state: 'open', failures: 5, probe_at: at(0.4) },
    waits_for: { for: 'receiver', until: at(-0.5) },
    receivers_at_cap: { receivers: 1, messages: 38, per_hour: 30, next_at: at(-0.5), last_at: at(-2) },
  });
  const capped = { messages: 38, next_at: at(-0.5) };
  expect(open(given)).toMatchObject([{ is: 'capped', account: 'main', capped }]);
});

test('what was given up is one finding over all accounts, and says when it is only the least', () => {
  const given = withAccounts({ dead: 2 }, { account: 'sales', dead: 1000, inexact: ['dead'] });
  expect(open(given)).toEqual([{ is: 'dead', card: 'dead', mark: 0, count: 1002, isLeast: true }]);
});

test('rejections of the last day are one finding for each source, until its sender is accepted again', () => {
  const mismatch = { status: 401, code: 'mismatch', detail: 'the signature is wrong' } as const;
  const rejection = (source: string, hours: number, n: number) => ({ n, at: at(hours), source, ...mismatch });
  const first = { ...rejection('stripe', 1, 9), times: 24 };
  const items = [first, rejection('shop', 2, 8), rejection('stripe', 3, 7), rejection('old', 25, 6)];
  const given = (last: string | null) =>
    overview({ rejections: page(...items), stats: sources({ stripe: { last_event_at: last } }) });
  const shop = { is: 'rejected', source: 'shop', count: 1, last: items[1] };
  const stripe = { is: 'rejected', source: 'stripe', count: 25, last: first };
  expect(open(given(at(4)))).toMatchObject([stripe, shop]);
  expect(open(given(at(0.5)))).toMatchObject([shop]);
  // Visitors correct their forms, and strangers post to many addresses.
  const form = { ...first, field: 'message' };
  const strays = [null, 'stripe'].map((near) => ({ ...rejection(`x-${near}`, 2, 2), near }));
  const cards = (last: number) =>
    open(overview({ ...given(at(last)), rejections: page<RejectionAnswer>(form, ...strays) })).map(
      ({ card }) => card,
    );
  const others = ['rejected:/', 'rejected:/stripe'];
  expect([cards(2), cards(0.9)]).toEqual([['rejected:stripe', ...others], others]);
});

test('a source is silent only when its heartbeat is overdue', () => {
  const stats = sources({
    quiet: { last_event_at: at(30), heartbeat: { expected: '1d', overdue: true } },
    fine: { last_event_at: at(30), heartbeat: { expected: '2d', overdue: false } },
    unwatched: { last_event_at: at(30) },
  });
  expect(open(overview({ stats }))).toMatchObject([
    { is: 'silent', source: 'quiet', expected: '1d', lastAt: at(30) },
  ]);
});

test('an outbox that fills up is a finding before it is full', () => {
  const given = withAccounts({ storage: { bytes: 85, max_bytes: 100, state: 'low' } });
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
  worst: null,
  ...part,
});
const withIncidents = (...items: OpenIncidentsAnswer[]) => overview({ incidents: page(...items) });

test('a storm is one card for each source, critical ones first, and none if somebody or a silence has it', () => {
  const cards = open(withIncidents(storm({ source: 'disk', critical: 0 }), storm())).map(({ card }) => card);
  expect(cards).toEqual(['incidents:monitor', 'incidents:disk']);
  const held = storm({ unattended: 0, acknowledged: 30, silenced: 8, critical: 0 });
  expect(kinds(withIncidents(held))).toEqual([]);
});

const givenUp = (dead: number): Overview => {
  const nothing = { attempts: {}, queue: {}, oldest_waiting_seconds: 0, latency_seconds: null };
  const stats = { sources: {}, accounts: { main: { messages: { dead }, ...nothing } } };
  return { ...withAccounts({ dead: 2 }), stats };
};

test('what was given up is a finding again once there is more than when somebody was done with it', () => {
  const done = { dead: 7 };
  expect([kinds(givenUp(7), done), kinds(givenUp(8), done)]).toEqual([[], ['dead']]);
});

const OF_SHOP = { source: 'shop', stored: true, duplicates: 0, config_version: 1 };
const FAILED = { ...OF_SHOP, type: null, state: 'failed', received_at: at(1) } as const;
const event = (id: string, of?: string): EventSummary => ({
  ...FAILED,
  id,
  ...(of !== undefined && { replay_of: of }),
});

test('a replay that fails as well is no further event', () => {
  const failed = page(event('evt_3', 'evt_1'), event('evt_2', 'evt_1'), event('evt_1'));
  expect(open(overview({ failed }))[0]).toMatchObject({ is: 'failed', events: [{ id: 'evt_3' }] });
});
