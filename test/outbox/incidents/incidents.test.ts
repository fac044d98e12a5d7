import { describe, expect, it } from 'vitest';
import { Alarm } from '../../../src/lib/alarm.ts';
import { turn } from '../../eventually.ts';
import { readFact } from '../../../src/outbox/state/facts.ts';
import { diskOf } from '../full-disk.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, LINES, PHONE, route } from './bench.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const grouped = (over: object = {}): object =>
  route({ group: { by: ['{{ item.service }}'], wait: '30s', interval: '5m' }, ...over });

const OTHER = '4915100000001';

const of = (name: string, group = 'db', isResolved = false) => item(name, { group, isResolved });

const bench = (
  body: (bench: IncidentsBench) => Promise<void>,
  routes: readonly object[] = [route()],
  over: object = {},
): Promise<void> => inStorage(({ storage }) => body(new IncidentsBench(storage, routes, over)));

describe('a fault in a transaction that is undone', () => {
  it('leaves an alarm, which looks again', () =>
    inStorage(async ({ storage }) => {
      await storage.deleteAlarm();
      const one = new IncidentsBench(storage, [route()]);
      one.now = Date.now();
      const alarm = new Alarm(storage, () => one.now);
      one.onWake = (at) => alarm.bringForward(at);
      expect(() =>
        storage.transactionSync(() =>
          one.incidents.within(() => {
            throw new Error('it cannot be written');
          }),
        ),
      ).toThrow('it cannot be written');
      await turn();
      expect(await storage.getAlarm()).toBe(one.now + 30 * SECOND);
      await storage.deleteAlarm();
    }));
});

describe('a newer configuration that a webhook brings in a transaction that is undone', () => {
  it('is written down when it is brought again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const one = new IncidentsBench(storage, [route()]);
      one.activation = 2;
      diskOf(sql, (query) => query.includes('INTO incidents')).fails = 1;
      await expect(one.fire('a')).rejects.toThrow('SQLITE_FULL');
      await one.fire('a');
      expect(readFact(sql, 'activation')).toBe('2');
    }));
});

describe('one incident by itself', () => {
  it('is reported when it opens and when it is resolved', () =>
    bench(async (one) => {
      await one.fire('disk');
      await one.fire('disk');
      await one.resolve('disk');
      expect(one.sent).toEqual(['+disk =1', '-disk =0']);
      expect(one.outcomes).toEqual(['notified', 'summarized', 'notified']);
    }));

  it('is reported again after `repeat` while it is open', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(4 * HOUR - 1);
        expect(one.sent).toHaveLength(1);
        await one.pass(1);
        await one.pass(4 * HOUR);
        expect(one.sent).toEqual(['+disk =1', '=1', '=1']);
        await one.resolve('disk');
        await one.pass(DAY);
        expect(one.sent).toHaveLength(4);
      },
      [route({ incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '4h' } })],
    ));

  it('of which nothing is heard is closed quietly, and nobody is paged months later', () =>
    bench(
      async (one) => {
        await one.fire('disk');
        await one.pass(90 * DAY);
        expect(one.sent.length).toBeLessThanOrEqual(1 + 7);
        expect(one.incidents.open.size).toBe(0);
        const before = one.sent.length;
        await one.resolve('disk');
        expect(one.sent).toHaveLength(before);
        expect(one.outcomes.at(-1)).toBe('resolved');
      },
      [route({ incident: { key: '{{ item.name }}', repeat: '1d' } })],
    ));

  it('whose resolution comes first is not reported', () =>
    bench(async (one) => {
      await one.resolve('disk');
      expect(one.messages).toEqual([]);
      expect(one.outcomes).toEqual(['resolved']);
    }));
});

