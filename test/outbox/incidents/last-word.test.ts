import { describe, expect, it } from 'vitest';
import { countRows } from '../support.ts';
import { LINES, route } from './bench.ts';
import { ANNA, BEN, refTo, staged, story, type Published, type Scene } from './story.ts';

const SECOND_GROUP = { group: { wait: '1s', interval: '1s' } };
const plain = story({});
const withIncident = (over: object, of: object = {}) =>
  route({ incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over }, ...of });
const ofDb = () => ({ group: 'db' });

const QUIET = { from: '22:00', to: '07:00', timezone: 'UTC' };
const list = (numbers: readonly string[], quiet: object | null = null) => ({
  recipients: { team: { numbers, ...(quiet !== null && { quiet }) } },
});
const SILENCE = { silences: { all: { when: 'event.source == "alerts"' } } };

describe('a message that is retried', () => {
  it('says no end of what fires again', () => plain`
    +a > +a =1
    calls failed; -a; +a; calls sent; retry; 1h
  `);

  it('says no opening of what is resolved', () => plain`
    calls failed; +a; -a; calls sent; retry; 1h; outcomes > resolved resolved
  `);

  it('that an incident flaps back leaves it as its receiver knew it, also after a restart', () => story({
    routes: [withIncident({ repeat: '1h' })],
  })`
    +a                                                              > +a =1
    calls pending; -a; +a; end failed; calls sent; retry; crash; 3h > =1 | =1 | =1
  `);

  it('says that what fires after it expired is new, although a call was under way', () => story({
    routes: [withIncident({ repeat: '50m', expires: '1h' })],
  })`
    +a                                                            > +a =1
    calls pending; 50m; 10m 1s; +a; end failed; calls sent; retry > +a =1
  `);
});

describe('a message that may have arrived', () => {
  const grouped: Scene = { routes: [route(SECOND_GROUP)], items: ofDb };

  it('is sent again as it was, although a restart reads the rows in another order', () => story(grouped)`
    +c +b +a; 1m                                      > +c +b +a =3
    calls uncertain; -a; 1m; calls sent; crash; retry > -a =2
    states                                            > sent sent
  `);

  it('is not sent again if it names what a silence holds back by now: what is left is said anew', () => story(
    { ...grouped, published: { silence: { set: { silences: { b: { when: 'item.name == "b"' } } } } } },
  )`
    +a +b; 1m                                                   > +a +b =2
    calls uncertain; -a; 1m; publish silence; calls sent; retry > -a =1
    1m; states                                                  > sent superseded sent
  `);

  it('is not sent again if it names what expires meanwhile: what is left is said anew', () => story({
    ...grouped,
    routes: [withIncident({ expires: '1h' }, SECOND_GROUP)],
  })`
    +a +b; 40m                                     > +a +b =2
    calls uncertain; +c +a; 30m; calls sent; retry > +c =2
    1m; states                                     > sent superseded sent
  `);
});

describe('a message that ended dead', () => {
  it('has notified nobody: its opening is said again, and then its end', () => plain`
    calls refused for good; +a; calls sent; 6m > +a =1
    -a                                         > -a =0
  `);

  it('of which the opening was not sent is followed by no end', () => plain`
    calls refused for good; +a; calls sent; -a; 1h
  `);

  it('by its last attempt, whose outcome is uncertain, may have been the opening: its end is said', () => plain`
    calls dead and uncertain; +a; calls sent; -a > -a =0
  `);
});

describe('while its account is paused', () => {
  it('what opens and resolves is not said afterwards, over a restart as well', () => plain`
    pause; +a; crash; -a; go; 1h
  `);

  it('what stays open is one message afterwards, however often it was to be repeated', () => story({
    routes: [withIncident({ repeat: '15m' })],
  })`
    pause; +a; 6h; crash; 6h; go > +a =1
    10m
  `);
});

const FLAPS = { flapping: { changes: 3, perMs: 30 * 60_000 } };
/** `~`: it flaps. */
const FLAPPING = [
  withIncident(
    { flapping: { changes: 3, per: '30m' } },
    {
      send: { kind: 'text', message: LINES.replace('+{{', '{% if one.flapping %}~{% else %}+{% endif %}{{') },
    },
  ),
];

