import { describe, it } from 'vitest';
import { route } from './bench.ts';
import { ANNA, BEN, BOSS, CARL, story, type Published, type Scene } from './story.ts';

/** A story begins at noon of the day on which Anna is on call. She hands over to Ben at midnight, and so on. */
const TURNS = { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' }; // fixed date: its own clock
const listOf = (rotation: object = {}, over: object = {}): object => ({
  recipients: {
    team: { people: { anna: ANNA, ben: BEN, carl: CARL }, rotation: { ...TURNS, ...rotation }, ...over },
  },
});
const incident = (over: object) => ({
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over },
});
const teamBy = (over: object = {}, set: object = listOf()): Scene => ({
  routes: [route({ to: 'team', ...over })],
  set,
});
const plain = story(teamBy());
const GROUPED: Scene = { ...teamBy({ group: { wait: '30s' } }), items: () => ({ group: 'db' }) };

describe('a handover', () => {
  it('notifies the next person of what is open, in one message, when it is time', () => plain`
    +a +b +c  > +a =1 | +b =1 | +c =1
    -c        > -c =0
    after 12h > ben: … 2 firing: • a • b
    23h
  `);

  it('of one incident sends the message of its route', () => plain`
    +a  > +a =1
    12h > ben: +a =1
  `);

  it('leaves what a sender says of a holder to whoever came on call without an end that nobody said', () => plain`
    +a                > +a =1
    12h               > ben: +a =1
    !a @ben           > Lea has it: a | ben: Lea has it: a
    outcomes          > notified summarized
  `);

  it('leaves it over, and not waiting, for whoever came on call and was never notified', () => plain`
    +a                       > +a =1
    pause; 12h; !a @ben; close a; outcomes > notified resolved
  `);

  it('of which nothing is open says nothing', () => plain`
    +a > +a =1
    -a > -a =0
    5d
  `);

  it('leaves the one before with resolutions, and without repeats', () => story(
    teamBy(incident({ repeat: '4h' })),
  )`
    +a      > +a =1
    11h     > =1 | =1
    1h      > ben: +a =1
    8h      > ben: =1 | ben: =1
    +b @ben > ben: +b =1
    -a @ben > -a =0 | ben: -a =0
    3h
  `);

  it('back to somebody who was notified in an earlier turn notifies them again, once', () => plain`
    +a            > +a =1
    12h           > ben: +a =1
    1d            > +a =1
    crash; 1h; -a > -a =0 | ben: -a =0
  `);

  it('that happens while the object is stopped is made up for when it starts', () => plain`
    +a                > +a =1
    restart; jump 13h > ben: +a =1
    crash; 1h
  `);

  it('is not missed by an opening that waits, and was for the one before', () => story(GROUPED)`
    11h 59m 50s; +a; 1m > ben: +a =1
    -a @ben             > ben: -a =0
    1m
  `);

  it('supersedes a message that waits for the one before, and the next one gets it', () => plain`
    pause; +a; 12h; go > ben: +a =1
    states             > superseded sent
  `);

  it('during a call leaves the one before with the resolution, if the message may have arrived', () => plain`
    calls pending; +a; pause; 12h; end uncertain; calls sent; go > ben: +a =1
    -a @ben                                                      > -a =0 | ben: -a =0
    retry; 1m
  `);

  it('is not missed by an item that was routed before it, and comes after it', () => plain`
    +old  > +old =1
    12h   > ben: +old =1
    +late > ben: +late =1
    1m
  `);

  it('leaves an item that belongs to no incident with whoever was on call when it came', () => story({
    ...teamBy({ incident: undefined, group: { wait: '30s' } }),
    items: () => ({ key: null, group: 'db' }),
  })`
    11h 59m 50s; +a; 1m > +a =1
  `);

  it('in quiet hours notifies when they are over', () => story(
    teamBy({}, listOf({}, { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } })),
  )`
    +a +b       > +a =1 | +b =1
    after 07:00 > ben: … 2 firing: • a • b
  `);

  // On 24 October Anna has the turn. Berlin's clock goes back on the day after: the turn has 25 hours.
  it('is at the same local time on the day of a clock change', () => story(
    teamBy({}, listOf({ from: '2026-10-24T09:00', timezone: 'Europe/Berlin' })),
  )`
    jump 2026-10-24T12:00; +a > +a =1
    after 08:00               > ben: +a =1
  `); // fixed date: its own clock
});

const escalating = (over: object = {}): object => ({
  to: BOSS,
  escalate: [{ after: '10m', to: ['team'] }],
  ...incident({}),
  ...over,
});

const stepsBy = (over: object = {}, published: Readonly<Record<string, Published>> = {}): Scene => ({
  ...teamBy(escalating(over)),
  published,
  short: (text) => text.replace(/ Not acknowledged since .*/, ' *'),
});

