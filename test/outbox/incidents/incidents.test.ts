import { describe, expect, it } from 'vitest';
import { Alarm } from '../../../src/lib/alarm.ts';
import { readFact } from '../../../src/outbox/state/meta.ts';
import { turn } from '../../eventually.ts';
import { diskOf } from '../full-disk.ts';
import { HOUR, SECOND } from '../support.ts';
import { LINES, route, type IncidentsBench } from './bench.ts';
import { ANNA, BEN, refTo, staged, story, type Scene } from './story.ts';

const GROUP = { by: ['{{ item.service }}'], wait: '30s', interval: '5m' };
const plain = story({});
/** All items are of the group `db`, but those whose name is of another. */
const groupedBy = (over: object = {}, scene: Scene = {}): Scene => ({
  routes: [route({ group: GROUP, ...over })],
  items: (name) => ({ group: /^\w+(?=\.)/.exec(name)?.[0] ?? 'db' }),
  ...scene,
});
const grouped = story(groupedBy());
const saying = (message: string) => ({ send: { kind: 'text', message } });
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `+a${n}`).join(' ');

const fail = () => {
  throw new Error('it cannot be written');
};

describe('a transaction that is undone', () => {
  it('because of a fault leaves an alarm, which looks again', () =>
    staged({}, async (one, _, storage) => {
      one.now = Date.now();
      const alarm = new Alarm(storage, () => one.now);
      one.onWake = (at) => alarm.bringForward(at);
      expect(() => storage.transactionSync(() => one.incidents.within(fail))).toThrow('it cannot be written');
      await turn();
      expect(await storage.getAlarm()).toBe(one.now + 30 * SECOND);
    }));

  it('and had brought a newer configuration, leaves that to be written down when it is brought again', () =>
    staged({}, async (one, _, { sql }) => {
      one.activation = 2;
      diskOf(sql, (query) => query.includes('INTO incidents')).fails = 1;
      await expect(one.fire('a')).rejects.toThrow('SQLITE_FULL');
      await one.fire('a');
      expect(readFact(sql, 'activation')).toBe('2');
    }));
});

describe('one incident by itself', () => {
  it('is reported when it opens and when it is resolved', () => plain`
    +disk        > +disk =1
    +disk; -disk > -disk =0
    outcomes     > notified summarized notified
  `);

  it('is reported again after `repeat` while it is open', () => story({
    routes: [route({ incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '4h' } })],
  })`
    +disk    > +disk =1
    after 4h > =1
    after 4h > =1
    -disk    > -disk =0
    1d
  `);

  it('of which nothing is heard is closed quietly, and nobody is paged months later', () => story({
    routes: [route({ incident: { key: '{{ item.name }}', repeat: '1d' } })],
  })`
    +disk           > +disk =1
    90d             > =1 | =1 | =1 | =1 | =1 | =1
    open            > 0
    -disk; outcomes > notified resolved
  `);

  it('whose resolution comes first is not reported', () => plain`
    -disk; states; outcomes > resolved
  `);
});

describe('a group', () => {
  it('is one message, one update, and one last', () => grouped`
    +a0; 20s; +a1 +a2 +a3; after 10s > +a0 +a1 +a2 +a3 =4
    +late -a0; after 5m              > +late -a0 =4
    -a1 -a2; 10s; -a3 -late          > -a1 -a2 -a3 -late =0
    outcomes                         > notified notified notified notified notified notified notified notified notified notified
  `);

  it('keeps its times over a publish, and is rendered by the configuration then in force', () => story({
    ...groupedBy(),
    published: { words: groupedBy(saying('NEW {{ count }}')) },
  })`
    +disk; 20s; publish words; publish words; after 10s > NEW 1
  `);

  it('keeps its times when the object stops', () => grouped`
    +disk; 20s; crash; after 10s  > +disk =1
    crash; +more; crash; after 5m > +more =2
  `);

  it('of another receiver, or with other values, is reported by itself', () => story(
    groupedBy({ to: [ANNA, BEN] }),
  )`
    +a +web.b @anna @ben; 1m > +a =1 | +web.b =1 | ben: +a =1 | ben: +web.b =1
  `);

  it('shows at most `max`, and counts the rest', () => story(
    groupedBy({
      group: { wait: '30s', max: 2 },
      ...saying('{% for one in firing %}{{ one.item.name }} {% endfor %}+{{ more }}'),
    }),
  )`
    ${numbered(6)}; 1m > a4 a5 +4
    outcomes           > summarized summarized summarized summarized notified notified
  `);

  it('whose template fails is reported in plain words, and the message says why', () =>
    staged(
      { ...groupedBy(), published: { empty: groupedBy(saying('{{ first.item.nothing }}')) } },
      async (one, tell) => {
        await tell`
          +disk; publish empty; 1m > 1 firing: • disk
          outcomes                 > notified
        `;
        expect(one.messages[0]?.reason).toContain('is empty');
      },
    ));

  it('whose route is gone is no longer watched, in one message in plain words, for who was notified', () =>
    staged(
      { ...groupedBy(), published: { other: { routes: [route({ name: 'other' })] } } },
      async (one, tell) => {
        await tell`
          +disk +web.cpu; 1m        > +disk =1 | +web.cpu =1
          +mail.late; publish other > … 2 no longer watched: • disk • web.cpu
          5m; outcomes              > notified notified expired
          open                      > 0
        `;
        expect(one.messages[2]?.reason).toContain('no longer exists');
      },
    ));

  it('of which only what flaps stays open keeps its interval, also after a restart', () => story({
    routes: [
      route({
        group: { wait: '1s', interval: '5m' },
        incident: { key: '{{ item.name }}', flapping: { changes: 4, per: '6h' } },
      }),
    ],
    items: (name) => ({ group: 'db', ...(name === 'a' && { flapping: { changes: 4, perMs: 6 * HOUR } }) }),
  })`
    +b; +a; 6m        > +b +a =2
    -a; 6m            > -a =1
    +a; 6m            > +a =2
    -a; 6m            > +a =1
    +a; 1h; -b; 1m    > -b =1
    crash; +c; 3m; 2m > +c =2
  `);
});