describe('a group', () => {
  it('is one message, one update, and one last', () =>
    bench(
      async (one) => {
        for (let n = 0; n < 12; n += 1) {
          await one.take(of(`a${n}`));
          await one.pass(SECOND);
        }
        expect(one.sent).toEqual([]);
        await one.pass(18 * SECOND);
        expect(one.sent).toEqual([`${Array.from({ length: 12 }, (_, n) => `+a${n}`).join(' ')} =12`]);
        await one.take(of('late'), of('a0', 'db', true));
        await one.pass(5 * MINUTE - SECOND);
        expect(one.sent).toHaveLength(1);
        await one.pass(SECOND);
        expect(one.sent[1]).toBe('+late -a0 =12');
        const rest = [...Array.from({ length: 11 }, (_, n) => `a${n + 1}`), 'late'];
        await one.take(...rest.slice(0, 6).map((name) => of(name, 'db', true)));
        await one.pass(10 * SECOND);
        expect(one.sent).toHaveLength(2);
        await one.take(...rest.slice(6).map((name) => of(name, 'db', true)));
        expect(one.sent[2]).toBe(`${rest.map((name) => `-${name}`).join(' ')} =0`);
        expect(one.outcomes).not.toContain('waiting');
      },
      [grouped()],
    ));

  it('keeps its times over a publish, and is rendered by the configuration then in force', () =>
    bench(
      async (one) => {
        await one.take(of('disk'));
        await one.pass(20 * SECOND);
        for (let n = 0; n < 5; n += 1)
          await one.publish([grouped({ send: { kind: 'text', message: 'NEW {{ count }}' } })]);
        await one.pass(10 * SECOND - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        expect(one.sent).toEqual(['NEW 1']);
      },
      [grouped()],
    ));

  it('keeps its times when the object stops', () =>
    bench(
      async (one) => {
        await one.take(of('disk'));
        await one.pass(20 * SECOND);
        await one.crash();
        await one.pass(10 * SECOND - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        await one.crash();
        await one.take(of('more'));
        await one.crash();
        await one.pass(5 * MINUTE - 1);
        expect(one.sent).toHaveLength(1);
        await one.pass(1);
        expect(one.sent).toEqual(['+disk =1', '+more =2']);
      },
      [grouped()],
    ));

  it('of another receiver, or with other values, is reported by itself', () =>
    bench(
      async (one) => {
        const phones = [PHONE, OTHER];
        await one.take(item('a', { group: 'db', phones }), item('b', { group: 'web', phones }));
        await one.pass(MINUTE);
        expect(one.sent.toSorted()).toEqual(['+a =1', '+a =1', '+b =1', '+b =1']);
      },
      [grouped({ to: [PHONE, OTHER] })],
    ));

  it('shows at most `max`, and counts the rest', () =>
    bench(
      async (one) => {
        await one.take(...Array.from({ length: 30 }, (_, n) => of(`a${n}`)));
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['a28 a29 +28']);
        expect(one.outcomes.filter((outcome) => outcome === 'notified')).toHaveLength(2);
        expect(one.outcomes.filter((outcome) => outcome === 'summarized')).toHaveLength(28);
      },
      [
        grouped({
          group: { wait: '30s', max: 2 },
          send: {
            kind: 'text',
            message: '{% for one in firing %}{{ one.item.name }} {% endfor %}+{{ more }}',
          },
        }),
      ],
    ));

  it('whose template fails is reported in plain words, and the message says why', () =>
    bench(
      async (one) => {
        await one.take(of('disk'));
        await one.publish([grouped({ send: { kind: 'text', message: '{{ first.item.nothing }}' } })]);
        await one.pass(MINUTE);
        expect(one.sent[0]).toContain('disk');
        expect(one.messages[0]?.reason).toContain('is empty');
        expect(one.outcomes).toEqual(['notified']);
      },
      [grouped()],
    ));

  it('whose route is gone is resolved, in one message in plain words, for who was notified', () =>
    bench(
      async (one) => {
        await one.take(of('disk'), of('cpu', 'web'));
        await one.pass(MINUTE);
        await one.take(of('late', 'mail'));
        await one.publish([route({ name: 'other' })]);
        await one.pass(5 * MINUTE);
        expect(one.sent).toHaveLength(3);
        expect(one.sent[2]).toContain('2 resolved');
        expect(one.messages[2]?.reason).toContain('no longer exists');
        expect(one.outcomes).toEqual(['notified', 'notified', 'resolved']);
        expect(one.incidents.open.size).toBe(0);
      },
      [grouped()],
    ));
});

describe('a message that still waits to be sent', () => {
  it('is replaced by a newer state of the same incident', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await one.take(of('a'));
        await one.pass(MINUTE);
        await one.take(of('b'));
        await one.pass(MINUTE);
        expect(one.messages).toHaveLength(1);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual(['+a +b =2']);
        expect(one.outcomes).toEqual(['notified', 'notified']);
      },
      [grouped()],
    ));

  it('is superseded when all that it says is resolved', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.fire('a');
      await one.resolve('a');
      one.isSending = true;
      await one.run();
      expect(one.sent).toEqual([]);
      expect(one.messages.map(({ state }) => state)).toEqual(['superseded']);
      expect(one.outcomes).toEqual(['resolved', 'resolved']);
    }));

  it('holds up other messages of the route to the same receiver only until it is sent', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.fire('a', 'b', 'c');
      expect(one.messages).toHaveLength(1);
      one.isSending = true;
      await one.run();
      expect(one.sent).toEqual(['+a =1', '+b =1', '+c =1']);
    }));
});

