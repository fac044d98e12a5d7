import { describe, expect, it } from 'vitest';
import { arrive } from '../../../src/outbox/incidents/incident.ts';
import { Beyond } from '../../../src/outbox/incidents/beyond.ts';
import { incidentId } from '../../../src/outbox/incidents/store.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { STANDINGS } from '../../../src/lib/shares.ts';
import { tables } from '../in-storage.ts';
import { countRows } from '../support.ts';
import { route, type IncidentsBench } from './bench.ts';
import { ALONE, refOf } from './said.ts';
import { ANNA, BEN, BOSS, CARL, staged, type Scene, type Tell } from './story.ts';

/** The share of one source that proves its sender, while others have nothing open. */
const MAX_OPEN = 6_750;

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
  short: (text) => text.replace(/^Since .*?M: |(?<=firing): .*|(?<= more):? .*They are only counted.*/g, ''),
  ...scene,
});

/** That incident is there so many times more, and is known to its receivers as it is. */
const multiply = (sql: SqlStorage, key: string, more: number): unknown =>
  sql.exec(
    `INSERT INTO incidents
     SELECT n.value, phone, source, route, one.key || (n.key + 1), grouped, inhibited_by, event, one.value, stored, state, closed_at
     FROM incidents AS one, json_each(?) AS n WHERE one.key = ?`,
    JSON.stringify(Array.from({ length: more }, (_, at) => incidentId(sql, refOf(`${key}${at + 1}`)))),
    key,
  );

/** As many incidents as a source may have are open, and their receiver knows: `a`, and `a1` to `a6749`. */
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

describe('more incidents than a source may have', () => {
  it('are counted, each once, and become one summary an hour', () =>
    full(grouped(), async (one, tell, sql) => {
      await tell`
        +b*1000; +b*1000; +c*1000; +d*100; open > 6750
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

  it('are not known to somebody whose message with their number was not sent', () =>
    full(
      grouped({}, { published: { renamed: { routes: [route({ name: 'others' })] } }, short: (text) => text }),
      async (_, tell, sql) => {
        await tell`+b*5`;
        sql.exec(`DELETE FROM incidents WHERE key != 'a'`);
        await tell`
          crash; calls refused for good; -a
          calls sent; publish renamed; 10m > 1 resolved: • a (after 2 seconds)
        `;
      },
    ));

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
        2d         > 6749
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
    +b; 1m > … alerts: and at least 1 more: • b They are only counted: too many are open.
  `);

  it('are counted for who joins, too, as soon as there is no room for them: a further receiver adds no incident', () => filled(
    grouped({ to: 'team' }, { published: { four: { set: teamOf(ANNA, BEN, CARL, BOSS) } } }),
  )`
    publish four > ben: 4500 | boss: 4500 | carl: 4500
    open         > 20250
    1s; 30s      > ben: alerts: and at least 2250 more | boss: alerts: and at least 2250 more | carl: alerts: and at least 2250 more
  `);
});

const night = { quiet: { from: '21:00', to: '07:00', timezone: 'UTC' } };
const pager = grouped(
  {},
  {
    routes: [route({ group, send: COUNT, ...night }), route({ name: 'pager', priority: 'high' })],
    items: (name) => (/^[uv]/.test(name) ? { priority: 'high' } : { group: 'all' }),
    short: (text) => text.replaceAll(/^Since .*?M: | They are only counted.*/g, ''),
  },
);

it('what is urgent is named while it has room, and is else summarized after half a minute, next after five, at any hour', () =>
  full(pager, async (_, tell, sql) => {
    await tell`jump 22:00; +pager/u > +u =1`;
    multiply(sql, 'u', 2_437);
    await tell`
      crash; +b*9; 9s; +pager/v; after 21s > alerts: and at least 10 more: • v • b0 • b1 • …
      +pager/v1; +pager/v2; after 5m    > alerts: and at least 2 more: • v1 • v2
      -pager/u -pager/v                 > -u =2
      +pager/v3                         > +v3 =1
    `;
  }));

/** 2,025 incidents of ten receivers and one of a route that escalates after ten minutes: as many pairs as a source may have: 20,250. */
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
    multiply(sql, 'a', 2_024);
    // There is no room for this one.
    sql.exec(`DELETE FROM incidents WHERE key = 'a2024' AND phone = ?`, ten[9]);
    await tell`
      crash; open   > 20250
      publish more
      after 30s     > 4915100000190: alerts: and at least 1 more | ben: alerts: and at least 2025 more
      9m; after 58s > boss: alerts: and at least 1 more
      nobody
    `;
  });
});

/** Has `signed/shop/3` open as much as it may: the source, and the receivers of each incident (0: items of none). Returns how much. */
function flood(open: OpenIncidents, who: string): number {
  const [how, source = '', count = '1'] = who.split('/');
  const standing = STANDINGS.find((one) => one === how) ?? 'signed';
  const isLone = count === '0';
  const incident = arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now: 0 });
  open.stands(source, standing === 'open');
  for (let n = 0; ; n += 1) {
    const phones = Math.max(1, Number(count));
    const ref = { ...refOf(`k${Math.floor(n / phones)}`, `${n % phones}`), source, route: standing };
    if (!open.hasRoomFor(ref, standing, isLone)) return n;
    open.put(ref, incident, ALONE, 0);
  }
}

it.each([
  ['signed/a signed/b open/f urgent/a', [6_750, 1_688, 141, 1_066]],
  ['open/f open/g signed/a urgent/u', [2_250, 563, 4_641, 1_910]],
  ['urgent/u signed/a open/f urgent/v', [7_500, 1_125, 94, 961]],
  ['signed/a/10 open/f/0 urgent/a/3', [20_250, 1_688, 6_047]],
])('%s: a source has three quarters of what others leave, and what is urgent always room', (who, most) => {
  const open = new OpenIncidents();
  expect(who.split(' ').map((one) => flood(open, one))).toEqual(most);
  expect(open.hasRoomFor({ ...refOf('new'), source: 'other' }, 'urgent')).toBe(true);
});

it('what many groups have together counts once in a message about two of them', () => {
  const beyond = new Beyond(tables().sql);
  const receiver = { source: 'alerts', route: 'on-call', phone: ANNA };
  for (let n = 0; n < 102; n += 1) beyond.add({ ...receiver, grouped: `${n}` }, [`${n}`], 'signed', 0);
  expect(beyond.openOf(receiver, ['=1', '=2'], 0)).toEqual({ open: 4, unheard: 0 });
});