describe('a silence', () => {
  const WARNINGS = { silences: { warnings: { when: 'item.severity == "warning"' } } };
  /** The item `a` with a severity. */
  const severe: Scene = {
    set: WARNINGS,
    items: (name) => ({ key: 'a', value: JSON.stringify({ name: 'a', severity: name }) }),
  };
  const published: Readonly<Record<string, Published>> = { silence: { set: SILENCE }, none: { set: {} } };

  it('holds back repeats, and what is open is repeated when it ends', () => story({
    routes: [withIncident({ repeat: '1h' })],
    published,
  })`
    +a                                > +a =1
    publish silence; 5h; publish none > =1
    1m
  `);

  it('is over for an incident once its newest item does not match it', () => story({
    ...severe,
    routes: [withIncident({ repeat: '1h' })],
  })`
    +warning; +warning; 1h; outcomes > waiting waiting
    +critical                        > +a =1
    outcomes                         > notified summarized summarized
    +warning; 3h; +critical          > =1
    1m
  `);

  it('that is over for an incident leaves it to its quiet hours', () => story({
    ...severe,
    routes: [route({ quiet: QUIET })],
  })`
    +warning; jump 23:00; +critical; after 07:00 > +a =1
  `);

  it('takes what fires and is resolved in one webhook', () => story(severe)`
    +warning; +warning -warning; outcomes > silenced silenced silenced
  `);

  it('holds back that something flaps, and what was notified before is resolved', () => story({
    routes: FLAPPING,
    items: () => FLAPS,
    published,
  })`
    +a                  > +a =1
    publish silence; -a > -a =0
    +a; -a; +a; 20m
  `);

  it.each(['', 'crash'])(
    'holds back that something is stable again: what is open is said once when it ends (%s)',
    (crash) => story({ routes: FLAPPING, items: () => FLAPS, published })`
      +a                                                > +a =1
      -a                                                > -a =0
      +a                                                > ~a =1
      publish silence; 20m; ${crash}; 11m; publish none > +a =1
      3h
    `,
  );
});

describe('a replay of a resolution', () => {
  it('resolves nothing that has fired since the resolution came', () => plain`
    1m; +a                     > +a =1
    replay 12:00 -a; outcomes  > notified resolved
    crash; replay 12:00 -a; -a > -a =0
  `);

  it('resolves what had fired before it', () => plain`
    +a                  > +a =1
    1h; replay 12:01 -a > -a =0
  `);

  it('resolves what a replay of an earlier firing has opened', () => plain`
    1h; replay 12:00 +a > +a =1
    replay 12:00 -a     > -a =0
  `);
});

const inhibiting = (routes: readonly object[], over: object = {}): Scene => ({
  routes,
  items: (name) => (name === 'a' ? { inhibitedBy: ['alerts/on-call/cluster'], ...over } : {}),
});

describe('an incident that inhibits another', () => {
  it('holds back its repeats, and what is open is repeated when it is resolved', () => story(
    inhibiting([withIncident({ repeat: '1h' })]),
  )`
    +a       > +a =1
    +cluster > +cluster =1
    5h 1m    > =1 | =1 | =1 | =1 | =1
    -cluster > =1 | -cluster =0
    1m
  `);

  it('holds back that it flaps: it is notified of once the other one is resolved', () => story(
    inhibiting(FLAPPING, FLAPS),
  )`
    +a                   > +a =1
    +cluster             > +cluster =1
    -a                   > -a =0
    +a; -a; +a; -cluster > ~a =1 | -cluster =0
    1m
  `);

  it('holds back that it is stable again: what is open is said once when the other one is resolved', () => story(
    inhibiting(FLAPPING, FLAPS),
  )`
    +a            > +a =1
    -a            > -a =0
    +a            > ~a =1
    +cluster      > +cluster =1
    31m; -cluster > +a =1 | -cluster =0
    3h
  `);

  it('and whose route is removed inhibits nothing any more', () => story({
    routes: [route({ name: 'cluster' }), route()],
    items: (name) => (name === 'a' ? { inhibitedBy: ['alerts/cluster/eu'] } : {}),
    published: { without: { routes: [route()] } },
  })`
    +cluster/eu         > +eu =1
    +a; publish without > 1 no longer watched: • eu | +a =1
    2m
  `);
});