describe('a throttle', () => {
  const throttle = [
    { max: 3, per: '10m' },
    { max: 4, per: '1h' },
  ];

  it('makes one digest of what is over it, as soon as there is a place', () =>
    bench(
      async (one) => {
        for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await one.fire(name);
        expect(one.sent).toEqual(['+a =1', '+b =1', '+c =1']);
        await one.pass(10 * MINUTE - 1);
        expect(one.sent).toHaveLength(3);
        await one.pass(1);
        expect(one.sent).toHaveLength(4);
        expect(one.messages[3]?.about).toMatchObject({ form: 'digest', new: 3 });
        await one.fire('g');
        await one.pass(50 * MINUTE - 1);
        expect(one.sent).toHaveLength(4);
        await one.pass(1);
        expect(one.sent).toHaveLength(5);
      },
      [route({ throttle })],
    ));

  it('makes no digest of what comes long after all that was over it is resolved', () =>
    bench(
      async (one) => {
        for (const name of ['a', 'b', 'c', 'd']) await one.fire(name);
        await one.resolve('d');
        await one.pass(DAY);
        await one.fire('e');
        expect(one.sent[3]).toBe('+e =1');
      },
      [route({ throttle })],
    ));

  it('lets the resolution of what was reported pass, and keeps it after a crash', () =>
    bench(
      async (one) => {
        for (const name of ['a', 'b', 'c', 'd']) await one.fire(name);
        await one.crash();
        await one.resolve('d');
        expect(one.sent).toHaveLength(3);
        await one.resolve('a', 'b');
        expect(one.sent).toHaveLength(4);
        expect(one.messages[3]?.about).toMatchObject({ form: 'digest', resolved: 2 });
        expect(one.outcomes).toEqual([
          'notified',
          'notified',
          'notified',
          'resolved',
          'resolved',
          'notified',
          'notified',
        ]);
      },
      [route({ throttle })],
    ));
});

