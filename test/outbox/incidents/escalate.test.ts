import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../src/outbox/incidents/escalation.ts';
import { HOUR, MINUTE, SECOND } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route } from './bench.ts';

const BEN = '4915100000002';
const CARLA = '4915100000003';
const BOSS = '4915100000004';

const DISK = { source: 'alerts', route: 'on-call', key: 'disk' };

const LISTS = {
  recipients: {
    'on-call': { people: { anna: PHONE } },
    'second-line': { people: { ben: BEN, carla: CARLA } },
    managers: { numbers: [BOSS] },
    nobody: { numbers: [] },
  },
};

const STEPS = [
  { after: '10m', to: ['second-line'] },
  { after: '30m', to: ['managers'] },
];

const escalating = (over: object = {}): object => route({ to: 'on-call', escalate: STEPS, ...over });

const bench = (
  body: (one: IncidentsBench) => Promise<void>,
  routes: readonly object[] = [escalating()],
  over: object = {},
): Promise<void> =>
  inStorage(({ storage }) => body(new IncidentsBench(storage, routes, { ...LISTS, ...over })));

const NAMES: Readonly<Record<string, string>> = {
  [PHONE]: 'anna',
  [BEN]: 'ben',
  [CARLA]: 'carla',
  [BOSS]: 'boss',
};

/** The names of those who got a message, in order. */
const heard = (one: IncidentsBench): readonly string[] =>
  one.messages.filter(({ state }) => state === 'sent').map(({ phone }) => NAMES[phone ?? ''] ?? '');

/** The last text that somebody got. */
const lastTo = (one: IncidentsBench, phone: string): string =>
  one.messages.findLast((message) => message.phone === phone && message.state === 'sent')?.text ?? '';

/** An item of the group of databases. */
const of = (name: string) => item(name, { group: 'db' });

const silences = (until: number) => ({
  silences: { work: { when: 'key == "disk"', until: new Date(until).toISOString() } },
});

describe('an incident that nobody acknowledges', () => {
  it('takes no step if it expired unsaid while the alarm was late', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        one.now += 30 * 24 * HOUR;
        await one.run();
        expect(heard(one)).toEqual([]);
        expect(one.incidents.open.size).toBe(0);
      },
      [escalating({ group: { wait: '5m', interval: '5m' } })],
    ));

  it('escalates step by step, each once, and its resolution goes to all of them', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(10 * MINUTE - 1);
      expect(heard(one)).toEqual(['anna']);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
      await one.pass(20 * MINUTE - 1);
      expect(heard(one)).toHaveLength(3);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss']);
      await one.pass(24 * HOUR);
      expect(heard(one)).toHaveLength(4);
      await one.resolve('disk');
      expect(heard(one).slice(4).toSorted()).toEqual(['anna', 'ben', 'boss', 'carla']);
      expect(one.incidents.open.size).toBe(0);
    }));

  it('says to whom it escalates since when nobody has acknowledged it, and who was notified when', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(10 * MINUTE);
      expect(lastTo(one, BEN)).toBe('+disk =1\nNot acknowledged since 12:00 PM. Notified: anna (12:00 PM).');
      await one.pass(20 * MINUTE);
      expect(lastTo(one, BOSS)).toBe(
        '+disk =1\nNot acknowledged since 12:00 PM. Notified: anna (12:00 PM), ben (12:10 PM), carla (12:10 PM).',
      );
    }));

  it('names those who were notified at the same moment by name, whatever the order of their list', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(30 * MINUTE);
        expect(lastTo(one, BOSS)).toMatch(/ ben \(12:10\sPM\), carla \(12:10\sPM\)\.$/u);
      },
      [escalating()],
      { recipients: { ...LISTS.recipients, 'second-line': { people: { carla: CARLA, ben: BEN } } } },
    ));

  it('says so in the template’s own words where it has some', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        expect(lastTo(one, BEN)).toBe('disk, step 1 after 10 min: anna');
        expect(lastTo(one, PHONE)).toBe('disk');
      },
      [
        escalating({
          send: {
            kind: 'text',
            message:
              '{{ item.name }}{% if escalation %}, step {{ escalation.step }} after {{ escalation.minutes }} min: {{ escalation.notified | pluck: "name" | join }}{% endif %}',
          },
        }),
      ],
    ));

  it('is repeated to those who were notified by a step, too, until somebody has it', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(HOUR + 10 * MINUTE);
        expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss', 'anna', 'ben', 'carla']);
        expect(lastTo(one, BEN)).toBe('=1');
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(20 * HOUR);
        expect(heard(one)).toHaveLength(7);
      },
      [escalating({ incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '1h' } })],
    ));

  it('that is resolved before a step notifies nobody by it', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(10 * MINUTE - 1);
      await one.resolve('disk');
      await one.pass(HOUR);
      expect(heard(one)).toEqual(['anna', 'anna']);
    }));

  it('that opens again starts at its first step', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(15 * MINUTE);
      await one.resolve('disk');
      await one.fire('disk');
      const before = heard(one).length;
      await one.pass(10 * MINUTE - 1);
      expect(heard(one)).toHaveLength(before);
      await one.pass(20 * MINUTE + 1);
      expect(heard(one).slice(before)).toEqual(['ben', 'carla', 'boss']);
    }));

  it('that opens again while its resolution is on its way starts at its first step', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(15 * MINUTE);
      one.ends = 'failed';
      await one.resolve('disk');
      await one.fire('disk');
      one.ends = 'sent';
      expect(one.incident({ ...DISK, phone: PHONE }).openedAt).toBeLessThan(one.now);
      expect(one.incident({ ...DISK, phone: PHONE }).escalation).toMatchObject({ from: one.now, taken: [] });
      await one.retry();
      await one.pass(10 * MINUTE);
      expect(one.incident({ ...DISK, phone: PHONE }).escalation?.taken).toHaveLength(1);
    }));
});

