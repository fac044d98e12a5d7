import { describe, it } from 'vitest';
import { route } from './bench.ts';
import { ANNA, BEN, story, type Scene } from './story.ts';

const ofDb = () => ({ group: 'db' });
const GROUP = { wait: '30s', interval: '5m' };
const grouped = story({ routes: [route({ group: GROUP })], items: ofDb });
const REPEATED = { incident: { key: '{{ item.name }}', repeat: '4h' } };
const repeated: Scene = { routes: [route(REPEATED)] };

describe('a cancelled message about a group', () => {
  it.each(['', 'crash'])(
    'is not repeated by itself (%s)',
    (crash) => grouped`
      pause; +a +b; 1m; cancel 1; go; ${crash}; 2d; +a; 2d; states > cancelled
    `,
  );

  it.each(['', 'crash'])(
    'does not take the message about an incident that is held back no more, with which all go (%s)',
    (crash) => story({
      routes: [
        route({ name: 'cluster', to: BEN }),
        route({ group: { wait: '30s' }, incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' } }),
      ],
      items: (name) => ({ group: 'db', inhibitedBy: name === 'c' ? ['alerts/cluster/eu'] : [] }),
    })`
      +cluster/eu @ben                                              > ben: +eu =1
      pause; +a +b +c; 1m; cancel 2; go; ${crash}; -cluster/eu @ben > +a +b +c =3 | ben: -eu =0
      1m
    `,
  );

  it('takes all that it would have said by then with it', () => grouped`
    pause; +a; 1m; +b; cancel 1; go; 1h; states > cancelled
  `);

  it('does not take the message about an incident that opens later', () => grouped`
    pause; +a; 1m; cancel 1; go; 1h; +b > +a +b =2
    1m
  `);

  it('leaves nothing to say of an incident that is resolved later', () => grouped`
    pause; +a; 1m; cancel 1; go; -a; 2d; states > cancelled
    outcomes                                    > resolved resolved
  `);

  it('stays due until the time of the next repeat', () => story(repeated)`
    pause; +a; cancel 1; go; after 4h > +a =1
  `);

  it('that repeats what is known is followed by the next repeat', () => story({
    routes: [route({ group: { wait: '30s' }, ...REPEATED })],
    items: ofDb,
  })`
    +a +b; 1m                       > +a +b =2
    pause; 4h; cancel 2; go; 3h; 1h > =2
  `);

  it('leaves the resolution of what was notified before', () => grouped`
    +a; 1m                          > +a =1
    pause; +b; 5m; cancel 2; go; -a > +b -a =1
    5m
  `);
});

describe('a resolution is sent', () => {
  it('although a person cancelled the repeat before it, and its route is gone', () => story({
    ...repeated,
    published: { other: { routes: [route({ name: 'other' })] } },
  })`
    +a                                     > +a =1
    pause; 4h; cancel 2; go; publish other > 1 no longer watched: • a
    1m
  `);

  it('although a person cancelled the message before it that it flaps', () => story({
    routes: [route({ incident: { key: '{{ item.name }}', flapping: { changes: 2, per: '30m' } } })],
    items: () => ({ flapping: { changes: 2, perMs: 30 * 60_000 } }),
  })`
    +a                              > +a =1
    pause; -a; cancel 2; go; states > sent cancelled
    after 30m                       > -a =0
  `);
});

describe('an expired message', () => {
  it('says nothing about what came after its text was written', () => grouped`
    pause; +a; 1m; +b; expire 1; go > +a +b =2
    1m
  `);

  it.each(['', 'crash'])(
    'is followed by another while its incident is open (%s)',
    (crash) => grouped`
      pause; +a; 3h; expire 1; go; ${crash}; +a; after 5m > +a =1
      -a                                                  > -a =0
      5m
    `,
  );

  it('is followed by none if its incident is resolved, and nobody was notified of it', () => grouped`
    pause; +a; 3h; expire 1; -a; go; 1d
  `);

  it('about an item of no incident is not: it is too old', () => story({
    routes: [route({ incident: undefined, quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } })],
  })`
    pause; post a; 3h; expire 1; go; 1d
  `);
});

describe('a message that was cancelled in an earlier turn', () => {
  // A story begins at noon of the day on which Anna is on call. Ben is at midnight, and so on.
  const rotation = { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' }; // fixed date: its own clock
  const turns = story({
    routes: [route({ to: 'team' })],
    set: { recipients: { team: { people: { anna: ANNA, ben: BEN }, rotation } } },
  });

  it('is followed by one about what is open when its receiver is on call again', () => turns`
    pause; +a; cancel 1; go; 12h > ben: +a =1
    after 24h                    > +a =1
  `);

  it('and may have arrived is followed by one, too', () => turns`
    calls uncertain; +a; cancel 1; calls sent; 12h > ben: +a =1
    1d                                             > +a =1
  `);

  it('does not come back with a publish in the same turn', () => turns`
    pause; +a; cancel 1; go; publish same; 1h
  `);
});

it('an acknowledgement that runs out notifies of what a person had cancelled, too', () => story({})`
  pause; +a; cancel 1; go; ack anna a; 1d > +a =1
`);