describe('quiet hours', () => {
  const recipients = {
    recipients: {
      team: { numbers: [PHONE], quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' } },
    },
  };
  const NIGHT = Date.UTC(2026, 6, 1, 21); // fixed date: the bench has its own clock
  const MORNING = Date.UTC(2026, 6, 2, 5); // fixed date: the bench has its own clock

  it('end with one message: what is still open, and how many opened and resolved meanwhile', () =>
    bench(
      async (one) => {
        one.now = NIGHT;
        await one.fire('a', 'b', 'c');
        await one.pass(HOUR);
        await one.resolve('a');
        expect(one.sent).toEqual([]);
        await one.pass(MORNING - one.now - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        expect(one.sent).toHaveLength(1);
        expect(one.sent[0]).toContain('2 firing');
        expect(one.sent[0]).toContain('1 opened and resolved meanwhile');
        expect(one.outcomes).toEqual(['resolved', 'notified', 'notified', 'resolved']);
      },
      [route({ to: ['team'] })],
      recipients,
    ));

  it('say in the morning what was resolved, and how many opened and resolved, after a restart as well', () =>
    bench(
      async (one) => {
        await one.fire('a');
        one.now = NIGHT;
        await one.fire('b');
        await one.resolve('b');
        await one.resolve('a');
        expect(one.sent).toEqual(['+a =1']);
        await one.crash();
        await one.pass(MORNING - one.now);
        expect(one.sent).toHaveLength(2);
        expect(one.sent[1]).toContain('1 resolved');
        expect(one.sent[1]).toContain('1 opened and resolved meanwhile');
      },
      [route({ to: ['team'] })],
      recipients,
    ));

  it('do not count what a silence or an open incident takes', () =>
    bench(
      async (one) => {
        one.now = NIGHT;
        const inhibitedBy = ['alerts/cluster/eu'];
        await one.take(item('eu', { route: 'cluster' }));
        await one.take(item('staging'), item('a', { inhibitedBy }), item('b'));
        await one.take(item('staging', { isResolved: true }), item('a', { inhibitedBy, isResolved: true }));
        await one.resolve('b');
        expect(one.outcomes).toEqual([
          'notified',
          'silenced',
          'inhibited',
          'resolved',
          'silenced',
          'inhibited',
          'resolved',
        ]);
        await one.pass(MORNING - one.now);
        expect(one.sent[1]).toContain('1 opened and resolved meanwhile');
      },
      [route({ name: 'cluster' }), route({ to: ['team'] })],
      { ...recipients, silences: { x: { when: 'item.name == "staging"' } } },
    ));

  it('hold resolutions back until the morning, unless the list wants them at once', async () => {
    for (const [resolved, sent] of [
      ['hold', ['+a =1']],
      ['send', ['+a =1', '-a =0']],
    ] as const)
      await bench(
        async (one) => {
          await one.fire('a');
          one.now = NIGHT;
          await one.resolve('a');
          expect(one.sent).toEqual(sent);
          await one.pass(MORNING - one.now);
          expect(one.sent).toEqual(['+a =1', '-a =0']);
        },
        [route({ to: ['team'] })],
        {
          recipients: {
            team: { ...recipients.recipients.team, quiet: { ...recipients.recipients.team.quiet, resolved } },
          },
        },
      );
  });

  it('do not hold messages of high priority', () =>
    bench(
      async (one) => {
        one.now = NIGHT;
        await one.fire('a');
        expect(one.sent).toEqual(['+a =1']);
      },
      [route({ to: ['team'], priority: 'high' })],
      recipients,
    ));

  it('last from evening to morning on the nights with 23 and with 25 hours', async () => {
    for (const [evening, morning] of [
      [Date.UTC(2026, 2, 28, 21, 30), Date.UTC(2026, 2, 29, 5)], // fixed date: the bench has its own clock
      [Date.UTC(2026, 9, 24, 20, 30), Date.UTC(2026, 9, 25, 6)], // fixed date: the bench has its own clock
    ] as const)
      await bench(
        async (one) => {
          one.now = evening;
          await one.fire('a');
          await one.pass(morning - evening - 1);
          expect(one.sent).toEqual([]);
          await one.pass(1);
          expect(one.sent).toEqual(['+a =1']);
        },
        [route({ to: ['team'] })],
        recipients,
      );
  });
});

describe('an incident that is open', () => {
  const routes = [
    route({ name: 'cluster' }),
    route({ incident: { key: '{{ item.name }}', inhibited_by: 'cluster/{{ item.cluster }}' } }),
  ];

  it('holds others back, until it resolves', () =>
    bench(async (one) => {
      const inhibitedBy = ['alerts/cluster/eu'];
      await one.take(item('eu', { route: 'cluster' }));
      await one.take(item('a', { inhibitedBy }), item('b', { inhibitedBy }));
      await one.take(item('a', { inhibitedBy, isResolved: true }));
      expect(one.sent).toEqual(['+eu =1']);
      expect(one.outcomes).toEqual(['notified', 'inhibited', 'waiting', 'inhibited']);
      await one.take(item('eu', { route: 'cluster', isResolved: true }));
      expect(one.sent).toEqual(['+eu =1', '-eu =0', '+b =1']);
    }, routes));

  it('that a person closes is reported as resolved', () =>
    bench(async (one) => {
      await one.fire('a');
      expect(one.incidents.close({ source: 'alerts', route: 'on-call', key: 'a' }, 'token')).toBe(true);
      await one.run();
      expect(one.sent).toEqual(['+a =1', '-a =0']);
      expect(one.incidents.close({ source: 'alerts', route: 'on-call', key: 'a' }, 'token')).toBe(false);
    }));
});

describe('an incident that flaps', () => {
  it('is said once, with its count, and once as resolved', () =>
    bench(
      async (one) => {
        const flapping = { changes: 4, perMs: 30 * MINUTE };
        for (let n = 0; n < 10; n += 1) {
          await one.take(item('a', { flapping, isResolved: n % 2 === 1 }));
          await one.pass(MINUTE);
        }
        expect(one.sent).toEqual(['+a =1', '-a =0', '+a =1', '~4']);
        await one.pass(HOUR);
        expect(one.sent).toEqual(['+a =1', '-a =0', '+a =1', '~4', '-a =0']);
        expect(one.outcomes).not.toContain('waiting');
      },
      [
        route({
          incident: { key: '{{ item.name }}', flapping: { changes: 4, per: '30m' } },
          send: { kind: 'text', message: `{% if flapping %}~{{ changes }}{% else %}${LINES}{% endif %}` },
        }),
      ],
    ));
});

describe('a group of which only what flaps stays open', () => {
  it('keeps its interval, also after a restart', () =>
    bench(
      async (one) => {
        const flapping = { changes: 4, perMs: 6 * HOUR };
        await one.take(item('b', { group: 'db' }));
        for (let n = 0; n < 5; n += 1) {
          await one.take(item('a', { flapping, group: 'db', isResolved: n % 2 === 1 }));
          await one.pass(6 * MINUTE);
        }
        await one.pass(HOUR);
        const before = one.sent.length;
        await one.take(item('b', { group: 'db', isResolved: true }));
        await one.pass(MINUTE);
        expect(one.sent).toHaveLength(before + 1);
        await one.crash();
        await one.take(item('c', { group: 'db' }));
        await one.pass(3 * MINUTE);
        expect(one.sent).toHaveLength(before + 1);
        await one.pass(2 * MINUTE);
        expect(one.sent).toHaveLength(before + 2);
      },
      [
        route({
          incident: { key: '{{ item.name }}', flapping: { changes: 4, per: '6h' } },
          group: { wait: '1s', interval: '5m' },
        }),
      ],
    ));
});

describe('an account', () => {
  it('that has `digest_above` makes one digest of more than that', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await one.fire('a', 'b', 'c', 'd', 'e');
        one.isSending = true;
        await one.run();
        expect(one.messages.map(({ about }) => about?.form)).toEqual(['digest']);
        expect(one.outcomes).not.toContain('waiting');
      },
      [route()],
      { accounts: { default: { digest_above: 3 } } },
    ));
});