describe('an incident that somebody has', () => {
  it('does not escalate, whenever that was', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(9 * MINUTE);
      one.incidents.acknowledge(DISK, 'anna');
      await one.pass(24 * HOUR - 1);
      expect(heard(one)).toEqual(['anna']);
    }));

  it('begins again after `acknowledged_for`: reminders, and steps from the first one', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(HOUR);
        expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss']);
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(2 * HOUR - 1);
        expect(heard(one)).toHaveLength(4);
        await one.pass(1);
        expect(heard(one).slice(4)).toEqual(['anna']);
        expect(one.incident({ ...DISK, phone: PHONE }).acknowledged).toBeNull();
        await one.pass(10 * MINUTE - 1);
        await one.crash();
        expect(heard(one)).toHaveLength(5);
        await one.pass(1);
        expect(heard(one).slice(5)).toEqual(['ben', 'carla']);
        expect(lastTo(one, BEN)).toMatch(/^\+disk =1\nNot acknowledged since/);
        await one.pass(20 * MINUTE);
        expect(heard(one).slice(7)).toEqual(['boss']);
        await one.pass(24 * HOUR);
        expect(heard(one)).toHaveLength(8);
        await one.resolve('disk');
        expect(heard(one).slice(8).toSorted()).toEqual(['anna', 'ben', 'boss', 'carla']);
      },
      [escalating({ acknowledged_for: '2h' })],
    ));

  it('leaves those of a step with the resolution, if it ends before the step is taken again', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(2 * HOUR + MINUTE);
        await one.resolve('disk');
        expect(heard(one).slice(3).toSorted()).toEqual(['anna', 'anna', 'ben', 'carla']);
      },
      [escalating({ acknowledged_for: '2h' })],
    ));

  it('begins again for all its receivers at the same moment, however late the alarm is', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        one.now += 2 * HOUR + 15 * MINUTE;
        await one.run();
        expect(heard(one).slice(3).toSorted()).toEqual(['anna', 'ben', 'carla']);
        await one.pass(15 * MINUTE);
        expect(heard(one).slice(6)).toEqual(['boss']);
      },
      [escalating({ acknowledged_for: '2h' })],
    ));

  it('begins again when a silence ends that began meanwhile', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(HOUR);
        await one.publish([escalating({ acknowledged_for: '2h' })], {
          ...LISTS,
          ...silences(one.now + 3 * HOUR),
        });
        await one.pass(3 * HOUR - 1);
        expect(heard(one)).toHaveLength(3);
        await one.pass(1);
        expect(heard(one).slice(3)).toEqual(['anna']);
        await one.pass(10 * MINUTE);
        expect(heard(one).slice(4)).toEqual(['ben', 'carla']);
      },
      [escalating({ acknowledged_for: '2h' })],
    ));

  it('that is acknowledged again is theirs for as long again, and none of that time counts', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(8 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(HOUR);
        one.incidents.acknowledge(DISK, 'ben');
        await one.pass(2 * HOUR - 1);
        expect(one.incident({ ...DISK, phone: PHONE }).acknowledged?.by).toBe('anna');
        expect(heard(one)).toEqual(['anna']);
        await one.pass(10 * MINUTE);
        expect(heard(one)).toEqual(['anna', 'anna']);
        await one.pass(1);
        expect(heard(one)).toEqual(['anna', 'anna', 'ben', 'carla']);
      },
      [escalating({ acknowledged_for: '2h' })],
    ));

  it('goes on where it was when that is taken back', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(9 * MINUTE);
      one.incidents.acknowledge(DISK, 'anna');
      await one.pass(MINUTE);
      one.incidents.giveBack(DISK, 'anna');
      await one.run();
      expect(heard(one)).toEqual(['anna']);
      await one.pass(MINUTE - 1);
      expect(heard(one)).toHaveLength(1);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
    }));

  it('escalates from then on when the last one takes it back, however long the others had said that they have it', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(MINUTE);
        one.incidents.acknowledge(DISK, 'ben');
        await one.pass(30 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        await one.pass(59 * MINUTE);
        // His hour is over, and until now it was hers.
        one.incidents.giveBack(DISK, 'anna');
        await one.pass(10 * MINUTE - 1);
        expect(heard(one)).toEqual(['anna', 'anna']);
        await one.pass(1);
        expect(heard(one)).toEqual(['anna', 'anna', 'ben', 'carla']);
      },
      [escalating({ acknowledged_for: '1h' })],
    ));

  it('is not sent to those whom a step was to notify and whose message was not sent yet, nor is its resolution', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.isSending = false;
      await one.pass(10 * MINUTE);
      expect(one.waiting.map(({ phone }) => phone)).toEqual([BEN, CARLA]);
      one.incidents.acknowledge(DISK, 'anna');
      one.isSending = true;
      await one.run();
      expect(heard(one)).toEqual(['anna']);
      await one.resolve('disk');
      expect(heard(one)).toEqual(['anna', 'anna']);
      expect(one.incidents.open.size).toBe(0);
    }));

  it('is named in no other message to those whom a step did not notify in time', () =>
    bench(
      async (one) => {
        await one.take(of('cpu'));
        await one.pass(5 * MINUTE);
        await one.take(of('disk'));
        await one.pass(6 * MINUTE);
        expect(lastTo(one, BEN)).toMatch(/^\+cpu =1\n/u);
        one.isSending = false;
        await one.pass(5 * MINUTE);
        one.incidents.acknowledge(DISK, 'anna');
        one.isSending = true;
        await one.take(item('cpu', { group: 'db', isResolved: true }));
        await one.pass(MINUTE);
        expect(lastTo(one, PHONE)).toBe('-cpu =1');
        expect(lastTo(one, BEN)).toBe('-cpu =0');
        const before = heard(one).length;
        await one.resolve('disk');
        await one.pass(MINUTE);
        expect(heard(one).slice(before)).toEqual(['anna']);
      },
      [escalating({ group: { wait: '1s', interval: '1s' } })],
    ));

  it('may have been notified by a step: then its resolution is', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.ends = 'uncertain';
      await one.pass(10 * MINUTE);
      one.incidents.acknowledge(DISK, 'anna');
      one.ends = 'sent';
      await one.retry();
      expect(heard(one)).toEqual(['anna']);
      await one.resolve('disk');
      expect(heard(one).toSorted()).toEqual(['anna', 'anna', 'ben', 'carla']);
    }));
});