describe('a message that still waits to be sent', () => {
  it('is replaced by a newer state of the same incident', () => grouped`
    pause; +a; 1m; +b; 1m; states > queued
    go                            > +a +b =2
    outcomes                      > notified notified
  `);

  it('is superseded when all that it says is resolved', () => plain`
    pause; +a; -a; go; states > superseded
    outcomes                  > resolved resolved
  `);

  it('holds up other messages of the route to the same receiver only until it is sent', () => plain`
    pause; +a +b +c; states > queued
    go                      > +a =1 | +b =1 | +c =1
  `);
});

describe('a throttle', () => {
  const throttled = story({
    routes: [
      route({
        throttle: [
          { max: 3, per: '10m' },
          { max: 4, per: '1h' },
        ],
      }),
    ],
  });

  it('makes one digest of what is over it, as soon as there is a place', () => throttled`
    +a +b +c            > +a =1 | +b =1 | +c =1
    +d +e +f; after 10m > … 3 firing: • d • e • f
    +g; after 50m       > +g =1
  `);

  it('makes no digest of what comes long after all that was over it is resolved', () => throttled`
    +a +b +c +d > +a =1 | +b =1 | +c =1
    -d; 1d; +e  > +e =1
  `);

  it('lets the resolution of what was reported pass, and keeps it after a crash', () => throttled`
    +a +b +c +d      > +a =1 | +b =1 | +c =1
    crash; -d; -a -b > … 2 resolved: • a (after 0 seconds) • b (after 0 seconds)
    outcomes         > notified notified notified resolved resolved notified notified
  `);
});

describe('quiet hours', () => {
  const QUIET = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };
  const quietBy = (quiet: object = {}, over: object = {}): Scene => ({
    routes: [route({ to: ['team'], ...over })],
    set: { recipients: { team: { numbers: [ANNA], quiet: { ...QUIET, ...quiet } } } },
  });

  it('end with one message: what is still open, and how many opened and resolved meanwhile', () => story({
    ...quietBy(),
    at: '21:00',
  })`
    +a +b +c; 1h; -a; after 05:00 > … 2 firing: • b • c 1 opened and resolved meanwhile
    outcomes                      > resolved notified notified resolved
  `);

  it('say in the morning what was resolved, and how many opened and resolved, after a restart as well', () => story(
    quietBy(),
  )`
    +a                                   > +a =1
    jump 21:00; +b; -b; -a; crash; 05:00 > … 1 resolved: • a (after 9 hours) 1 opened and resolved meanwhile
  `);

  it.each(['', 'crash'])(
    'count an incident once, and none that is open in the end, however often it opened (%s)',
    (crash) => story(quietBy())`
      jump 21:00; +a; -a; +a; +b; -b; +b; -b; ${crash}; 05:00 > … 1 firing: • a 1 opened and resolved meanwhile
    `,
  );

  it('do not count what a silence or an open incident takes', () => story({
    routes: [route({ name: 'cluster' }), route({ to: ['team'] })],
    set: { ...quietBy().set, silences: { x: { when: 'item.name == "staging"' } } },
    items: (name) => (name === 'a' ? { inhibitedBy: ['alerts/cluster/eu'] } : {}),
    at: '21:00',
  })`
    +cluster/eu > +eu =1
    +staging +a +b; -staging -a; -b
    outcomes    > notified silenced inhibited resolved silenced inhibited resolved
    05:00       > … 1 opened and resolved meanwhile
  `);

  it('hold resolutions back until the morning', () => story(quietBy())`
    +a                          > +a =1
    jump 21:00; -a; after 05:00 > -a =0
  `);

  it('let resolutions through where the list wants them at once', () => story(quietBy({ resolved: 'send' }))`
    +a             > +a =1
    jump 21:00; -a > -a =0
    05:00
  `);

  it('of a route and of a list end together, if one begins before the other one ends', () => story(
    quietBy({}, { quiet: { from: '06:00', to: '09:00', timezone: 'Europe/Berlin' } }),
  )`
    jump 21:00; +a; after 07:00 > +a =1
  `);

  it('do not hold messages of high priority', () => story({
    ...quietBy({}, { priority: 'high' }),
    at: '21:00',
  })`
    +a > +a =1
  `);

  it.each([
    ['23', '2026-03-28T21:30', '05:00'],
    ['25', '2026-10-24T20:30', '06:00'],
  ])(
    'last from evening to morning on the night with %s hours',
    (_, evening, morning) => story(quietBy())`
      jump ${evening}; +a; after ${morning} > +a =1
    `,
  );
});