const at = (ms: number): string => new Date(ms).toISOString();
const waitOf = (one: IncidentsBench, index = 0) => {
  const place = one.items[index]?.ref;
  return place === undefined ? null : one.incidents.open.waitOf(place);
};

describe('what an item waits for', () => {
  it('is its group, until that is notified; then nothing is waited for', () =>
    bench(
      async (one) => {
        await one.take(of('a'));
        expect(waitOf(one)).toEqual({ for: 'group', until: at(one.now + 30 * SECOND) });
        await one.pass(30 * SECOND);
        expect(one.sent).toHaveLength(1);
        await one.take(of('a', 'db', true));
        expect(waitOf(one)).toBeNull();
      },
      [grouped()],
    ));

  it('is the end of quiet hours, and not reported before', () =>
    bench(
      async (one) => {
        one.now = Date.UTC(2026, 6, 1, 21); // fixed date: the bench has its own clock
        await one.fire('a');
        const morning = Date.UTC(2026, 6, 2, 5); // fixed date: the bench has its own clock
        expect(waitOf(one)).toEqual({ for: 'quiet', until: at(morning) });
        await one.pass(morning - one.now - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        expect(one.sent).toHaveLength(1);
      },
      [route({ to: ['team'] })],
      {
        recipients: {
          team: { numbers: [PHONE], quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' } },
        },
      },
    ));

  it('is the throttle of its route', () =>
    bench(
      async (one) => {
        const { now } = one;
        await one.fire('a');
        await one.fire('b');
        expect(waitOf(one, 1)).toEqual({ for: 'throttle', until: at(now + HOUR) });
      },
      [route({ throttle: [{ max: 1, per: '1h' }] })],
    ));
});
