import { describe, expect, it } from 'vitest';
import { arrive } from '../../../src/outbox/incidents/incident.ts';
import { MAX_ENTRIES, MAX_OPEN, OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { countRows } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route } from './bench.ts';
import { ALONE, refOf } from './said.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OTHER = '4915112345679';
const THIRD = '4915112345680';
const FOURTH = '4915112345681';
const BOSS = '4915100000004';

const group = { by: ['{{ item.x }}'], wait: '1s', interval: '1d' };
const PORTION = 1_000;

const take = (one: IncidentsBench, names: readonly string[], isResolved = false): Promise<void> =>
  one.take(...names.map((name) => item(name, { group: 'all', isResolved })));

const namesOf = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** As many incidents as an account keeps are open, and their receiver knows. */
const full = (
  body: (one: IncidentsBench, storage: DurableObjectStorage) => Promise<void>,
  over: object = {},
  set: object = {},
): Promise<void> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, [route({ group, ...over })], set);
    for (let from = 0; from < MAX_OPEN; from += PORTION) await take(one, namesOf(`a${from}-`, PORTION));
    await one.pass(2 * SECOND);
    await body(one, storage);
  });

const texts = (one: IncidentsBench, after: number): readonly string[] => one.sent.slice(after);

/** The texts that somebody got. */
const textsTo = (one: IncidentsBench, phone: string): readonly string[] =>
  one.messages
    .filter((message) => message.phone === phone && message.state === 'sent')
    .map(({ text }) => text);

describe('more incidents than an account keeps', () => {
  it('are counted, each once, and become one summary an hour', () =>
    full(async (one, { sql }) => {
      const before = one.sent.length;
      await take(one, namesOf('b', 1_000));
      await take(one, namesOf('b', 1_000));
      await take(one, namesOf('c', 1_000));
      await take(one, namesOf('d', 100));
      expect(one.incidents.open.size).toBe(MAX_OPEN);
      expect(sql.exec('SELECT count(*) AS n FROM incidents').one()).toEqual({ n: MAX_OPEN });
      expect(texts(one, before)).toEqual([]);
      await one.pass(MINUTE);
      expect(texts(one, before)).toEqual([
        expect.stringMatching(/^Since .*\nalerts: and at least 2100 more\n/),
      ]);
      await take(one, namesOf('e', 7));
      await one.pass(58 * MINUTE);
      expect(texts(one, before)).toHaveLength(1);
      await one.pass(2 * MINUTE);
      expect(texts(one, before)[1]).toContain('and at least 7 more');
      await one.pass(5 * HOUR);
      expect(texts(one, before)).toHaveLength(2);
      expect(one.incidents.nextAt()).toBeGreaterThan(one.now + HOUR);
      expect(sql.exec('SELECT count(*) AS n FROM beyond').one()).toEqual({ n: 0 });
      expect(new Set(one.outcomes)).toEqual(new Set(['notified', 'summarized']));
    }));

  it('are counted on across a restart', () =>
    full(async (one) => {
      const before = one.sent.length;
      await take(one, namesOf('b', 20));
      await one.crash();
      await take(one, namesOf('b', 30));
      await one.pass(MINUTE);
      await one.crash();
      await one.pass(MINUTE);
      expect(texts(one, before)).toEqual([expect.stringContaining('and at least 30 more')]);
    }));

  it('write nothing when they are resolved, or come again', () =>
    full(async (one, { sql }) => {
      await take(one, namesOf('b', 100));
      const rows = countRows(sql);
      await take(one, namesOf('b', 100));
      await take(one, namesOf('b', 100), true);
      await take(one, namesOf('never-seen', 100), true);
      expect(rows.written()).toBe(0);
      expect(one.outcomes.slice(-200)).toEqual(Array.from({ length: 200 }, () => 'resolved'));
    }));

  it('are kept as soon as there is room', () =>
    full(async (one) => {
      await take(one, ['b']);
      await take(one, ['a0-0'], true);
      await one.pass(2 * 24 * HOUR);
      await take(one, ['b']);
      expect(one.incidents.open.isOpen('alerts/on-call/b')).toBe(true);
      await take(one, ['c']);
      expect(one.incidents.open.isOpen('alerts/on-call/c')).toBe(false);
    }));

  it('wait for the end of quiet hours', () =>
    full(
      async (one) => {
        one.now = Date.UTC(2026, 6, 1, 22); // fixed date: its own clock
        await take(one, namesOf('b', 5));
        await one.pass(3 * HOUR);
        const before = one.sent.length;
        await one.pass(7 * HOUR);
        expect(texts(one, before)).toEqual([expect.stringContaining('and at least 5 more')]);
      },
      { to: 'team' },
      {
        recipients: {
          team: { numbers: [PHONE], quiet: { from: '21:00', to: '07:00', timezone: 'UTC', do: 'hold' } },
        },
      },
    ));

  it('wait for the end of a silence of their source', () =>
    full(async (one) => {
      await one.publish([route({ group })], { silences: { all: { when: 'event.source == "alerts"' } } });
      await take(one, namesOf('b', 5));
      const before = one.sent.length;
      await one.pass(HOUR);
      expect(texts(one, before)).toEqual([]);
      await one.publish([route({ group })]);
      await one.pass(2 * MINUTE);
      expect(texts(one, before)).toContainEqual(expect.stringContaining('and at least 5 more'));
    }));

  it('are said by the next summary, when one ends dead', () =>
    full(async (one) => {
      one.ends = 'refused for good';
      await take(one, namesOf('b', 5));
      await one.pass(MINUTE);
      one.ends = 'sent';
      const before = one.sent.length;
      await take(one, namesOf('c', 2));
      await one.pass(58 * MINUTE);
      expect(texts(one, before)).toEqual([]);
      await one.pass(5 * MINUTE);
      expect(texts(one, before)).toEqual([expect.stringContaining('and at least 7 more')]);
    }));

  it('are said since when', () =>
    full(async (one) => {
      await take(one, ['b']);
      await one.pass(MINUTE);
      expect(one.sent.at(-1)).toBe(
        'Since 7/1/26, 12:00 PM:\nalerts: and at least 1 more\nThey are only counted: too many are open.',
      );
    }));

  it('are not those of a further receiver of kept incidents: that adds no incident', () =>
    full(
      async (one) => {
        const { size } = one.incidents.open;
        await one.publish([route({ group, to: 'team' })], {
          recipients: { team: { numbers: [PHONE, OTHER] } },
        });
        expect(one.incidents.open.size).toBe(2 * size);
      },
      { to: 'team' },
      { recipients: { team: { numbers: [PHONE] } } },
    ));

  it('are counted for who joins, too, as soon as there is no room for them', () =>
    full(
      async (one) => {
        const joining = [OTHER, THIRD, FOURTH];
        await one.publish([route({ group, to: 'team' })], {
          recipients: { team: { numbers: [PHONE, ...joining] } },
        });
        expect(one.incidents.open.size).toBe(MAX_ENTRIES);
        await one.pass(SECOND);
        const kept = joining.map(
          (phone) => one.incidents.open.subscriber({ ...refOf(''), phone }).entries.size,
        );
        expect(kept).toEqual([6_667, 6_667, 6_666]);
        for (const phone of joining) expect(textsTo(one, phone)).toHaveLength(1);
        await one.pass(MINUTE);
        for (const [at, phone] of joining.entries())
          expect(textsTo(one, phone).slice(1)).toEqual([
            expect.stringContaining(`and at least ${MAX_OPEN - (kept[at] ?? 0)} more`),
          ]);
        expect(textsTo(one, PHONE)).toHaveLength(1);
      },
      { to: 'team' },
      { recipients: { team: { numbers: [PHONE] } } },
    ));
});