describe('a handover in the list of a step', () => {
  it('notifies the next person of what is open, and the one before gets no more repeats', () => story(
    stepsBy(incident({ repeat: '4h' })),
  )`
    +a +b @boss > boss: +a =1 | boss: +b =1
    10m         > +a =1 * | +b =1 *
    -b @boss    > -b =0 | boss: -b =0
    11h         > =1 | =1 | boss: =1 | boss: =1
    after 50m   > ben: +a =1 * | boss: =1
    9h          > ben: =1 | ben: =1 | boss: =1 | boss: =1
    -a @boss    > -a =0 | ben: -a =0 | boss: -a =0
  `);

  it('back to somebody who was notified in an earlier turn notifies them again, once', () => story(stepsBy())`
    +a @boss > boss: +a =1
    10m      > +a =1 *
    12h      > ben: +a =1 *
    1d       > +a =1 *
    crash; 1h
  `);

  it('says nothing before the step is taken, and nothing while somebody has the incident', () => story(
    stepsBy({ escalate: [{ after: '13h', to: ['team'] }] }),
  )`
    +a @boss                       > boss: +a =1
    after 13h                      > ben: +a =1 *
    ack ben a; 23h 30m; back ben a > +a =1 *
  `);

  it('calls somebody who was notified as one of the route’s own list before', () => story(
    stepsBy(
      { ...incident({ repeat: '4h' }), to: [BOSS, BEN] },
      { carl: { routes: [route(escalating({ ...incident({ repeat: '4h' }), to: [BOSS, CARL] }))] } },
    ),
  )`
    +a @boss @ben > ben: +a =1 | boss: +a =1
    1h            > +a =1 *
    publish carl  > carl: +a =1
    11h           > =1 | =1 | ben: +a =1 * | boss: =1 | boss: =1 | boss: =1 | carl: =1 | carl: =1
    5h            > ben: =1 | boss: =1 | carl: =1 | carl: =1
  `);

  it('is also a publish that adds somebody to the list of a step that was taken', () => story(
    stepsBy({}, { two: { set: { recipients: { team: { people: { anna: ANNA, carl: CARL } } } } } }),
  )`
    +a @boss    > boss: +a =1
    1h          > +a =1 *
    publish two > carl: +a =1 *
  `);
});

describe('an override', () => {
  const overridden = listOf({
    overrides: [{ person: 'carl', from: '2026-07-01T13:00', to: '2026-07-01T15:00' }],
  }); // fixed date: its own clock

  it('hands over when it begins and when it ends', () => story(teamBy({}, overridden))`
    +a          > +a =1
    after 13:00 > carl: +a =1
    +b @carl    > carl: +b =1
    after 15:00 > … 2 firing: • a • b
  `);

  it('that is published hands over at once, and once if it is published twice', () => story({
    ...teamBy(),
    published: { overridden: { set: overridden } },
  })`
    +a                             > +a =1
    jump 1h 1m; publish overridden > carl: +a =1
    1m; publish overridden; 1m
  `);
});

it('a list that changes from one receiver to another one notifies the new one of what the old one was not notified of yet', () => story(
  {
    ...GROUPED,
    routes: [route({ to: CARL, group: { wait: '30s' } })],
    published: { anna: { routes: [route({ to: ANNA, group: { wait: '30s' } })] } },
  },
)`
  +a @carl; publish anna > +a =1
  1m
`);

const cluster = (over: object = {}): object => route({ name: 'cluster', to: BEN, ...over });

describe('what has no incidents any more', () => {
  const cell = route({
    incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' },
    group: { wait: '1s', interval: '1s' },
  });
  const without = { incident: undefined, send: { kind: 'text', message: 'order {{ item.name }}' } };

  it.each([
    ['and has no other rules', without],
    ['and keeps a group', { ...without, group: { wait: '1s' } }],
  ])(
    'a route, %s: they are not watched any more, in words of its own, and inhibit nothing',
    (_, left) => story({
      routes: [cluster(), cell],
      items: (name) => (name === 'a' ? { inhibitedBy: ['alerts/cluster/eu'] } : {}),
      published: { without: { routes: [cluster(left), cell] } },
    })`
      +cluster/eu @ben        > ben: +eu =1
      +a; 1m; publish without > +a =1 | ben: 1 no longer watched: • eu
      1m; 8d
    `,
  );

  const hourly = [route(incident({ repeat: '1h' }))];
  const away = {
    accounts: { sales: {} },
    sources: { alerts: { verify: { scheme: 'none' }, account: 'sales', routes: hourly } },
  };

  it.each([
    ['moves to another account', away],
    ['is deleted', { sources: {} }],
  ])(
    'a source that %s: who was notified hears of it once, and of what waited nothing is said',
    (_, set) => story({ routes: hourly, published: { without: { set } } })`
      +known                               > +known =1
      pause; +waiting; publish without; go > 1 no longer watched: • known
      outcomes                             > notified expired
      1d; open                             > 0
    `,
  );
});