describe('an incident that is open', () => {
  it('holds others back, until it resolves', () => story({
    routes: [
      route({ name: 'cluster' }),
      route({ incident: { key: '{{ item.name }}', inhibited_by: 'cluster/{{ item.cluster }}' } }),
    ],
    items: (name) => (name === 'eu' ? {} : { inhibitedBy: ['alerts/cluster/eu'] }),
  })`
    +cluster/eu         > +eu =1
    +a +b; -a; outcomes > notified inhibited waiting inhibited
    -cluster/eu         > -eu =0 | +b =1
  `);

  it('that a person closes is reported as resolved, and cannot be closed again', () =>
    staged({}, async (one, tell) => {
      await tell`
        +a      > +a =1
        close a > -a =0
      `;
      expect(one.incidents.change(refTo('a'), 'resolved', 'token')).toBe(false);
    }));

  it('and flaps is said once, with its count, and once as resolved', () => story({
    routes: [
      route({
        incident: { key: '{{ item.name }}', flapping: { changes: 4, per: '30m' } },
        ...saying(`{% if flapping %}~{{ changes }}{% else %}${LINES}{% endif %}`),
      }),
    ],
    items: () => ({ flapping: { changes: 4, perMs: HOUR / 2 } }),
  })`
    +a                     > +a =1
    1m; -a                 > -a =0
    1m; +a                 > +a =1
    1m; -a                 > ~4
    1m; +a; 1m; -a; 1m; 1h > -a =0
    outcomes               > notified notified notified notified summarized notified
  `);

  it('and flaps is named by the built-in text, also if it has just resolved', () => story({
    routes: [
      route({
        incident: { key: '{{ item.name }}', flapping: { changes: 3, per: '30m' } },
        throttle: [{ max: 1, per: '1h' }],
      }),
    ],
    items: () => ({ flapping: { changes: 3, perMs: HOUR / 2 } }),
  })`
    +a                          > +a =1
    -a                          > -a =0
    45m; +a +b; -a -b; +a +b -a -b
    after 15m                   > … 2 resolved: • a (flapping, 3×) • b (flapping, 3×)
  `);
});

it('an account that has `digest_above` makes one digest of more than that', () => story({
  set: { accounts: { default: { digest_above: 3 } } },
})`
  pause; +a +b +c +d +e; go > … 5 firing: • a • b • c • d • e
  outcomes                  > notified notified notified notified notified
`);

const waitOf = (one: IncidentsBench, key: string) =>
  one.incidents.open.waitOf({ ...refTo(key), phone: ANNA });
const until = (time: string) => `2026-07-${time}.000Z`;

describe('what an item waits for', () => {
  it('is its group, until that is notified; then nothing is waited for', () =>
    staged(groupedBy(), async (one, tell) => {
      await tell`+a`;
      expect(waitOf(one, 'a')).toEqual({ for: 'group', until: until('01T12:00:30') });
      await tell`
        30s > +a =1
        -a  > -a =0
      `;
      expect(waitOf(one, 'a')).toBeNull();
    }));

  it('is the end of quiet hours, or the throttle of its route', async () => {
    const quiet = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };
    await staged({ routes: [route({ quiet })], at: '21:00' }, async (one, tell) => {
      await tell`+a`;
      expect(waitOf(one, 'a')).toEqual({ for: 'quiet', until: until('02T05:00:00') });
      one.incidents.open.lookAtAll(Date.parse(until('01T22:00:00')));
      expect(waitOf(one, 'a')).toEqual({ for: 'quiet', until: until('02T05:00:00') });
    });
    await staged({ routes: [route({ throttle: [{ max: 1, per: '1h' }] })] }, async (one, tell) => {
      await tell`+a +b > +a =1`;
      expect(waitOf(one, 'b')).toEqual({ for: 'throttle', until: until('01T13:00:00') });
    });
  });
});