describe('who leaves a list', () => {
  it('is notified of the end of what they know, and of no repeat', () => story({
    routes: [withIncident({ repeat: '1h' }, { to: 'team' })],
    set: list([ANNA, BEN]),
    published: { left: { set: list([ANNA]) } },
  })`
    +a @anna @ben       > +a =1 | ben: +a =1
    publish left; 2h 1m > =1 | =1
    -a                  > -a =0 | ben: -a =0
  `);

  it('in quiet hours is not notified of that', () => story({
    routes: [route({ to: 'team' })],
    set: list([ANNA, BEN], QUIET),
    published: { left: { set: list([ANNA], QUIET) } },
  })`
    +a @anna @ben > +a =1 | ben: +a =1
    jump 23:00; publish left; 10h
  `);

  it('and is back was notified of nothing yet', () =>
    staged(
      {
        routes: [route({ to: 'team' })],
        set: list([ANNA, BEN]),
        published: { left: { set: list([ANNA]) }, back: { set: list([ANNA, BEN]) } },
      },
      async (one, tell) => {
        await tell`
          +a @anna @ben    > +a =1 | ben: +a =1
          -a @anna @ben    > -a =0 | ben: -a =0
          publish left; +a > +a =1
          pause; publish back
        `;
        expect(one.incident({ ...refTo('a'), phone: BEN }).notifiedIn).toBeNull();
      },
    ));

  it('and joins again is notified of what is open in one message, whatever the groups wait for', () => story({
    routes: [route({ to: 'team', group: { by: ['{{ item.name }}'], wait: '30s', interval: '5m' } })],
    set: list([ANNA, BEN]),
    items: (name) => ({ group: name }),
    published: { left: { set: list([ANNA]) }, back: { set: list([ANNA, BEN]) } },
  })`
    +z @anna @ben; 1m                 > +z =1 | ben: +z =1
    publish left; +a +b; publish back > ben: +a +b =2
    1m                                > +a =1 | +b =1
  `);
});

const team = (over: object = {}) => route({ to: 'team', ...over });
const toDay = (over: object = {}) => [route({ to: 'day', ...over })];
const day = (quiet: object | null = null, numbers = [BEN]) => ({
  day: { numbers, ...(quiet !== null && { quiet }) },
});

describe.each(['', 'crash'])('at night, who knows of an incident (before: %s)', (crash) => {
  const scene = (published: Readonly<Record<string, Published>>, quiet: object | null = QUIET): Scene => ({
    routes: [team()],
    set: list([ANNA], quiet),
    published: { quiet: { set: list([ANNA], QUIET) }, ...published },
  });
  const renamed = { routes: [team({ name: 'other' })], set: list([ANNA], QUIET) };

  it.each<[string, object, string]>([
    ['renamed', renamed, ''],
    ['renamed', renamed, 'publish quiet'],
    ['removed', { ...renamed, routes: [] }, 'publish quiet'],
  ])(
    'is notified in the morning if the route is %s, by quiet hours of before or after the opening',
    (_, next, change) => story(scene({ next }, change === '' ? QUIET : null))`
      +a          > +a =1
      ${change}; jump 23:00; ${crash}; publish next; 2h; ${crash}
      after 07:00 > 1 no longer watched: • a
      10m
    `,
  );

  it.each(['dead and uncertain', 'left to a person', 'uncertain'])(
    'is notified in the morning if the route is renamed, and the opening is %s',
    (ends) => story({ ...scene({ renamed }), at: '21:00' })`
      calls ${ends}; +a; calls sent; jump 23:00; ${crash}; publish renamed; 2h; ${crash}; retry
      after 07:00 > 1 no longer watched: • a
      10m
    `,
  );

  it.each([
    ['has', QUIET],
    ['now has', null],
  ])(
    'and has left a list that %s quiet hours, is notified in the morning',
    (_, before) => story({ ...scene({}), set: list([ANNA, BEN], before) })`
      +a @anna @ben                                                > +a =1 | ben: +a =1
      jump 23:00; ${crash}; publish quiet; 2h; ${crash}; -a; 07:00 > -a =0 | ben: -a =0
      10m
    `,
  );

  it.each([
    ['has quiet hours', list([ANNA], QUIET).recipients],
    ['has none any more', list([ANNA]).recipients],
    ['is gone', {}],
  ])(
    'is notified in the morning if the route has another list, and the last one %s',
    (_, last) => story(scene({ day: { routes: toDay(), set: { recipients: { ...last, ...day() } } } }))`
      +a                                > +a =1
      jump 23:00; ${crash}; publish day > ben: +a =1
      2h; ${crash}; -a                  > ben: -a =0
      after 07:00                       > -a =0
      10m
    `,
  );

  it.each<[string, Published, object]>([
    [
      'by a list of before that lets resolutions through',
      { routes: toDay(), set: { recipients: day(QUIET) } },
      { ...QUIET, resolved: 'send' },
    ],
    ['on a list without quiet hours', { routes: toDay(), set: { recipients: day(null, [ANNA]) } }, QUIET],
  ])(
    'is notified at once %s',
    (_, next, quiet) => story(scene({ next }, quiet))`
      +a                                                   > +a =1
      jump 23:00; ${crash}; publish next; 2h; ${crash}; -a > -a =0
    `,
  );

  it('is notified at once if the route has high priority', () => story(
    scene({ next: { routes: toDay({ priority: 'high' }), set: { recipients: day() } } }),
  )`
    +a                                 > +a =1
    jump 23:00; ${crash}; publish next > ben: +a =1
    2h; ${crash}; -a                   > -a =0 | ben: -a =0
  `);
});

