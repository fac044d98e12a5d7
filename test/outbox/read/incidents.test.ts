import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf, type IncidentRef } from '../../../src/outbox/incidents/entries.ts';
import { idOfName, incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import {
  arrive,
  drop,
  expire,
  maybeNotified,
  resolve,
  type Held,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';
import { writeItem } from '../../../src/outbox/incidents/store.ts';
import { readIncidents } from '../../../src/outbox/read/incidents.ts';
import {
  idAt,
  isIncidentPosition,
  listIncidents,
  type IncidentFilter,
} from '../../../src/outbox/read/list-incidents.ts';
import type { ReadContext } from '../../../src/outbox/read/read.ts';
import { messageId } from '../../../src/outbox/state/message.ts';
import { Bench, reading } from '../bench.ts';
import { refOf, sent } from '../incidents/said.ts';
import { draft, MINUTE, queue, START, TAG } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const contextOf = (sql: SqlStorage): ReadContext => ({
  sql,
  tag: TAG,
  account: 'sales',
  claims: new Bench(reading(sql)).claims,
});

const NO_FLAPS = { flaps: null, held: null };
const item = { isResolved: false, isLone: false };
const opened = (at = START): Incident => arrive(null, item, { ...NO_FLAPS, now: at });
const resolved = (incident: Incident, now: number): Incident => resolve(incident, null, null, now);

const PHONES = ['4915112345601', '4915112345602'] as const;

function put(
  sql: SqlStorage,
  ref: IncidentRef,
  incident: Incident,
  now = START,
  value = '{"secret":1}',
): void {
  writeItem(
    sql,
    ref,
    { known: null, incident, now },
    {
      grouped: null,
      inhibitedBy: [],
      event: { id: 'evt_1', type: null, source: ref.source, received_at: '', dedupe_key: null },
      value,
      stored: true,
    },
  );
}

/** All pages, one after the other. */
function walk(sql: SqlStorage, filter: Omit<IncidentFilter, 'cursor'>): readonly string[] {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page += 1) {
    const { items, next_cursor } = listIncidents(contextOf(sql), { ...filter, cursor });
    expect(items.length).toBeLessThanOrEqual(filter.limit);
    found.push(...items);
    if (next_cursor === null) return found.map(idAt);
    expect(isIncidentPosition(next_cursor)).toBe(true);
    cursor = next_cursor;
  }
  throw new Error('the pages do not end');
}

const read = (
  sql: SqlStorage,
  ids: readonly string[],
  { held = null, limit = 10, isWhole = true }: { held?: Held | null; limit?: number; isWhole?: boolean } = {},
) => {
  const open = { waitOf: () => null, heldOf: () => held && { ...held, until: null }, get: () => null };
  return readIncidents({ ...contextOf(sql), open }, ids, { limit, isWhole });
};

/** The object itself must not find the rows later, and notify of them. */
const inTables = (body: (sql: SqlStorage) => void): Promise<void> =>
  inStorage(({ storage: { sql } }) => {
    body(sql);
    sql.exec('DELETE FROM incidents');
  });

const DISK = incidentId(refOf('disk'));

describe('the list of incidents', () => {
  it('has the open ones first, the newest first, then those that are resolved', () =>
    inTables((sql) => {
      put(sql, refOf('old'), opened(START - 3 * MINUTE));
      put(sql, refOf('closed'), expire(opened(START - 2 * MINUTE), START), START);
      put(sql, refOf('closed-before'), expire(opened(START - MINUTE), START - 1), START - 1);
      put(sql, refOf('new'), opened(START - MINUTE));
      put(sql, refOf('resolved'), resolved(sent(opened(START - 4 * MINUTE), 1, START), START - 3 * MINUTE));
      const keys = ['new', 'old', 'resolved', 'closed', 'closed-before'];
      expect(walk(sql, { limit: 2 })).toEqual(keys.map((key) => incidentId(refOf(key))));
    }));

  it('has each incident once, whoever its receivers are, at any length of a page', () =>
    inTables((sql) =>
      fc.assert(
        fc.property(
          fc.uniqueArray(
            fc.record({
              key: fc.constantFrom('a', 'b', 'c/d', 'ü', 'e', 'f'),
              phone: fc.constantFrom(...PHONES),
              source: fc.constantFrom('alerts', 'shop'),
              at: fc.integer({ min: 0, max: 3 }),
              becomes: fc.constantFrom('opened', 'known', 'resolved', 'expired', 'lone'),
            }),
            { selector: ({ key, phone, source }) => `${source} ${key} ${phone}` },
          ),
          fc.integer({ min: 1, max: 5 }),
          fc.constantFrom(undefined, 'open' as const, 'resolved' as const),
          fc.constantFrom(undefined, 'alerts'),
          fc.constantFrom(undefined, START + 2),
          (rows, limit, state, source, since) => {
            sql.exec('DELETE FROM incidents');
            const all = rows.map((row) => {
              const incident = become(row.becomes, START + row.at);
              const key = incident.isLone ? `evt:${row.key}` : row.key;
              const ref = { ...refOf(key, row.phone), source: row.source };
              put(sql, ref, incident, START + row.at + 1);
              return { name: nameOf(ref), source: row.source, incident };
            });
            const real = all.filter(({ incident }) => !incident.isLone);
            const found = walk(sql, { limit, state, source, since });
            expect(new Set(found).size).toBe(found.length);
            const wanted = [...Map.groupBy(real, ({ name }) => name)]
              .filter(([, [one]]) => source === undefined || one?.source === source)
              .filter(([, ofName]) => {
                const isOpen = ofName.some(({ incident }) => incident.resolvedAt === null);
                return state === undefined || (state === 'open') === isOpen;
              });
            const least = wanted.filter(([, ofName]) =>
              ofName.every(({ incident }) => incident.openedAt >= (since ?? 0)),
            );
            const most = wanted.filter(([, ofName]) =>
              ofName.some(({ incident }) => incident.openedAt >= (since ?? 0)),
            );
            const ids = (named: typeof wanted): readonly string[] => named.map(([name]) => idOfName(name));
            expect(ids(most)).toEqual(expect.arrayContaining([...found]));
            expect(found).toEqual(expect.arrayContaining([...ids(least)]));
          },
        ),
      ),
    ));

  it('finds what cannot wait below any number of newer ones, by its item or by its route', () =>
    inTables((sql) => {
      const urgent = { ...refOf('urgent'), route: 'high' };
      put(sql, refOf('worst'), opened(), START, '{"labels":{"severity":"Critical"}}');
      put(sql, urgent, opened(START + 1), START, 'null');
      for (let n = 2; n < 8; n += 1) put(sql, refOf(`later-${n}`), opened(START + n), START, '"text"');
      const critical = (is: boolean) => ({
        is,
        urgent: [
          [urgent.source, urgent.route],
          ['other', 'on-call'],
        ] as const,
      });
      expect(walk(sql, { limit: 1, critical: critical(true) })).toEqual([
        incidentId(urgent),
        incidentId(refOf('worst')),
      ]);
      expect(walk(sql, { limit: 4, critical: critical(false) })).toEqual(
        [7, 6, 5, 4, 3, 2].map((n) => incidentId(refOf(`later-${n}`))),
      );
    }));

  it('looks at a bounded number of rows, and then says where it stopped', () =>
    inTables((sql) => {
      put(sql, refOf('oldest'), expire(opened(), START), START);
      const lone = JSON.stringify({ ...opened(), isLone: true, resolvedAt: START });
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
         INSERT INTO incidents (source, route, key, phone, inhibited_by, event, value, stored, state, closed_at)
         SELECT 'a', 'b', 'evt:' || i, '', '[]', '{}', '', 1, ?, ? FROM n`,
        lone,
        START + 1,
      );
      const first = listIncidents(contextOf(sql), { limit: 5 });
      expect(first.items).toEqual([]);
      expect(first.next_cursor).not.toBeNull();
      expect(walk(sql, { limit: 5 })).toEqual([incidentId(refOf('oldest'))]);
    }));

  it('knows its own positions from those of other lists', () => {
    expect(isIncidentPosition(`000000000000012.${DISK}`)).toBe(true);
    for (const other of ['', 'evt_01', 'msg_0', DISK, `12.${DISK}`])
      expect(isIncidentPosition(other)).toBe(false);
  });
});

function become(what: 'opened' | 'known' | 'resolved' | 'expired' | 'lone', at: number): Incident {
  const incident = opened(at);
  switch (what) {
    case 'opened':
      return incident;
    case 'known':
      return sent(incident, 1, START);
    case 'resolved':
      return resolved(sent(incident, 1, START), at);
    case 'expired':
      return expire(incident, at);
    case 'lone':
      return drop({ ...incident, isLone: true }, { why: 'silenced', by: 'night' }, at);
  }
}

describe('an incident', () => {
  it('is shown for each receiver: what it was notified of, in which messages, and what waits', () =>
    inTables((sql) => {
      queue(sql, START, draft(), draft());
      const again = arrive(sent(opened(), 1, START), item, { ...NO_FLAPS, now: START + MINUTE });
      const ended = resolved({ ...again, items: 3 }, START + 2 * MINUTE);
      put(sql, refOf('disk'), sent(ended, 2, START + 3 * MINUTE), START + 3 * MINUTE);
      put(sql, refOf('disk', PHONES[1]), opened());
      const views = read(sql, [DISK]);
      const mine = views.find(({ receiver }) => receiver.phone === PHONES[0]);
      expect(mine).toMatchObject({
        incident: {
          id: DISK,
          account: 'sales',
          source: 'alerts',
          route: 'on-call',
          key: 'disk',
          state: 'resolved',
          started_at: new Date(START).toISOString(),
          resolved_at: new Date(START + 2 * MINUTE).toISOString(),
          occurrences: 2,
          flapping: false,
          critical: false,
          event: 'evt_1',
        },
        receiver: {
          state: 'done',
          message: messageId(2, TAG),
          notified_at: new Date(START + 3 * MINUTE).toISOString(),
          items: { notified: 2, summarized: 1 },
          notifications: [
            { message: messageId(1, TAG), items: 1, state: 'queued' },
            { message: messageId(2, TAG), items: 2, state: 'queued' },
          ],
        },
      });
      const other = views.find(({ receiver }) => receiver.phone === PHONES[1]);
      expect(other).toMatchObject({
        incident: { state: 'open' },
        receiver: { state: 'waiting', items: { waiting: 1 }, notifications: [] },
      });
      // The newest of its receivers' rows decides in which list it is.
      expect(walk(sql, { limit: 1, state: 'open' })).toEqual([DISK]);
      expect(walk(sql, { limit: 1, state: 'resolved' })).toEqual([]);
    }));

  it('shows messages that are deleted by their ids, and never what came in', () =>
    inTables((sql) => {
      put(sql, refOf('disk'), sent(opened(), 7, START));
      const [view] = read(sql, [DISK]);
      expect(view?.receiver).toMatchObject({
        state: 'notified',
        notifications: [{ message: messageId(7, TAG), items: 1 }],
      });
      expect(JSON.stringify(view)).not.toContain('secret');
      expect(read(sql, [DISK], { isWhole: false })[0]?.receiver).not.toHaveProperty('notifications');
    }));

  it('says what holds it back', () =>
    inTables((sql) => {
      put(sql, refOf('disk'), opened());
      const receiverOf = (held: Held) => read(sql, [DISK], { held })[0]?.receiver;
      expect(receiverOf({ why: 'silenced', by: 'night' })).toMatchObject({
        state: 'held',
        silence: 'night',
      });
      expect(receiverOf({ why: 'inhibited', by: 'alerts/on-call/cluster' })).toMatchObject({
        state: 'held',
        inhibited_by: idOfName('alerts/on-call/cluster'),
      });
      const left = receiverOf({ why: 'left', by: '' });
      expect(left).toMatchObject({ state: 'held' });
      expect(left).not.toHaveProperty('silence');
      expect(left).not.toHaveProperty('inhibited_by');
    }));

  it('waits where it is uncertain whether its receiver was notified', () =>
    inTables((sql) => {
      put(sql, refOf('disk'), maybeNotified(resolved(sent(opened(), 1, START), START), 'resolved'));
      expect(read(sql, [DISK])[0]).toMatchObject({
        incident: { state: 'resolved' },
        receiver: { state: 'waiting', message: messageId(1, TAG), items: { notified: 1 } },
      });
    }));

  it('is not an item that belongs to none, nor an id that is none', () =>
    inTables((sql) => {
      put(sql, refOf('disk'), become('lone', START));
      expect(read(sql, [DISK, 'inc_', 'evt_1', incidentId(refOf('other'))])).toEqual([]);
    }));

  it('has no more receivers than were asked for, those first for whom it is open', () =>
    inTables((sql) => {
      put(sql, refOf('disk', PHONES[0]), expire(opened(), START), START);
      put(sql, refOf('disk', PHONES[1]), opened());
      expect(read(sql, [DISK], { limit: 1 }).map(({ receiver }) => receiver.phone)).toEqual([PHONES[1]]);
    }));
});
