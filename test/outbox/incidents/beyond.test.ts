import { describe, expect, it } from 'vitest';
import { arrive } from '../../../src/outbox/incidents/incident.ts';
import { MAX_ENTRIES, MAX_OPEN, OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { countRows } from '../support.ts';
import { route, type IncidentsBench } from './bench.ts';
import { ALONE, refOf } from './said.ts';
import { ANNA, BEN, BOSS, CARL, staged, type Scene, type Tell } from './story.ts';

const COUNT = { kind: 'text', message: '{{ count }}' };
const group = { by: ['{{ item.x }}'], wait: '1s', interval: '1d' };
const teamOf = (...numbers: readonly string[]) => ({
  recipients: { team: { numbers }, boss: { numbers: [BOSS] } },
});
const grouped = (over: object = {}, scene: Scene = {}): Scene => ({
  routes: [route({ group, send: COUNT, ...over })],
  set: teamOf(ANNA),
  items: () => ({ group: 'all' }),
  // What is left is what is counted.
  short: (text) => text.replace(/^Since .*?M: |(?<=firing): .*| They are only counted.*/g, ''),
  ...scene,
});

/** That incident is there so many times more, and is known to its receivers as it is. */
const multiply = (sql: SqlStorage, key: string, more: number): unknown =>
  sql.exec(
    `INSERT INTO incidents WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT source, route, key || i, phone, grouped, inhibited_by, event, value, stored, state, closed_at
     FROM incidents, n WHERE key = ?`,
    more,
    key,
  );

/** As many incidents as an account keeps are open, and their receiver knows: `a`, and `a1` to `a9999`. */
const full = (
  scene: Scene,
  body: (one: IncidentsBench, tell: Tell, sql: SqlStorage) => Promise<void>,
): Promise<void> =>
  staged(scene, async (one, tell, { sql }) => {
    await tell`+a; 2s > 1`;
    multiply(sql, 'a', MAX_OPEN - 1);
    await tell`crash`;
    expect(one.incidents.open.size).toBe(MAX_OPEN);
    await body(one, tell, sql);
  });

/** The same, and nothing but the story. */
const filled =
  (scene: Scene) =>
  (strings: TemplateStringsArray, ...values: readonly string[]): Promise<void> =>
    full(scene, (_, tell) => tell(strings, ...values));

describe('more incidents than an account keeps', () => {
  it('are counted, each once, and become one summary an hour', () =>
    full(grouped(), async (one, tell, sql) => {
      await tell`
        +b*1000; +b*1000; +c*1000; +d*100; open > 10000
        29s; 1s                                 > alerts: and at least 2100 more
        +e*7; 59m; 2m                           > alerts: and at least 7 more
        5h
      `;
      expect(one.incidents.nextAt()).toBeGreaterThan(one.now + 3_600_000);
      await tell`-b*1000 -c*1000 -d*100 -e*7; 1m; 1d`;
      expect(sql.exec('SELECT count(*) AS n FROM beyond').one()).toEqual({ n: 0 });
      expect(new Set(one.outcomes)).toEqual(new Set(['notified', 'summarized', 'resolved']));
    }));

  it('are not counted any more once they are over, or are kept one by one', () => filled(grouped())`
    +b*800; -b*790; 30s  > alerts: and at least 10 more
    -b*800; +c*5; -c*5; 2h
    +d*3; -d0; 30s       > alerts: and at least 2 more
  `);

  it('and fire still leave no message that says that all is over', () =>
    full(grouped(), async (one, tell, sql) => {
      await tell`+b*512; 30s > alerts: and at least 512 more`;
      sql.exec(`DELETE FROM incidents WHERE key != 'a'`);
      await tell`
        crash; -a   > 512
        -b*512         > alerts: Apart from those named one by one, none is firing any more.
        +a; 1d         > 1
        -a             > 0
      `;
      expect(one.incidents.open.size).toBe(0);
    }));

  it('are counted on across a restart', () => filled(grouped())`
    +b*20; crash; +b*30; 30s > alerts: and at least 30 more
    crash; 1m
  `);

  it('write nothing when they come again, and one row when they are over', () =>
    full(grouped(), async (one, tell, sql) => {
      await tell`+b*100`;
      const rows = countRows(sql);
      await tell`+b*100; -never-seen*100`;
      expect(rows.written()).toBe(0);
      await tell`-b*100`;
      expect(rows.written()).toBe(2);
      expect(new Set(one.outcomes.slice(-200))).toEqual(new Set(['resolved']));
    }));

  it('are kept as soon as there is room', () =>
    full(grouped(), async (one, tell) => {
      await tell`
        +b; -a; 1m > alerts: and at least 1 more
        2d         > 9999
        +b; +c
      `;
      expect(['b', 'c'].map((key) => one.incidents.open.isOpen(`alerts/on-call/${key}`))).toEqual([
        true,
        false,
      ]);
    }));

  it('wait for the end of quiet hours', () => filled(
    grouped({ quiet: { from: '21:00', to: '07:00', timezone: 'UTC', do: 'hold' } }),
  )`
    jump 22:00; +b*5; after 07:00 > alerts: and at least 5 more
  `);

  it('wait for the end of a silence of their source', () => filled(
    grouped(
      {},
      { published: { silence: { set: { silences: { all: { when: 'event.source == "alerts"' } } } } } },
    ),
  )`
    publish silence; +b*5; 1h; publish none; 2m > alerts: and at least 5 more
  `);

  it('are said by the next summary, when one ends dead', () => filled(grouped())`
    calls refused for good; +b*5; 1m; calls sent; +c*2; 58m; 5m > alerts: and at least 7 more
  `);

  it('are said since when', () => filled(grouped({}, { short: (text) => text }))`
    +b; 1m > … alerts: and at least 1 more They are only counted: too many are open.
  `);

  it('are counted for who joins, too, as soon as there is no room for them: a further receiver adds no incident', () => filled(
    grouped({ to: 'team' }, { published: { four: { set: teamOf(ANNA, BEN, CARL, BOSS) } } }),
  )`
    publish four > ben: 6667 | boss: 6666 | carl: 6667
    open         > 30000
    1s; 30s      > ben: alerts: and at least 3333 more | boss: alerts: and at least 3334 more | carl: alerts: and at least 3333 more
  `);
});

/** 3,000 incidents of ten receivers and one of a route that escalates after ten minutes: as many pairs as an account keeps. */
it('a receiver for whom there is no room, who joins or whom a step is to notify, gets the number of what is open', async () => {
  const ten = Array.from({ length: 10 }, (_, n) => `49151000001${n}0`);
  const routes = [
    route({ group, send: COUNT, to: 'team' }),
    route({ name: 'steps', escalate: [{ after: '10m', to: ['boss'] }] }),
  ];
  const scene = grouped(
    {},
    { routes, set: teamOf(...ten), published: { more: { set: teamOf(...ten, BEN) } } },
  );
  await staged(scene, async (one, tell, { sql }) => {
    await one.take({ route: 'on-call', key: 'a', phones: ten, group: 'all', value: '{"name":"a"}' });
    await tell`+steps/disk > +disk =1`;
    await tell`2s > …`;
    multiply(sql, 'a', 2_999);
    // There is no room for this one.
    sql.exec(`DELETE FROM incidents WHERE key = 'a2999' AND phone = ?`, ten[9]);
    await tell`
      crash; open   > 30000
      publish more
      after 30s     > 4915100000190: alerts: and at least 1 more | ben: alerts: and at least 3000 more
      9m; after 58s > boss: alerts: and at least 1 more
      nobody
    `;
  });
});

/** Returns incidents that are open for a receiver, or items that belong to none. */
function openOf(count: number, { isLone = false, phones = 1 } = {}): OpenIncidents {
  const open = new OpenIncidents();
  const incident = arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now: 0 });
  for (let n = 0; n < count; n += 1)
    for (let phone = 0; phone < phones; phone += 1) open.put(refOf(`k${n}`, `${phone}`), incident, ALONE, 0);
  return open;
}

it('the room for what is open is counted by incident, with each receiver and with items of no incident', () => {
  expect(openOf(MAX_OPEN - 1).hasRoomFor(refOf('new'))).toBe(true);
  const full = openOf(MAX_OPEN);
  expect([refOf('new'), refOf('k1', 'another'), null].map((ref) => full.hasRoomFor(ref))).toEqual([
    false,
    true,
    true,
  ]);
  const crowded = openOf(MAX_ENTRIES / 10, { phones: 10 });
  expect([refOf('k1', 'another'), null].map((ref) => crowded.hasRoomFor(ref))).toEqual([false, false]);
  expect(openOf(MAX_OPEN, { isLone: true }).hasRoomFor(refOf('new'))).toBe(true);
});