describe('a step', () => {
  it('is taken at any hour, and passes a throttle', () =>
    bench(
      async (one) => {
        one.now = Date.UTC(2026, 6, 1, 3); // fixed date: the bench's own clock
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        expect(heard(one)).toEqual(['ben', 'carla']);
        await one.take(item('cpu'));
        await one.pass(10 * MINUTE);
        expect(heard(one)).toEqual(['ben', 'carla', 'ben', 'carla']);
        expect(lastTo(one, BEN)).toMatch(/^\+cpu =1\nNot acknowledged since 3:10\sAM\.$/u);
        await one.pass(5 * HOUR);
        expect(heard(one).filter((name) => name === 'anna')).toHaveLength(1);
      },
      [
        escalating({
          quiet: { from: '22:00', to: '07:00', timezone: 'UTC' },
          throttle: { max: 1, per: '1d' },
          escalate: [{ after: '10m', to: 'second-line' }],
        }),
      ],
    ));

  it('notifies whom quiet hours held back until then', () =>
    bench(
      async (one) => {
        one.now = Date.UTC(2026, 6, 1, 3); // fixed date: the bench's own clock
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        expect(heard(one)).toEqual(['anna']);
      },
      [
        escalating({
          quiet: { from: '22:00', to: '07:00', timezone: 'UTC' },
          escalate: [{ after: '10m', to: 'on-call' }],
        }),
      ],
    ));

  it('notifies nobody who knows', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(HOUR);
        expect(heard(one)).toEqual(['anna', 'boss']);
      },
      [
        escalating({
          escalate: [
            { after: '10m', to: ['on-call', 'managers'] },
            { after: '20m', to: 'managers' },
          ],
        }),
      ],
    ));

  it('of many incidents whose messages a throttle would hold back is one message', () =>
    bench(
      async (one) => {
        await one.fire('a', 'b', 'c');
        await one.pass(10 * MINUTE);
        expect(one.messages.filter(({ phone }) => phone === BOSS)).toHaveLength(2);
        expect(lastTo(one, BOSS)).toContain('2 firing:');
        // Anna was notified of the first one only.
        expect(lastTo(one, BOSS)).toMatch(/\nNot acknowledged since 12:00\sPM\.$/u);
      },
      [escalating({ throttle: { max: 1, per: '1d' }, escalate: [{ after: '10m', to: 'managers' }] })],
    ));

  it('of a group is one message, by its template', () =>
    bench(
      async (one) => {
        await one.take(of('a'), of('b'));
        await one.pass(10 * MINUTE);
        expect(lastTo(one, BOSS)).toMatch(/^\+a \+b =2\nNot acknowledged since/);
        await one.take(of('c'));
        await one.pass(10 * MINUTE);
        expect(lastTo(one, BOSS)).toMatch(/^\+c =3\nNot acknowledged since 12:10/);
        expect(one.messages.filter(({ phone }) => phone === BOSS)).toHaveLength(2);
      },
      [
        escalating({
          group: { by: ['{{ item.service }}'], wait: '30s', interval: '5m' },
          escalate: [{ after: '10m', to: 'managers' }],
        }),
      ],
    ));

  it('without receivers gives way to the next one at once, and the owner is to know', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(10 * MINUTE);
        expect(heard(one)).toEqual(['anna', 'boss']);
        expect(one.nobody).toEqual(['disk 1']);
        await one.pass(HOUR);
        expect(heard(one)).toEqual(['anna', 'boss']);
        expect(one.nobody).toEqual(['disk 1', 'disk 3']);
        expect(one.incident({ ...DISK, phone: BOSS }).escalation?.taken).toMatchObject([
          { step: 1, to: [] },
          { step: 2, to: ['managers'] },
          { step: 3, to: [] },
        ]);
      },
      [
        escalating({
          escalate: [
            { after: '10m', to: 'nobody' },
            { after: '30m', to: 'managers' },
            { after: '40m', to: 'nobody' },
          ],
        }),
      ],
    ));

  it('is taken at once if all receivers have opted out, and says so; the next ones in their time', () =>
    bench(async (one) => {
      await one.optOut(PHONE);
      await one.fire('disk');
      expect(heard(one)).toEqual(['ben', 'carla']);
      expect(lastTo(one, BEN)).toBe('+disk =1\nNot acknowledged since 12:00 PM. Opted out: anna.');
      await one.crash();
      await one.pass(30 * MINUTE - 1);
      expect(heard(one)).toHaveLength(2);
      await one.pass(1);
      expect(heard(one)).toEqual(['ben', 'carla', 'boss']);
      expect(lastTo(one, BOSS)).toBe(
        '+disk =1\nNot acknowledged since 12:00 PM. Notified: ben (12:00 PM), carla (12:00 PM). Opted out: anna.',
      );
      expect(one.nobody).toEqual([]);
    }));

  it('gives way at once where those of the route and of the step have opted out', () =>
    bench(async (one) => {
      await one.optOut(PHONE, BEN, CARLA);
      await one.fire('disk');
      expect(heard(one)).toEqual(['boss']);
      expect(one.nobody).toEqual(['disk 1']);
    }));

  it('waits for its time where one receiver has not opted out, or knew before they did', () =>
    bench(
      async (one) => {
        await one.optOut(PHONE);
        await one.fire('disk');
        expect(heard(one)).toEqual(['boss']);
        await one.optOut(PHONE, BOSS);
        await one.pass(10 * MINUTE - 1);
        expect(heard(one)).toEqual(['boss']);
        await one.pass(1);
        expect(heard(one)).toEqual(['boss', 'ben', 'carla']);
      },
      [escalating({ to: ['on-call', 'managers'] })],
    ));

  it('waits for its time where its route also reaches those who have opted out', () =>
    bench(
      async (one) => {
        await one.optOut(PHONE);
        await one.fire('disk');
        expect(heard(one)).toEqual(['anna']);
      },
      [escalating({ transactional: true })],
    ));

  it('is taken once those who were still to be notified have opted out', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.fire('disk');
      await one.pass(MINUTE);
      one.isSending = true;
      await one.optOut(PHONE);
      expect(heard(one)).toEqual(['ben', 'carla']);
    }));

  it('whose message is dead is still owed, and the other steps go on', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.ends = 'refused for good';
      await one.pass(10 * MINUTE);
      expect(heard(one)).toEqual(['anna']);
      one.ends = 'sent';
      await one.pass(6 * MINUTE);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
      await one.pass(14 * MINUTE);
      expect(heard(one).at(-1)).toBe('boss');
    }));
});

