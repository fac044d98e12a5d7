import { describe, it } from 'vitest';
import { route } from './bench.ts';
import { ANNA, BEN, story, type Published, type Scene } from './story.ts';

const QUIET = { from: '22:00', to: '07:00', timezone: 'UTC' };
const ALL = 'ALL RESOLVED';
const GROUPED = {
  to: ['team'],
  group: { wait: '1s', interval: '5m' },
  send: {
    kind: 'text',
    message: `{% for one in new %}+{{ one.key }} {% endfor %}{% for one in resolved %}-{{ one.key }} {% endfor %}{% if count > 0 %}={{ count }}{% else %}${ALL}{% endif %}`,
  },
};
const incident = (over: object = {}): object => ({
  incident: { key: '{{ item.name }}', resolved: 'item.x', expires: '1d', ...over },
});
const members = (...numbers: readonly string[]): object => ({
  recipients: { team: { numbers, quiet: QUIET }, second: { numbers: [BEN] } },
});
/** Anna has the turn until midnight, then Ben. */
const turns = {
  recipients: {
    team: {
      people: { anna: ANNA, ben: BEN },
      rotation: { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' },
      quiet: QUIET,
    },
  },
}; // fixed date: its own clock

const EXPIRING = incident({ expires: '5h' });

const night = (over: object = {}, scene: Scene = {}): Scene => ({
  routes: [route({ ...GROUPED, ...incident(), ...over })],
  set: members(ANNA),
  items: () => ({ group: 'db' }),
  at: '22:30',
  ...scene,
});
/** A route whose digests have this text. */
const expiring = (message: string): object => ({ ...EXPIRING, digest: { kind: 'text', message } });

/** A German source with a route of this name. */
const german = (name: string): object => ({
  sources: {
    alerts: {
      verify: { scheme: 'none' },
      locale: 'de-DE',
      routes: [route({ ...GROUPED, ...incident(), name })],
    },
  },
});

/** Without quiet hours; incidents expire after five hours. */
const day = (over: object = {}, scene: Scene = {}): Scene =>
  night(
    { ...EXPIRING, ...over },
    { at: '08:00', set: { recipients: { team: { numbers: [ANNA] } } }, ...scene },
  );

/** Anna has the turn until midnight, then Ben, without quiet hours. */
const over = (routes: object, scene: Scene = {}): Scene =>
  night(routes, {
    at: '12:00',
    set: {
      recipients: { team: { people: { anna: ANNA, ben: BEN }, rotation: turns.recipients.team.rotation } },
    },
    ...scene,
  });

const short = (text: string): string => text.replace(/^Since .*?M: /, '* ');

describe('the morning after an incident of which nothing more was heard', () => {
  it('does not say that it is resolved', () => story(night(EXPIRING, { short }))`
    +a; 05:00; after 07:00 > * 1 not heard of any more
    outcomes               > expired
  `);

  it('counts it apart from what came and went, and names what fires', () => story(night(EXPIRING, { short }))`
    +a; 10m; +b; 30m; -b; 06:30; +c; after 07:00 > * 1 firing: • c 1 opened and resolved meanwhile 1 not heard of any more
  `);

  it.each([
    ['is over by then', '22:30', '', '-a', '* 1 opened and resolved meanwhile'],
    ['fires again', '22:30', '', '+a', '+a =1'],
    ['is over by then, after somebody was notified', '21:30', '+a =1', '-a', '-a ALL RESOLVED'],
  ])('counts nothing that was heard of again: it %s', (_, at, told, heard, says) => {
    const first = told === '' ? '+a' : `+a; 1m > ${told}`;
    return story(night(EXPIRING, { at, short }))`
      ${first}
      04:30; ${heard}; after 07:00 > ${says}
    `;
  });

  it('does not count what a silence held back', () => story(
    night(EXPIRING, { short, set: { ...members(ANNA), silences: { work: { when: 'key == "a"' } } } }),
  )`
    +a +b; after 07:00 > * 1 not heard of any more
    outcomes           > silenced expired
  `);

  it('counts it for whoever has joined meanwhile', () => story(
    night(EXPIRING, { set: turns, at: '20:00', short }),
  )`+a; 3h > +a =1
    +a; 05:00; after 07:00 > ben: * 1 not heard of any more`);

  it('says so in German, after a restart as well', () => story(
    night(EXPIRING, {
      set: {
        ...members(ANNA),
        sources: {
          alerts: {
            verify: { scheme: 'none' },
            locale: 'de-DE',
            routes: [route({ ...GROUPED, ...EXPIRING })],
          },
        },
      },
      short: (text) => text.replace(/^Seit .*?: /, '* '),
    }),
  )`
    +a +b; 10m; -b; 05:00; crash; after 07:00 > * 1 inzwischen aufgetreten und behoben 1 nicht mehr gemeldet
  `);

  it('is said by a `digest` template that names `unheard`, and else in plain words', () => {
    return Promise.all([
      story(night(expiring('{{ missed }} {{ unheard }}')))`+a +b; 10m; -b; 05:00; 07:00 > 1 1`,
      story(night(expiring(ALL), { short }))`+a; 05:00; 07:00 > * 1 not heard of any more`,
    ]);
  });
});

describe('who has left a list in the night and was notified of nothing', () => {
  it.each<[string, Scene, string]>([
    ['by a handover', { set: turns, at: '22:30' }, '+a +b; +c; -c; 1d'],
    ['by a publish', { published: { left: { set: members(BEN) } } }, '+a +b; +c; -c; publish left'],
  ])('%s, gets nothing; who joins gets what fires', (_, scene, deeds) => {
    const until = deeds.endsWith('1d') ? '+a +b; +c; -c; 00:00' : deeds;
    return story(night({}, { short, ...scene }))`
      ${until}; 10m; +a +b @ben; after 07:00 > ben: +a +b =2
      outcomes                               > expired expired resolved resolved notified notified
      12h
    `;
  });

  it('and comes back hears of what fires, and that it is over', () => story(
    night({}, { at: '12:00', published: { left: { set: members(BEN) } } }),
  )`
    pause; +a; publish left; publish first; go > +a =1
    -a                                         > -a ALL RESOLVED
  `);

  it('still hears that it is over, if they were notified before', () => story(
    night({}, { at: '20:00', published: { left: { set: members(BEN) } } }),
  )`
    +a; 1m                                > +a =1
    22:30; +b; -b; publish left; -a @ben; after 07:00 > -a ALL RESOLVED | ben: …
  `);
});

const undated = (text: string): string => text.replaceAll(/ \(after .*?\)/g, '');

describe('a group of which one that was told expired', () => {
  it('never says that all is over: it counts that one, also after a restart', () => story(
    day({}, { short: undated }),
  )`
    +a; 1m             > +a =1
    2h; +b; 5m         > +b =2
    3h; crash; -b      > 1 resolved: • b 1 not heard of any more
    +c; 1m             > +c =1
    -c                 > 1 resolved: • c 1 not heard of any more
    -a                 > -a ALL RESOLVED
  `);

  it('counts it by a template that names it', () => story(
    day({ send: { kind: 'text', message: '{{ count }} {{ unheard }}' } }),
  )`
    +a; 1m         > 1 0
    2h; +b +c; 5m  > 3 0
    3h; -b; 5m     > 1 0
    -c             > 0 1
  `);

  it('counts it as open if it fires again for whoever has the turn by now', () => story(
    over({ ...EXPIRING }, { short: undated }),
  )`
    +a; 1m               > +a =1
    21:00; +b; 1m        > +b =1
    00:00                > ben: +b =1
    +a @ben; 5m          > ben: +a =2
    -b @ben              > -b =1
    5m                   > ben: -b =1
    -a @ben              > -a ALL RESOLVED | ben: -a ALL RESOLVED
  `);

  it('of several groups in one message is counted as well', () => story(
    day(
      {},
      {
        short: (text) => undated(text).replace(/^Since .*?M: /, '* '),
        items: (name) => ({ group: name.slice(0, 1) }),
        set: { recipients: { team: { numbers: [ANNA] } }, accounts: { default: { digest_above: 1 } } },
      },
    ),
  )`
    +a1; 1m             > +a1 =1
    2h; +a2; 5m         > +a2 =2
    +b1; 5m             > +b1 =1
    3h; -a2 -b1         > * 2 resolved: • a2 • b1 1 not heard of any more
  `);
});

const renamed: Published = { routes: [route({ ...GROUPED, ...incident(), name: 'others' })] };

describe('a route that is renamed in the night', () => {
  it('is not told as the end of what was not notified yet: the new one names it', () => story(
    night({}, { short, published: { renamed } }),
  )`
    +a +b; 1h; publish renamed; +others/a +others/b; after 07:00 > * 2 no longer watched | +a +b =2
    outcomes > expired expired notified notified
  `);

  it('is no number for who had left before', () => story(
    night({}, { published: { left: { set: members(BEN) }, renamed: { ...renamed, set: members(BEN) } } }),
  )`
    +a; 1m; -a; publish left; publish renamed; crash; 1d
  `);

  it('ends what was notified with one message in the morning, also where resolutions are sent at once', () => story(
    night(
      {},
      {
        at: '20:00',
        published: { renamed },
        set: { recipients: { team: { numbers: [ANNA], quiet: { ...QUIET, resolved: 'send' } } } },
      },
    ),
  )`
    +a; 1m                                     > +a =1
    23:00; publish renamed; crash; after 07:00 > 1 no longer watched: • a
    outcomes                                   > notified
  `);

  it('and back before the morning says nothing, as it is watched again', () => story(
    night({}, { at: '20:00', published: { renamed } }),
  )`
    +a; 1m                                       > +a =1
    23:00; publish renamed; crash; publish first; 07:00
    -a > -a ALL RESOLVED
  `);

  it('is told in German', () => {
    return story(
      night(
        {},
        {
          at: '20:00',
          set: { ...members(ANNA), ...german('on-call') },
          published: { renamed: { set: { ...members(ANNA), ...german('others') } } },
        },
      ),
    )`
      +a; 1m          > +a =1
      publish renamed > 1 nicht mehr überwacht: • a
    `;
  });
});

describe('a resolution that comes after its incident expired', () => {
  it('goes to whoever was notified, once', () => story(day())`
    +a; 1m    > +a =1
    6h; crash
    -a        > -a ALL RESOLVED
    outcomes  > notified notified
    -a; 1d
  `);

  it('goes to nobody after seven days, or if nobody was notified', () => story(day())`
    +a; 1m        > +a =1
    7d 5h 2m; -a
    pause; +b; 6h; go; -b; 1h
    outcomes      > notified resolved expired resolved
  `);

  it('goes to whoever has left the list since', () => story(
    day({}, { published: { left: { set: { recipients: { team: { numbers: [BEN] } } } } } }),
  )`
    +a; 1m       > +a =1
    publish left > ben: +a =1
    6h; -a @ben  > -a ALL RESOLVED | ben: -a ALL RESOLVED
  `);

  it('goes to whoever has left the list since, also if it opened again meanwhile', () => story(
    day({}, { published: { left: { set: { recipients: { team: { numbers: [BEN] } } } } } }),
  )`
    +a; 1m           > +a =1
    6h; publish left
    +a @ben; 1m      > ben: +a =1
    -a @ben          > -a ALL RESOLVED | ben: -a ALL RESOLVED
  `);

  it('is of the opening before, if it opened again and nobody was notified of that', () => story(day())`
    +a; 1m               > +a =1
    6h; pause; +a; -a; go > -a ALL RESOLVED
  `);

  it('by a person also goes to whoever has left the list, where it opened again for others', () => story(
    day({}, { published: { left: { set: { recipients: { team: { numbers: [BEN] } } } } } }),
  )`
    +a; 1m            > +a =1
    publish left      > ben: +a =1
    6h; +a @ben; 1m   > ben: +a =1
    close a           > -a ALL RESOLVED | ben: -a ALL RESOLVED
  `);

  it('goes to them once its route has its name again', () => story(day({}, { published: { renamed } }))`
    +a; 1m                                              > +a =1
    6h; publish renamed; -others/a; crash; publish first; -a > -a ALL RESOLVED
  `);

  it('of a call that failed goes to nobody', () => story(day())`
    calls pending; +a; 1s; 6h; end refused for good; calls sent; -a; 1h
  `);

  it.each([
    ['+a', '6h'],
    ['-a, which waits, and +a', '6h; pause; -a; crash'],
    ['+a -a, which wait, and +a', '6h; pause; +a; -a'],
  ])(
    'leaves what fires after it expired news: %s',
    (_, deeds) => story(day())`
    +a; 1m                  > +a =1
    ${deeds}; +a; go; 1s    > +a =1
    -a                      > -a ALL RESOLVED
  `,
  );
});

const acting = { actions: { ack: {}, resolve: {} } };

/** A route with links that has this text, by its short form. */
const plain = (message: string, more: object, group: string | null) =>
  story({
    ...over({ ...acting, send: { kind: 'text', message }, ...more }),
    items: (name) => ({ group, ...(name === 'b' && { severity: 3 }) }),
    short: (text) => text.replace(/^Since .*?M: /, '* ').replaceAll(/: https:\S+/g, ''),
  });

describe('a handover', () => {
  it('says who has what', () => story(over({}))`
    +pump +fan; 1m        > +pump +fan =2
    ack Mara pump; 00:00  > ben: +pump +fan =2 Mara has it: pump
    -pump -fan @ben       > -pump -fan ALL RESOLVED | ben: -pump -fan ALL RESOLVED
  `);

  it('of several groups is one message by the text of the route, with its links, what nobody has first, then the oldest', () => story(
    {
      ...over({
        ...acting,
        group: { by: ['{{ item.service }}'], wait: '1s', interval: '5m', max: 3 },
        send: {
          kind: 'text',
          message:
            '{% for one in firing %}{{ one.key }} {% endfor %}+{{ more }}{% if count > 0 %} {{ actions.ack.url }}{% endif %}',
        },
      }),
      items: (name) => ({ group: name.slice(0, 1) }),
      short: (text) => text.replace(/https:\S+/, 'LINK'),
    },
  )`
    +b1; +a1; 1m      > b1 +0 LINK | a1 +0 LINK
    +b2; 10m          > b1 b2 +0 LINK
    +c1; 1m           > c1 +0 LINK
    ack Mara a1; 00:00 > ben: b1 b2 c1 +1 LINK Mara has 1: a1
  `);

  it('of incidents without a group, and a text that fails, are the plain text: the worst first, and its links below', async () => {
    await plain('{{ key }}', { group: undefined }, null)`
      +a                 > a
      +b                 > b
      ack Mara b; 00:00  > ben: * 2 firing: • 🔥 b • a I have it It is resolved Mara has 1: b
    `;
    await plain('{{ item.none }}', {}, 'db')`
      +a +b; 1m          > 2 firing: • 🔥 b • a I have it It is resolved
      ack Mara a; +c; 5m > 3 firing: • 🔥 b • c • a I have it It is resolved Mara has 1: a
    `;
  });
});

const numbers = (text: string): string =>
  (text.match(/\d+ (?:firing|resolved|no longer|not)\b/g) ?? []).join(' ');

describe('a storm of more than a thousand', () => {
  const storm = night(
    { send: { kind: 'text', message: `{% if count > 0 %}={{ count }}{% else %}${ALL}{% endif %}` } },
    {
      at: '12:00',
      set: { recipients: { team: { numbers: [ANNA] } } },
      short: (text) => text.replaceAll(/^Since .*?M: |(?<= more):? .*They are only.*/g, ''),
    },
  );
  const half = Array.from({ length: 1_512 }, (_, n) => `${n < 1_000 ? '-' : '+'}a${n}`).join(' ');

  it('counts what finds no place, spends places on what is new, and never says that all is over while some fire', () => story(
    storm,
  )`
    +a*1512; 1s   > =1000
    30s           > alerts: and at least 512 more
    +a*1512; 5m   > =1512
    ${half}; 5m   > =512
    -a*1512       > ${ALL}
    1d
  `);

  it('never says that all is over while what is only counted fires', () => story(storm)`
    +a*1512; 1s   > =1000
    30s           > alerts: and at least 512 more
    -a*1000       > =512
    1d
  `);

  it('is no summary of what is over', () => story(storm)`
    +a*1512; 1s   > =1000
    -a*1512       > ${ALL}
    1d
  `);

  it('is counted in its own group', () => story({ ...storm, items: (name) => ({ group: name.slice(0, 1) }) })`
    +a*1000 +b*512; 1s > =1000
    30s                > alerts: and at least 512 more
    -a*1000            > ${ALL}
    -b*512             > alerts: Apart from those named one by one, none is firing any more.
  `);

  it('is not told to be over while another group of it fires', () => story({
    ...storm,
    items: (name) => ({ group: name.slice(0, 1) }),
  })`
    +a*1000 +b*5 +c*5; 1s > =1000
    30s                   > alerts: and at least 10 more
    -b*5; 1h
    -c*5                  > alerts: Apart from those named one by one, none is firing any more.
  `);

  it('is told to who joins, and that it is over to all who knew', () => story({
    ...storm,
    set: over({}).set ?? {},
  })`
    +a*1512; 1s      > =1000
    30s              > alerts: and at least 512 more
    00:00            > ben: =1000
    30s              > ben: alerts: and at least 512 more
    -a*1000 @ben     > =512 | ben: =512
    -a*1512 @ben     > alerts: Apart from those … any more. | ben: alerts: Apart from those … any more.
  `);

  it('is no number for who has handed over before it was told', () => story({
    ...storm,
    set: over({}).set ?? {},
    at: '23:59',
  })`
    45s; +a*1512; 1s > =1000
    00:00            > ben: =1000
    1m               > ben: alerts: and at least 512 more
  `);

  it('is not told to be over to who has left and knows that it fires', () => story({
    ...storm,
    set: members(ANNA, BEN),
    published: { left: { set: members(BEN) } },
  })`
    +a*1512 @anna @ben; 1s     > =1000 | ben: =1000
    30s                        > alerts: and at least 512 more | ben: alerts: and at least 512 more
    publish left; -a*1000 @ben > =512 | ben: =512
    +b*1512 @ben; 2h           > ben: =1000 | ben: alerts: and at least 512 more
    -a*1512 @ben               > alerts: Apart from those … any more.
  `);

  it('has all ends in the number of a digest', () => story({
    ...storm,
    set: members(ANNA),
    routes: [route({ ...GROUPED, ...incident() })],
    items: (name) => ({ group: name.slice(0, 1) }),
    short: numbers,
  })`
    +a*60 +b*60; 1s         > … | …
    22:30; -a*60 -b*59; after 07:00 > 1 firing 119 resolved
  `);

  it('is told in the words of its route, which know why, if all of it has ended', () => story({
    ...storm,
    set: members(ANNA),
    routes: [route({ ...GROUPED, ...incident() })],
    items: (name) => ({ group: name.slice(0, 1) }),
  })`
    +a*2 +b*2; 1s           > … | …
    22:30; -a*2 -b*2; after 07:00 > -a0 -a1 -b0 -b1 ALL RESOLVED
  `);

  it('is not told to fire once its route is renamed, nor once nothing is heard of it', async () => {
    await story({ ...storm, set: members(ANNA), published: { renamed }, short: numbers })`
      +a*1512; 31s    > … | …
      22:30; publish renamed; crash; after 07:00 > 1512 no longer
      1d
    `;
    await story(night(EXPIRING, { short }))`+a*1512; after 07:00 > * 1512 not heard of any more`;
    await story({ ...storm, ...day(), short: numbers })`
      +a*1512; 31s           > … | …
      4h; +a*1000; 2h; -a*1000 > 1000 resolved 512 not
    `;
  });
});
