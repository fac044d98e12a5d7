import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../src/outbox/incidents/incident.ts';
import { MINUTE } from '../support.ts';
import { route } from './bench.ts';
import { ANNA, BEN, BOSS, CARL, staged, story as storyOf, type Published, type Scene } from './story.ts';

const DISK = { source: 'alerts', route: 'on-call', key: 'disk', phone: ANNA };

const LISTS = {
  'on-call': { people: { anna: ANNA } },
  'second-line': { people: { ben: BEN, carl: CARL } },
  managers: { numbers: [BOSS] },
  nobody: { numbers: [] },
};

const STEPS = [
  { after: '10m', to: ['second-line'] },
  { after: '30m', to: ['managers'] },
];
const MANAGERS = [{ after: '10m', to: 'managers' }];
const QUIET = { from: '22:00', to: '07:00', timezone: 'UTC' };

const escalating = (over: object = {}): object => route({ to: 'on-call', escalate: STEPS, ...over });

/** A route that escalates with these keys besides. */
const sceneOf = (over: object = {}, set: object = {}): Scene => ({
  routes: [escalating(over)],
  set: { recipients: LISTS, ...set },
  // `*`: a step calls them, and says since when nobody has acknowledged it.
  short: (text) => text.replace(/ Not acknowledged since .*/, ' *'),
});
const by = (over: object, scene: Partial<Scene> = {}) => storyOf({ ...sceneOf(over), ...scene });
const story = by({});

/** The same with all in one group. */
const ofGroup = (group: object, over: object = {}, scene: Partial<Scene> = {}) =>
  storyOf({
    ...sceneOf({ group: { by: ['{{ item.service }}'], ...group }, escalate: MANAGERS, ...over }),
    items: () => ({ group: 'db' }),
    ...scene,
  });

describe('an incident that nobody acknowledges', () => {
  it('takes no step if it expired unsaid while the alarm was late', () => by({
    group: { wait: '5m', interval: '5m' },
  })`
    +disk; jump 30d; open > 0
  `);

  it('escalates step by step, each once, and its resolution goes to all of them', () => story`
    +disk     > +disk =1
    after 10m > ben: +disk =1 * | carl: +disk =1 *
    after 20m > boss: +disk =1 *
    1d; -disk > -disk =0 | ben: -disk =0 | boss: -disk =0 | carl: -disk =0
    open      > 0
  `);

  it('says since when nobody has acknowledged it, and who was notified when, at the same moment by name', () =>
    storyOf({
      ...sceneOf({}, { recipients: { ...LISTS, 'second-line': { people: { carl: CARL, ben: BEN } } } }),
      short: (text) => text,
    })`
      +disk > +disk =1
      10m   > ben: …
      20m   > boss: +disk =1 Not acknowledged since 12:00 PM. Notified: anna (12:00 PM), ben (12:10 PM), carl (12:10 PM).
    `);

  it('says so in the template’s own words where it has some', () => by({
    send: {
      kind: 'text',
      message:
        '{{ item.name }}{% if escalation %}, step {{ escalation.step }} after {{ escalation.minutes }} min: {{ escalation.notified | pluck: "name" | join }}{% endif %}',
    },
  })`
    +disk > disk
    10m   > ben: disk, step 1 after 10 min: anna | carl: disk, step 1 after 10 min: anna ben
  `);

  it('is repeated to those who were notified by a step, too, until somebody has it', () => by({
    incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '1h' },
  })`
    +disk     > +disk =1
    30m       > ben: +disk =1 * | boss: +disk =1 * | carl: +disk =1 *
    after 30m > =1
    after 10m > ben: =1 | carl: =1
    ack anna disk; 20h
  `);

  it('that is resolved before a step notifies nobody by it, and starts at the first when it opens again', () => story`
    +disk     > +disk =1
    10m       > ben: +disk =1 * | carl: +disk =1 *
    -disk     > -disk =0 | ben: -disk =0 | carl: -disk =0
    +disk     > +disk =1
    9m; -disk > -disk =0
    1h; +disk > +disk =1
    after 10m > ben: +disk =1 * | carl: +disk =1 *
    after 20m > boss: +disk =1 *
  `);

  it('that opens again while its resolution is on its way starts at its first step', () =>
    staged(sceneOf(), async (one, tell) => {
      await tell`
        +disk > +disk =1
        15m   > ben: +disk =1 * | carl: +disk =1 *
        calls failed; -disk; +disk
      `;
      expect(one.incident(DISK).openedAt).toBeLessThan(one.now);
      expect(one.incident(DISK).escalation).toMatchObject({ from: one.now, taken: [] });
      await tell`
        calls sent; retry; 10m
      `;
      expect(one.incident(DISK).escalation?.taken).toHaveLength(1);
    }));
});