const quietFrom = (from: string, to: string, over: object = {}) =>
  list([ANNA], { from, to, timezone: 'UTC', do: 'hold', ...over });

describe('quiet hours', () => {
  const routes = [route({ to: 'team' })];

  it('end with a count of what was not heard of any more in them, after a restart as well', () => story({
    routes: [withIncident({ expires: '7h' }, { to: 'team' })],
    set: list([ANNA], QUIET),
    at: '23:00',
  })`
    +a; 2h; crash; +b; 07:00 > … 1 firing: • b 1 not heard of any more
    outcomes                 > expired notified
  `);

  it('that are running end when they would have, whatever is published', () => story({
    routes,
    set: quietFrom('11:00', '13:00'),
    published: { later: { set: quietFrom('11:00', '18:00') } },
  })`
    +a; publish later; 2h > +a =1
  `);

  it('end with one count, however often it is looked at before that is sent', () => story({
    routes,
    set: quietFrom('11:00', '13:00'),
  })`
    +a; -a; pause; 2h; publish same; states > queued
    go                                      > … 1 opened and resolved meanwhile
  `);

  it.each(['', 'crash'])(
    'do not count as missed what was notified in the night (%s)',
    (crash) => story({ routes, set: quietFrom('13:00', '18:00', { resolved: 'send' }) })`
      +a                       > +a =1
      2h; +b; 1m; -a           > -a =0
      1m; -a; 1m; ${crash}; 6h > +b =1
    `,
  );
});

it('a repeat comes after its time, although the incident that kept the time expired before a restart', () => story(
  {
    routes: [withIncident({ repeat: '30m', expires: '50m' }, { group: { wait: '1s', interval: '1m' } })],
    items: ofDb,
  },
)`
  +a +b; 45m        > +a +b =2 | =2
  +a; 7m; crash; 9m > =1
`);

describe('a configuration that is older than one that was used', () => {
  it('notifies nobody, however long it is all that can be read', () =>
    staged({ published: { new: { routes: [route({ name: 'new' })] } } }, async (one, tell) => {
      const { config: older } = one;
      await tell`
        publish new; pause; +new/a; 1h; +new/b; states > queued
      `;
      one.config = older;
      one.incidents.lookAtAll();
      one.incidents.notify();
      one.now += 48 * 3_600_000;
      one.incidents.ask();
      one.incidents.notify();
      await tell`
        states > queued
        open   > 2
      `;
    }));
});

describe('a webhook that a newer configuration has routed', () => {
  it.each(['', 'restart'])(
    'notifies by the rules of that one, and of nothing before the object has it (%s)',
    (restart) =>
      staged(
        {
          at: '23:00',
          published: {
            newer: { routes: [route(), route({ name: 'new', to: 'team' })], set: list([ANNA], QUIET) },
          },
        },
        async (one, tell) => {
          await tell`
            +known > +known =1
            ${restart}
          `;
          one.activation = 2;
          await tell`
            +new/a +b; 1m; publish newer > +b =1
            after 07:00                  > +a =1
          `;
        },
      ),
  );

  it('holds back what is queued by an older one, until the object has the newer', () =>
    staged(
      {
        routes: [route({ to: 'team' })],
        set: list([ANNA]),
        at: '23:00',
        published: { quiet: { set: list([ANNA], QUIET) } },
      },
      async (one, tell) => {
        await tell`
          pause; +a; states > queued
        `;
        one.activation = 2;
        await one.fire('b');
        expect([one.incidents.review(one.rowOf(1)), one.postponed]).toEqual([null, [1]]);
        one.isSending = true;
        await tell`
          publish quiet; 10h > … 2 firing: • a • b
        `;
      },
    ));
});

describe('a call that could not be made', () => {
  it('leaves what its receiver believes as it was: nobody is notified of what has resolved meanwhile', () => plain`
    calls pending; +a; -a; calls sent; no call; 1h; outcomes > resolved resolved
  `);

  it('leaves it so in the row as well', () => plain`
    calls pending; +a; +a; pause; no call; calls sent; crash; -a; go; open > 0
  `);

  it('lets its message say what is true when it is claimed again', () => plain`
    calls pending; +a; pause; no call; calls sent; go > +a =1
    -a                                                > -a =0
  `);
});

it('a digest reads no more incidents than it shows', () =>
  staged(
    { routes: [route({ to: 'team' })], set: list([ANNA], QUIET), at: '23:00' },
    async (one, tell, { sql }) => {
      for (let n = 0; n < 30; n += 1)
        await one.fire(...Array.from({ length: 20 }, (_, index) => `${n}-${index}`));
      const rows = countRows(sql);
      await tell`07:00 > … 600 firing: …`;
      expect(rows.read()).toBeLessThan(600 + 4 * 60);
    },
  ));