describe('an incident that is held back', () => {
  it('from its opening on does not escalate; its steps are counted from the end of that', () =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [escalating()], LISTS);
      await one.publish([escalating()], { ...LISTS, ...silences(one.now + HOUR) });
      await one.fire('disk');
      await one.pass(HOUR - 1);
      expect(heard(one)).toEqual([]);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna']);
      await one.pass(10 * MINUTE - 1);
      expect(heard(one)).toEqual(['anna']);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
    }));

  it('later goes on where it was, also over a restart', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(8 * MINUTE);
      await one.publish([escalating()], { ...LISTS, ...silences(one.now + HOUR) });
      await one.pass(30 * MINUTE);
      await one.crash();
      await one.pass(30 * MINUTE);
      expect(heard(one)).toEqual(['anna']);
      await one.pass(2 * MINUTE - 1);
      expect(heard(one)).toEqual(['anna']);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
    }));

  it('by another incident does not escalate until that one is resolved', () =>
    bench(
      async (one) => {
        await one.take(item('cluster', { phones: [CARLA], route: 'cluster' }));
        await one.take(item('disk', { inhibitedBy: ['alerts/cluster/cluster'] }));
        await one.pass(HOUR);
        expect(heard(one)).toEqual(['carla']);
        await one.take(item('cluster', { phones: [CARLA], route: 'cluster', isResolved: true }));
        expect(heard(one)).toEqual(['carla', 'carla', 'anna']);
        await one.pass(10 * MINUTE);
        expect(heard(one).slice(3)).toEqual(['boss']);
      },
      [escalating({ escalate: [{ after: '10m', to: 'managers' }] }), route({ name: 'cluster', to: CARLA })],
    ));
});