describe('an incident that somebody has', () => {
  const forTwoHours = sceneOf({ acknowledged_for: '2h' });

  it('does not escalate, whenever that was', () => story`
    +disk > +disk =1
    9m; ack anna disk; 23h 59m
  `);

  it('begins again after `acknowledged_for`: reminders, and steps from the first one', () => storyOf(
    forTwoHours,
  )`
    +disk                   > +disk =1
    1h                      > ben: +disk =1 * | boss: +disk =1 * | carl: +disk =1 *
    ack anna disk; after 2h > +disk =1
    9m; crash; after 1m     > ben: +disk =1 * | carl: +disk =1 *
    after 20m               > boss: +disk =1 *
    1d; -disk               > -disk =0 | ben: -disk =0 | boss: -disk =0 | carl: -disk =0
  `);

  it('leaves those of a step with the resolution, if it ends before the step is taken again', () => storyOf(
    forTwoHours,
  )`
    +disk                > +disk =1
    10m                  > ben: +disk =1 * | carl: +disk =1 *
    ack anna disk; 2h 1m > +disk =1
    -disk                > -disk =0 | ben: -disk =0 | carl: -disk =0
  `);

  it('begins again for all its receivers at the same moment, however late the alarm is', () => storyOf(
    forTwoHours,
  )`
    +disk                      > +disk =1
    10m                        > ben: +disk =1 * | carl: +disk =1 *
    ack anna disk; jump 2h 15m > +disk =1 | ben: +disk =1 * | carl: +disk =1 *
    15m                        > boss: +disk =1 *
  `);

  it('begins again when a silence ends that began meanwhile', () => storyOf({
    ...forTwoHours,
    published: {
      silence: {
        set: {
          recipients: LISTS,
          silences: { work: { when: 'key == "disk"', until: '2026-07-01T16:10:00Z' } },
        },
      },
    },
  })`
    +disk                                           > +disk =1
    10m                                             > ben: +disk =1 * | carl: +disk =1 *
    ack anna disk; 1h; publish silence; after 16:10 > +disk =1
    after 10m                                       > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('that is acknowledged again is theirs for as long again, and none of that time counts', () =>
    staged(forTwoHours, async (one, tell) => {
      await tell`
        +disk > +disk =1
        8m; ack anna disk; 1h; ack ben disk; 1h 59m
      `;
      expect(one.incident(DISK).acknowledged?.by).toBe('anna');
      await tell`
        after 1m  > +disk =1
        after 10m > ben: +disk =1 * | carl: +disk =1 *
      `;
    }));

  it('goes on where it was when that is taken back, and says since when nobody has it', () => by(
    {},
    { short: (text) => text.replace(/ Not acknowledged since 12:10 PM. .*/, ' *') },
  )`
    +disk                                           > +disk =1
    9m; ack anna disk; 1m; back anna disk; after 1m > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('escalates from then on when the last one takes it back, however long the others had said that they have it', () => by(
    { acknowledged_for: '1h' },
  )`
    +disk                                                                    > +disk =1
    ack anna disk; 1m; ack ben disk; 30m; ack anna disk; 59m; back anna disk > +disk =1
    after 10m                                                                > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('is not sent to those whom a step was to notify and whose message was not sent yet, nor is its resolution', () => story`
    +disk                    > +disk =1
    pause; 10m; states       > sent queued queued
    ack anna disk; go; -disk > -disk =0
    open                     > 0
  `);

  it('is named in no other message to those whom a step did not notify in time', () => by(
    { group: { wait: '1s', interval: '1s' } },
    { items: () => ({ group: 'db' }) },
  )`
    +cpu; 5m                               > +cpu =1
    +disk; 1m                              > +disk =2
    pause; 6m; ack anna disk; go           > ben: +cpu =1 * | carl: +cpu =1 *
    -cpu; 1m                               > -cpu =1 | ben: -cpu =0 | carl: -cpu =0
    -disk                                  > -disk =0
    1m
  `);

  it('may have been notified by a step: then its resolution is', () => story`
    +disk > +disk =1
    calls uncertain; 10m; ack anna disk; calls sent; retry
    -disk > -disk =0 | ben: -disk =0 | carl: -disk =0
  `);
});

describe('a step', () => {
  it('is taken at any hour, and passes a throttle', () => storyOf({
    ...sceneOf({
      quiet: QUIET,
      throttle: { max: 1, per: '1d' },
      escalate: [{ after: '10m', to: 'second-line' }],
    }),
    at: '03:00',
  })`
    +disk; 10m > ben: +disk =1 * | carl: +disk =1 *
    +cpu; 10m  > ben: +cpu =1 * | carl: +cpu =1 *
    5h         > Since 7/2/26, 3:00 AM: 2 firing: • disk • cpu
  `);

  it('notifies whom quiet hours held back until then', () => storyOf({
    ...sceneOf({ quiet: QUIET, escalate: [{ after: '10m', to: 'on-call' }] }),
    at: '03:00',
  })`
    +disk; after 10m > +disk =1 *
  `);

  it('notifies nobody who knows', () => by({
    escalate: [
      { after: '10m', to: ['on-call', 'managers'] },
      { after: '20m', to: 'managers' },
    ],
  })`
    +disk > +disk =1
    10m   > boss: +disk =1 *
    1h
  `);

  it('of many incidents whose messages a throttle would hold back is one message', () => by({
    throttle: { max: 1, per: '1d' },
    escalate: MANAGERS,
  })`
    +a +b +c > +a =1
    10m      > boss: +a =1 * | boss: Since 7/1/26, 12:00 PM: 2 firing: • b • c *
  `);

  it('names all of its group that nobody has and nothing holds back, whatever `interval` says, and none of it a second time', () =>
    ofGroup(
      { wait: '30s', interval: '1h' },
      {},
      {
        set: {
          recipients: LISTS,
          silences: { work: { when: 'key == "hushed"', until: '2026-07-02T12:00:00Z' } },
        },
      },
    )`
      +a +b; 1m                                  > +a +b =2
      9m                                         > boss: +a +b =2 *
      +c; 1s; +his +hushed; ack anna his; 5m; +d
      crash; 4m 59s                              > boss: +c +d =4 *
      1m; 30m; -a -b; 10m                        > +c +his +d -a -b =3 anna has it: his
      -c -d                                      > boss: -a -b -c -d =0
    `);

  it('names all of its group, whatever `wait` says', () => ofGroup({ wait: '20m', interval: '20m' })`
    +a; 5m; +b; after 5m > boss: +a +b =2 *
    10m                  > +a +b =2
  `);

  it('names all of its group, whoever their receivers are', () => ofGroup(
    { wait: '30s', interval: '5m' },
    { to: ['on-call', '{{ item.phone }}'] },
  )`
    +a; 1s; +b @carl; 1m > +a =1 | carl: +b =1
    9m                   > boss: +a +b =2 *
    -a                   > -a =0
    -b @carl             > boss: -a -b =0 | carl: -b =0
  `);

  it('names all of its group to whoever joins its list, and again once nobody has them any more', () => ofGroup(
    { wait: '30s', interval: '5m' },
    { acknowledged_for: '1h' },
    { published: { moved: { set: { recipients: { ...LISTS, managers: { people: { carl: CARL } } } } } } },
  )`
    +a; 1m                         > +a =1
    4m; +b; 5m 30s                 > +b =2 | boss: +a +b =2 *
    publish moved                  > carl: +a +b =2 *
    ack anna a; 1m; ack anna b; 1h > +a =2
    9m                             > +b =2 | carl: +a +b =2 *
    1h
  `);

  it('without receivers gives way to the next one at once, and the owner is to know', () => by({
    escalate: [
      { after: '10m', to: 'nobody' },
      { after: '30m', to: 'managers' },
      { after: '40m', to: 'nobody' },
    ],
  })`
    +disk      > +disk =1
    after 10m  > boss: +disk =1 *
    nobody     > alerts/on-call 1
    1h; nobody > alerts/on-call 1, alerts/on-call 3
  `);

  it('is taken at once if all receivers have opted out, and says so; the next ones in their time', () => storyOf(
    { ...sceneOf(), short: (text) => text.replace(/ Not acknowledged since 12:00 PM/, ' *') },
  )`
    opt out anna
    +disk            > ben: +disk =1 *. Opted out: anna. | carl: +disk =1 *. Notified: ben (12:00 PM). Opted out: anna.
    crash; after 30m > boss: +disk =1 *. Notified: ben (12:00 PM), carl (12:00 PM). Opted out: anna.
    nobody
  `);

  it('gives way at once where those of the route and of the step have opted out', () => story`
    opt out anna ben carl; +disk > boss: +disk =1 *
    nobody                       > alerts/on-call 1
  `);

  it('waits for its time where one receiver has not opted out, or knew before they did', () => by({
    to: ['on-call', 'managers'],
  })`
    opt out anna; +disk          > boss: +disk =1
    opt out anna boss; after 10m > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('waits for its time where its route also reaches those who have opted out', () => by({
    transactional: true,
  })`
    opt out anna; +disk > +disk =1
  `);

  it('is taken once those who were still to be notified have opted out', () => story`
    pause; +disk; 1m; opt out anna; go > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('whose message is dead is still owed, and the other steps go on', () => story`
    +disk                                       > +disk =1
    calls refused for good; 10m; calls sent; 6m > ben: +disk =1 * | carl: +disk =1 *
    14m                                         > boss: +disk =1 *
  `);
});

describe('an incident that is held back', () => {
  const silenced = { silences: { work: { when: 'key == "disk"', until: '2026-07-01T13:08:00Z' } } };

  it('from its opening on does not escalate; its steps are counted from the end of that', () => storyOf(
    sceneOf({}, silenced),
  )`
    +disk; after 13:08 > +disk =1
    after 10m          > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('later goes on where it was, also over a restart', () => storyOf({
    ...sceneOf(),
    published: { silence: sceneOf({}, silenced) },
  })`
    +disk                                          > +disk =1
    8m; publish silence; 30m; crash; 30m; after 2m > ben: +disk =1 * | carl: +disk =1 *
  `);

  it('by another incident does not escalate until that one is resolved', () => storyOf({
    routes: [escalating({ escalate: MANAGERS }), route({ name: 'cluster', to: CARL })],
    set: { recipients: LISTS },
    items: (name) => (name === 'disk' ? { inhibitedBy: ['alerts/cluster/eu'] } : {}),
  })`
    +cluster/eu @carl            > carl: +eu =1
    +disk; 1h; -cluster/eu @carl > +disk =1 | carl: -eu =0
    10m                          > boss: +disk =1 Not acknowledged since 12:00 PM. Notified: anna (1:00 PM).
  `);
});

describe('what happens between the steps', () => {
  it('a restart forgets none and repeats none', () =>
    staged(sceneOf(), async (one, tell) => {
      await tell`+disk > +disk =1`;
      for (let minute = 0; minute < 60; minute += 1) {
        await one.pass(MINUTE);
        await one.crash();
      }
      await tell`
        go    > ben: +disk =1 * | boss: +disk =1 * | carl: +disk =1 *
        -disk > -disk =0 | ben: -disk =0 | boss: -disk =0 | carl: -disk =0
      `;
    }));

  it('a pause over two steps makes each of them once, in order', () => story`
    +disk   > +disk =1
    jump 2h > ben: +disk =1 * | boss: +disk =1 * | carl: +disk =1 *
    crash; 1s
  `);

  const published: Readonly<Record<string, Published>> = {
    other: {
      routes: [
        escalating({
          escalate: [
            { after: '5m', to: 'managers' },
            { after: '10m', to: 'second-line' },
            { after: '20m', to: BOSS },
          ],
        }),
      ],
    },
    none: { routes: [escalating({ escalate: undefined })] },
    steps: { routes: [escalating()] },
    moved: {
      set: {
        recipients: { ...LISTS, 'on-call': { people: { carl: CARL } }, managers: { people: { anna: ANNA } } },
      },
    },
  };

  it.each<[string, object, string]>([
    [
      'changes the next step, and none that was taken',
      {},
      '15m > ben: +disk =1 * | carl: +disk =1 *\npublish other; after 5m > boss: +disk =1 *',
    ],
    [
      'that removes the steps leaves resolutions to those who were notified',
      {},
      '10m > ben: +disk =1 * | carl: +disk =1 *\npublish none; 2h; -disk > -disk =0 | ben: -disk =0 | carl: -disk =0',
    ],
    [
      'that adds steps takes those that are due',
      { escalate: undefined },
      '15m; publish steps > ben: +disk =1 * | carl: +disk =1 *',
    ],
  ])(
    'a publish %s',
    (_, over, then) => storyOf({ ...sceneOf(over), published })`
    +disk > +disk =1
    ${then}
  `,
  );

  it('who has left the list is notified again where a step names them', () =>
    staged({ ...sceneOf(), published }, async (one, tell) => {
      await tell`
        +disk         > +disk =1
        publish moved > carl: +disk =1
        30m           > ben: +disk =1 *
      `;
      expect(one.incidents.open.get(DISK)?.held).toBeNull();
    }));
});

it('there is no next step without steps, or once the incident is resolved', () =>
  staged(sceneOf(), async (one, tell) => {
    const steps = one.config.sources.get('alerts')?.routes[0]?.escalate ?? [];
    await tell`+disk > +disk =1`;
    expect(nextStep(one.incident(DISK), steps)).toMatchObject({ step: 1, at: one.now + 10 * MINUTE });
    expect(nextStep(one.incident(DISK), [])).toBeNull();
    await tell`-disk > -disk =0`;
    expect(nextStep(one.incident(DISK), steps)).toBeNull();
  }));