/** Ten receivers of 3,000 incidents: as many pairs as an account keeps. */
const TEN = Array.from({ length: 10 }, (_, n) => `49151000001${n}0`);

/** All of these pairs are in use. The incident `disk` has a route of its own, which escalates after ten minutes. */
const crowd = (body: (one: IncidentsBench) => Promise<void>): Promise<void> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, ROUTES, {
      recipients: { team: { numbers: TEN }, boss: { numbers: [BOSS] } },
    });
    await one.take(item('disk', { route: 'steps', phones: [PHONE] }));
    const left = MAX_ENTRIES - 1;
    for (let from = 0; from < left; from += 10 * PORTION)
      await one.take(
        ...namesOf(`a${from}-`, PORTION).map((name, n) =>
          item(name, { group: 'all', phones: TEN.slice(0, left - from - 10 * n) }),
        ),
      );
    await one.pass(2 * SECOND);
    await body(one);
  });

const ROUTES = [
  route({ group, to: 'team' }),
  route({ name: 'steps', escalate: [{ after: '10m', to: ['boss'] }] }),
];

describe('a receiver for whom there is no room', () => {
  it('who joins gets the number of what is open, and nothing else', () =>
    crowd(async (one) => {
      await one.publish(ROUTES, {
        recipients: { team: { numbers: [...TEN, OTHER] }, boss: { numbers: [BOSS] } },
      });
      expect(one.incidents.open.size).toBe(MAX_ENTRIES);
      await one.pass(29 * SECOND);
      expect(textsTo(one, OTHER)).toEqual([]);
      await one.pass(SECOND);
      expect(textsTo(one, OTHER)).toEqual([expect.stringContaining('and at least 3000 more')]);
    }));

  it('whom a step is to notify gets the number as well', () =>
    crowd(async (one) => {
      await one.pass(10 * MINUTE - 2 * SECOND);
      expect(one.incidents.open.size).toBe(MAX_ENTRIES);
      await one.pass(29 * SECOND);
      expect(textsTo(one, BOSS)).toEqual([]);
      await one.pass(SECOND);
      expect(textsTo(one, BOSS)).toEqual([expect.stringContaining('and at least 1 more')]);
      expect(one.nobody).toEqual([]);
    }));
});

/** Returns incidents that are open for a receiver, or items that belong to none. */
function openOf(count: number, { isLone = false, phones = 1 } = {}): OpenIncidents {
  const open = new OpenIncidents();
  const incident = arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now: 0 });
  for (let n = 0; n < count; n += 1)
    for (let phone = 0; phone < phones; phone += 1) open.put(refOf(`k${n}`, `${phone}`), incident, ALONE, 0);
  return open;
}

describe('the room for what is open', () => {
  it('is counted by incident', () => {
    expect(openOf(MAX_OPEN - 1).hasRoomFor(refOf('new'))).toBe(true);
    const full = openOf(MAX_OPEN);
    expect(full.hasRoomFor(refOf('new'))).toBe(false);
    expect(full.hasRoomFor(refOf('k1', 'another'))).toBe(true);
    expect(full.hasRoomFor(null)).toBe(true);
  });

  it('is counted with each receiver, and with items that belong to no incident', () => {
    const full = openOf(MAX_ENTRIES / 10, { phones: 10 });
    expect(full.hasRoomFor(refOf('k1', 'another'))).toBe(false);
    expect(full.hasRoomFor(null)).toBe(false);
    expect(openOf(MAX_OPEN, { isLone: true }).hasRoomFor(refOf('new'))).toBe(true);
  });
});