describe('what happens between the steps', () => {
  it('a restart forgets none and repeats none', () =>
    bench(async (one) => {
      await one.fire('disk');
      for (let minute = 0; minute < 60; minute += 1) {
        await one.pass(MINUTE);
        await one.crash();
      }
      expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss']);
      await one.resolve('disk');
      expect(heard(one).slice(4).toSorted()).toEqual(['anna', 'ben', 'boss', 'carla']);
    }));

  it('a pause over two steps makes each of them once, in order', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.now += 2 * HOUR;
      await one.crash();
      await one.pass(SECOND);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss']);
      expect(lastTo(one, BOSS)).toContain('ben (2:00 PM), carla (2:00 PM)');
    }));

  it('a publish changes the next step, and none that was taken', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(15 * MINUTE);
      const steps = [
        { after: '5m', to: 'managers' },
        { after: '10m', to: 'second-line' },
        { after: '20m', to: BOSS },
      ];
      await one.publish([escalating({ escalate: steps })], LISTS);
      await one.pass(5 * MINUTE - 1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
      await one.pass(1);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla', 'boss']);
    }));

  it('a publish that removes the steps leaves resolutions to those who were notified', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.pass(10 * MINUTE);
      await one.publish([escalating({ escalate: undefined })], LISTS);
      await one.pass(2 * HOUR);
      expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
      await one.resolve('disk');
      expect(heard(one).slice(3).toSorted()).toEqual(['anna', 'ben', 'carla']);
    }));

  it('a publish that adds steps takes those that are due', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(15 * MINUTE);
        await one.publish([escalating()], LISTS);
        expect(heard(one)).toEqual(['anna', 'ben', 'carla']);
      },
      [escalating({ escalate: undefined })],
    ));

  it('who has left the list is notified again where a step names them', () =>
    bench(async (one) => {
      await one.fire('disk');
      const moved = {
        ...LISTS.recipients,
        'on-call': { people: { carla: CARLA } },
        managers: { people: { anna: PHONE } },
      };
      await one.publish([escalating()], { recipients: moved });
      expect(heard(one)).toEqual(['anna', 'carla']);
      await one.pass(30 * MINUTE);
      expect(heard(one)).toEqual(['anna', 'carla', 'ben']);
      expect(one.incidents.open.get({ ...DISK, phone: PHONE })?.held).toBeNull();
    }));
});

describe('the next step', () => {
  it('is there for a route without an open incident as little as without steps', () =>
    bench(async (one) => {
      await one.fire('disk');
      const incident = one.incident({ ...DISK, phone: PHONE });
      const steps = one.config.sources.get('alerts')?.routes[0]?.escalate ?? [];
      expect(nextStep(incident, steps)).toMatchObject({ step: 1, at: one.now + 10 * MINUTE });
      expect(nextStep(incident, [])).toBeNull();
      await one.resolve('disk');
      expect(nextStep(one.incident({ ...DISK, phone: PHONE }), steps)).toBeNull();
    }));
});
