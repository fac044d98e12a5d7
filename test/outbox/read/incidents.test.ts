import fc from 'fast-check';
import { expect } from 'vitest';
import type { LoadedConfig } from '../../../src/config/compiled/config.ts';
import { iso } from '../../../src/lib/time.ts';
import { CRITICAL } from '../../../src/lib/severity.ts';
import { nameOf, type IncidentParts, type IncidentRef } from '../../../src/outbox/incidents/entries.ts';
import { idOfName, incidentId, placeOf, loadOpen, writeItem } from '../../../src/outbox/incidents/store.ts';
import {
  arrive,
  drop,
  expire,
  lose,
  maybeNotified,
  resolve,
  type Held,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import {
  idAt,
  isIncidentPosition,
  listIncidents,
  openSummary,
  readIncidents,
  type IncidentFilter,
} from '../../../src/outbox/read/incidents.ts';
import type { ReadContext } from '../../../src/outbox/read/read.ts';
import { messageId } from '../../../src/outbox/state/message.ts';
import { Calls } from '../../../src/outbox/state/calls.ts';
import { Claims } from '../../../src/outbox/send/claims.ts';
import { refOf, sent } from '../incidents/said.ts';
import { tables } from '../in-storage.ts';
import { it } from '../it.ts';
import { countRows, draft, MINUTE, queue, START, TAG } from '../support.ts';
import { walk } from './pages.ts';

function openIn(sql: SqlStorage): OpenIncidents {
  const open = new OpenIncidents();
  loadOpen(sql, open, START);
  return open;
}

const contextOf = (sql: SqlStorage): ReadContext => ({
  sql,
  open: openIn(sql),
  tag: TAG,
  account: 'sales',
  claims: new Claims({
    storage: { sql, transactionSync: (body) => body() },
    calls: new Calls(1),
    clock: () => START,
    random: () => 0,
  }),
});

const NO_FLAPS = { flaps: null, held: null };
const item = { isResolved: false, isLone: false };
const opened = (at = START): Incident => arrive(null, item, { ...NO_FLAPS, now: at });
const resolved = (incident: Incident, now: number): Incident => resolve(incident, null, null, now);

const INCIDENTS = {
  opened,
  known: (at: number) => sent(opened(at), 1, START),
  resolved: (at: number) => resolved(sent(opened(at), 1, START), at),
  expired: (at: number) => expire(opened(at), at),
  lone: (at: number) => drop({ ...opened(at), isLone: true }, { why: 'silenced', by: 'night' }, at),
};

const PHONES = ['4915112345601', '4915112345602'] as const;

function put(sql: SqlStorage, ref: IncidentRef, incident: Incident, now = START): void {
  const value = '{"secret":1}';
  const event = { id: 'evt_1', type: null, source: ref.source, received_at: '', dedupe_key: null };
  const entry = { grouped: null, inhibitedBy: [], event, value, stored: true };
  writeItem(sql, ref, { known: null, incident, now }, entry);
}

/** All pages, one after the other. */
function list(
  sql: SqlStorage,
  filter: Omit<IncidentFilter, 'cursor'>,
  config: LoadedConfig | null = null,
): readonly string[] {
  const context = { ...contextOf(sql), config };
  const positions = walk((cursor) => {
    if (cursor !== undefined) expect(isIncidentPosition(cursor)).toBe(true);
    const page = listIncidents(context, { ...filter, cursor });
    expect(page.items.length).toBeLessThanOrEqual(filter.limit);
    return page;
  });
  return positions.map(({ position }) => idAt(position));
}

const read = (
  sql: SqlStorage,
  incidents: readonly IncidentParts[],
  { held = null, limit = 10, isWhole = true }: { held?: Held | null; limit?: number; isWhole?: boolean } = {},
) => {
  const heldOf = () => held && { ...held, until: null };
  const open = { waitOf: () => null, heldOf, get: () => null, all: () => [] };
  return readIncidents({ ...contextOf(sql), open }, incidents, { limit, isWhole });
};

const DISK = refOf('disk');
const { sql: any } = tables();
const idOf = (ref: IncidentParts): string => incidentId(any, ref);
const idsOf = (...keys: readonly string[]) => keys.map((key) => idOf(refOf(key)));

it('the list of incidents has the open ones first, of these the most severe, then the newest', ({ sql }) => {
  put(sql, refOf('old'), opened(START - 3 * MINUTE));
  put(sql, refOf('closed'), expire(opened(START - 2 * MINUTE), START), START);
  put(sql, refOf('closed-before'), expire(opened(START - MINUTE), START - 1), START - 1);
  put(sql, refOf('new'), opened(START - MINUTE));
  for (const severity of [1, 3, 2])
    put(sql, refOf(`level-${severity}`), { ...opened(START - 5 * MINUTE), severity });
  put(sql, refOf('resolved'), resolved(sent(opened(START - 4 * MINUTE), 1, START), START - 3 * MINUTE));
  expect(list(sql, { limit: 2 })).toEqual(
    idsOf('level-3', 'level-2', 'level-1', 'new', 'old', 'resolved', 'closed', 'closed-before'),
  );
});

it('the list of incidents has each once, whoever its receivers are, at any length of a page', ({ sql }) => {
  const row = fc.record({
    key: fc.constantFrom('a', 'b', 'c/d', 'ü', 'e', 'f'),
    phone: fc.constantFrom(...PHONES),
    source: fc.constantFrom('alerts', 'shop'),
    at: fc.integer({ min: 0, max: 3 }),
    becomes: fc.constantFrom('opened', 'known', 'resolved', 'expired', 'lone'),
  });
  const filters = fc.record({
    limit: fc.integer({ min: 1, max: 5 }),
    state: fc.constantFrom(undefined, 'open' as const),
    source: fc.constantFrom(undefined, 'alerts'),
    since: fc.constantFrom(undefined, START + 2),
  });
  const rowsOf = fc.uniqueArray(row, { selector: ({ key, phone, source }) => `${source} ${key} ${phone}` });
  fc.assert(
    fc.property(rowsOf, filters, (rows, filter) => {
      sql.exec('DELETE FROM incidents');
      const all = rows.map(({ key, phone, source, at, becomes }) => {
        const incident = INCIDENTS[becomes](START + at);
        const ref = { ...refOf(incident.isLone ? `evt:${key}` : key, phone), source };
        put(sql, ref, incident, START + at + 1);
        return { name: nameOf(ref), source, incident };
      });
      const found = list(sql, filter);
      expect(new Set(found).size).toBe(found.length);
      const { state, source, since = 0 } = filter;
      const real = all.filter((one) => !one.incident.isLone && (source ?? one.source) === one.source);
      const wanted = [...Map.groupBy(real, ({ name }) => name)].filter(
        ([, ofOne]) => state === undefined || ofOne.some(({ incident }) => incident.resolvedAt === null),
      );
      const isIn = ({ incident }: (typeof all)[number]): boolean => incident.openedAt >= since;
      const most = wanted.filter(([, ofOne]) => ofOne.some(isIn)).map(([name]) => idOfName(sql, name));
      const least = wanted.filter(([, ofOne]) => ofOne.every(isIn)).map(([name]) => idOfName(sql, name));
      expect(most).toEqual(expect.arrayContaining([...found]));
      expect(found).toEqual(expect.arrayContaining(least));
    }),
  );
});

it('an incident that ended without an end has a state of its own, with its time', ({ sql }) => {
  const known = sent(opened(), 1, START);
  const ends = {
    resolved: resolved(known, START + 1),
    expired: expire(known, START + 1),
    unwatched: lose(known, 'unwatched', null, START + 1),
    left: lose(opened(), 'left', null, START + 1),
  };
  for (const [key, incident] of Object.entries(ends)) put(sql, refOf(key), incident);
  for (const keys of [['resolved'], ['expired'], ['unwatched', 'left']] as const) {
    const [state] = keys;
    const ids = idsOf(...keys).toSorted();
    expect([state, list(sql, { limit: 5, state }).toSorted()]).toEqual([state, ids]);
    for (const { incident } of read(
      sql,
      keys.map((key) => refOf(key)),
    ))
      expect(incident).toMatchObject({
        state,
        [state === 'resolved' ? 'resolved_at' : 'lost_at']: iso(START + 1),
      });
  }
});

it('what cannot wait is found below any number of newer ones, by its item or by its route', ({ sql }) => {
  const urgent = { ...refOf('urgent'), route: 'high' };
  const worst: Incident = { ...opened(), severity: CRITICAL };
  const routes = new Map([
    ['on-call', 'normal'],
    ['high', 'high'],
  ]);
  const high = { routes: [...routes].map(([name, priority]) => ({ name, delivery: { priority } })) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the list reads of it
  const config = {
    outlines: new Map([[urgent.source, 0]]),
    sources: new Map([[urgent.source, high]]),
  } as unknown as LoadedConfig;
  put(sql, refOf('worst'), worst);
  put(sql, urgent, opened(START + 1));
  for (let n = 2; n < 8; n += 1) put(sql, refOf(`later-${n}`), opened(START + n));
  expect(list(sql, { limit: 1, critical: true }, config)).toEqual([idOf(urgent), ...idsOf('worst')]);
  const later = [7, 6, 5, 4, 3, 2].map((n) => `later-${n}`);
  expect(list(sql, { limit: 4, critical: false }, config)).toEqual(idsOf(...later));
  sql.exec('DELETE FROM incidents');
  put(sql, refOf('worst'), expire(worst, START));
  put(sql, urgent, expire(opened(), START - 1), START - 1);
  expect(list(sql, { limit: 1, critical: true }, config)).toEqual([...idsOf('worst'), idOf(urgent)]);
});

it('a page of what is open, and its summary, read no row, however much is open', ({ sql }) => {
  for (let n = 0; n < 50; n += 1) put(sql, refOf(`k${n}`), opened(START + n));
  const open = openIn(sql);
  const rows = countRows(sql);
  const page = listIncidents({ sql, open }, { limit: 5, state: 'open' });
  const more = listIncidents({ sql, open }, { limit: 5, cursor: page.next_cursor ?? '' });
  const summary = openSummary({ sql, open, config: null, now: START });
  expect([more.items.length, summary[0]?.open, rows.read()]).toEqual([5, 50, 0]);
});

it('the list of incidents looks at a bounded number of rows, and then says where it stopped', ({ sql }) => {
  put(sql, refOf('oldest'), expire(opened(), START), START);
  const lone = JSON.stringify({ ...opened(), isLone: true, resolvedAt: START });
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
     INSERT INTO incidents (id, source, route, key, phone, inhibited_by, event, value, stored, state, closed_at)
     SELECT 'inc_' || i, 'a', 'b', 'evt:' || i, '', '[]', '{}', '', 1, ?, ? FROM n`,
    lone,
    START + 1,
  );
  const first = listIncidents(contextOf(sql), { limit: 5 });
  expect(first.items).toEqual([]);
  expect(first.next_cursor).not.toBeNull();
  expect(list(sql, { limit: 5 })).toEqual(idsOf('oldest'));
  const id = idOf(DISK);
  const positions = [`000000000000012.${id}`, '', 'evt_01', 'msg_0', id, `12.${id}`];
  expect(positions.map(isIncidentPosition)).toEqual([true, false, false, false, false, false]);
});

it('an incident is shown for each receiver: what it was notified of, and what waits', ({ sql }) => {
  queue(sql, START, draft(), draft());
  const again = arrive(sent(opened(), 1, START), item, { ...NO_FLAPS, now: START + MINUTE });
  const ended = resolved({ ...again, items: 3 }, START + 2 * MINUTE);
  put(sql, refOf('disk'), sent(ended, 2, START + 3 * MINUTE), START + 3 * MINUTE);
  put(sql, refOf('disk', PHONES[1]), opened());
  const views = read(sql, [DISK]);
  expect(views.find(({ receiver }) => receiver.phone === PHONES[0])).toMatchObject({
    incident: {
      id: idOf(DISK),
      account: 'sales',
      source: 'alerts',
      route: 'on-call',
      key: 'disk',
      state: 'resolved',
      started_at: iso(START),
      resolved_at: iso(START + 2 * MINUTE),
      occurrences: 2,
      flapping: false,
      critical: false,
      event: 'evt_1',
    },
    receiver: {
      state: 'done',
      message: messageId(2, TAG),
      notified_at: iso(START + 3 * MINUTE),
      items: { notified: 2, summarized: 1 },
      notifications: [
        { message: messageId(1, TAG), items: 1, state: 'queued' },
        { message: messageId(2, TAG), items: 2, state: 'queued' },
      ],
    },
  });
  expect(views.find(({ receiver }) => receiver.phone === PHONES[1])).toMatchObject({
    incident: { state: 'open' },
    receiver: { state: 'waiting', items: { waiting: 1 }, notifications: [] },
  });
  // The newest of its receivers' rows decides in which list it is.
  expect(list(sql, { limit: 1, state: 'open' })).toEqual([idOf(DISK)]);
  expect(list(sql, { limit: 1, state: 'resolved' })).toEqual([]);
});

it('an incident shows messages that are deleted by their ids, and never what came in', ({ sql }) => {
  put(sql, refOf('disk'), sent(opened(), 7, START));
  const [view] = read(sql, [DISK]);
  const notifications = [{ message: messageId(7, TAG), items: 1 }];
  expect(view?.receiver).toMatchObject({ state: 'notified', notifications });
  expect(JSON.stringify(view)).not.toContain('secret');
  expect(read(sql, [DISK], { isWhole: false })[0]?.receiver).not.toHaveProperty('notifications');
});

it('an incident says what holds it back', ({ sql }) => {
  put(sql, refOf('disk'), opened());
  const shown = (held: Held) => {
    const { state, silence, inhibited_by } = read(sql, [DISK], { held })[0]?.receiver ?? {};
    return [state, silence, inhibited_by];
  };
  expect(shown({ why: 'silenced', by: 'night' })).toEqual(['held', 'night', undefined]);
  const by = 'alerts/on-call/cluster';
  expect(shown({ why: 'inhibited', by })).toEqual(['held', undefined, idOfName(any, by)]);
  expect(shown({ why: 'left', by: '' })).toEqual(['held', undefined, undefined]);
});

it('an incident waits where it is uncertain whether its receiver was notified', ({ sql }) => {
  put(sql, refOf('disk'), maybeNotified(resolved(sent(opened(), 1, START), START), 'resolved'));
  expect(read(sql, [DISK])[0]).toMatchObject({
    incident: { state: 'resolved' },
    receiver: { state: 'waiting', message: messageId(1, TAG), items: { notified: 1 } },
  });
});

it('an incident is no item that belongs to none, nor an id that is none', ({ sql }) => {
  put(sql, refOf('disk'), INCIDENTS.lone(START));
  put(sql, refOf('fan', PHONES[0]), opened());
  expect(read(sql, [DISK, refOf('other')])).toEqual([]);
  const ids = [...idsOf('disk', 'other', 'fan'), 'inc_', 'evt_1'];
  const fan = { source: 'alerts', route: 'on-call', key: 'fan' };
  expect(ids.map((id) => placeOf(sql, id))).toEqual([null, null, fan, null, null]);
});

it('an incident has no more receivers than were asked for, those first for whom it is open', ({ sql }) => {
  put(sql, refOf('disk', PHONES[0]), expire(opened(), START), START);
  put(sql, refOf('disk', PHONES[1]), opened());
  expect(read(sql, [DISK], { limit: 1 }).map(({ receiver }) => receiver.phone)).toEqual([PHONES[1]]);
});
