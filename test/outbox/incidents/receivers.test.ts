import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE as ANNA, route } from './bench.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BEN = '4915112345679';
const CARL = '4915112345670';

/** The bench begins at noon of the day on which Anna is on call. She hands over to Ben at midnight, and so on. */
const TURNS = { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' }; // fixed date: its own clock
const listOf = (rotation: object = {}, over: object = {}): object => ({
  recipients: {
    team: { people: { anna: ANNA, ben: BEN, carl: CARL }, rotation: { ...TURNS, ...rotation }, ...over },
  },
});

const bench = (
  body: (one: IncidentsBench, storage: DurableObjectStorage) => Promise<void>,
  over: object = {},
  list: object = listOf(),
): Promise<void> =>
  inStorage(({ storage }) =>
    body(new IncidentsBench(storage, [route({ to: 'team', ...over })], list), storage),
  );

const incident = (over: object) => ({
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over },
});

/** The messages that a person was sent, oldest first. */
const to = (one: IncidentsBench, phone: string): readonly string[] =>
  one.messages
    .filter((message) => message.phone === phone && message.state === 'sent')
    .map(({ text }) => text.trim());

describe('a handover', () => {
  it('notifies the next person of what is open, in one message, when it is time', () =>
    bench(async (one) => {
      await one.fire('a', 'b', 'c');
      await one.resolve('c');
      expect(to(one, ANNA)).toHaveLength(4);
      await one.pass(12 * HOUR - 1);
      expect(to(one, BEN)).toEqual([]);
      await one.pass(1);
      expect(to(one, BEN)).toEqual([expect.stringMatching(/b\n• a/)]);
      expect(to(one, BEN).join()).not.toContain('c ');
      await one.pass(DAY - 1);
      expect(to(one, BEN)).toHaveLength(1);
    }));

  it('of one incident sends the message of its route', () =>
    bench(async (one) => {
      await one.fire('a');
      await one.pass(12 * HOUR);
      expect(to(one, BEN)).toEqual(['+a =1']);
    }));

  it('of which nothing is open says nothing', () =>
    bench(async (one) => {
      await one.fire('a');
      await one.resolve('a');
      await one.pass(5 * DAY);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));

  it('leaves the one before with resolutions, and without repeats', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.pass(20 * HOUR);
        expect(to(one, ANNA)).toEqual(['+a =1', '=1', '=1']);
        expect(to(one, BEN)).toEqual(['+a =1', '=1', '=1']);
        await one.take(item('b', { phones: [BEN] }));
        await one.take(item('a', { phones: [BEN], isResolved: true }));
        await one.pass(3 * HOUR);
        expect(to(one, ANNA)).toEqual(['+a =1', '=1', '=1', '-a =0']);
        expect(to(one, BEN).slice(3)).toEqual(['+b =1', '-a =0']);
      },
      incident({ repeat: '4h' }),
    ));

  it('back to somebody who was notified in an earlier turn notifies them again, once', () =>
    bench(async (one) => {
      await one.fire('a');
      await one.pass(DAY + 13 * HOUR);
      expect(to(one, ANNA)).toEqual(['+a =1', '+a =1']);
      await one.crash();
      await one.pass(HOUR);
      expect(to(one, ANNA)).toEqual(['+a =1', '+a =1']);
      await one.take(item('a', { phones: [ANNA], isResolved: true }));
      expect(to(one, ANNA).at(-1)).toBe('-a =0');
      expect(to(one, BEN)).toEqual(['+a =1', '-a =0']);
    }));

  it('that happens while the object is stopped is made up for when it starts', () =>
    bench(async (one) => {
      await one.fire('a');
      one.restart();
      one.now += 13 * HOUR;
      one.incidents.lookAtAll();
      await one.run();
      expect(to(one, BEN)).toEqual(['+a =1']);
      await one.crash();
      await one.pass(HOUR);
      expect(to(one, BEN)).toEqual(['+a =1']);
    }));

  it('sets the alarm for itself', () =>
    bench(async (one) => {
      await one.fire('a');
      expect(one.incidents.nextAt()).toBe(Date.UTC(2026, 6, 2)); // fixed date: its own clock
      await one.resolve('a');
    }));

  it('is not missed by an opening that waits, and was for the one before', () =>
    bench(
      async (one) => {
        await one.pass(12 * HOUR - 10_000);
        await one.take(item('a', { group: 'db' }));
        await one.pass(MINUTE);
        expect(to(one, ANNA)).toEqual([]);
        expect(to(one, BEN)).toEqual(['+a =1']);
        await one.take(item('a', { phones: [BEN], group: 'db', isResolved: true }));
        await one.pass(MINUTE);
        expect(to(one, ANNA)).toEqual([]);
        expect(to(one, BEN)).toEqual(['+a =1', '-a =0']);
      },
      { group: { wait: '30s' } },
    ));

  it('supersedes a message that waits for the one before, and the next one gets it', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.fire('a');
      await one.pass(12 * HOUR);
      one.isSending = true;
      await one.run();
      expect(one.messages.map(({ phone, state }) => [phone, state])).toEqual([
        [ANNA, 'superseded'],
        [BEN, 'sent'],
      ]);
    }));

  it('during a call leaves the one before with the resolution, if the message may have arrived', () =>
    bench(async (one) => {
      one.ends = null;
      await one.fire('a');
      one.isSending = false;
      await one.pass(12 * HOUR);
      await one.end('uncertain');
      Object.assign(one, { isSending: true, ends: 'sent' });
      await one.run();
      expect(to(one, BEN)).toEqual(['+a =1']);
      await one.take(item('a', { phones: [BEN], isResolved: true }));
      await one.retry();
      await one.pass(MINUTE);
      expect(to(one, ANNA)).toEqual(['-a =0']);
      expect(to(one, BEN)).toEqual(['+a =1', '-a =0']);
    }));

  it('is not missed by an item that was routed before it, and comes after it', () =>
    bench(async (one) => {
      await one.fire('old');
      await one.pass(12 * HOUR);
      await one.take(item('late', { phones: [ANNA] }));
      await one.pass(MINUTE);
      expect(to(one, ANNA)).toEqual(['+old =1']);
      expect(to(one, BEN)).toEqual(['+old =1', '+late =1']);
    }));

  it('leaves an item that belongs to no incident with whoever was on call when it came', () =>
    bench(
      async (one) => {
        await one.pass(12 * HOUR - 10_000);
        await one.take({ value: '{"name":"a"}', group: 'db' });
        await one.pass(MINUTE);
        expect(to(one, ANNA)).toEqual(['+a =1']);
        expect(to(one, BEN)).toEqual([]);
      },
      { incident: undefined, group: { wait: '30s' } },
    ));

  it('in quiet hours notifies when they are over', () =>
    bench(
      async (one) => {
        await one.fire('a', 'b');
        await one.pass(12 * HOUR);
        expect(to(one, BEN)).toEqual([]);
        await one.pass(7 * HOUR);
        expect(to(one, BEN)).toEqual([expect.stringMatching(/b\n• a/)]);
      },
      {},
      listOf({}, { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } }),
    ));

  it('is at the same local time on the day of a clock change', () =>
    bench(
      async (one) => {
        // Berlin's clock goes back on 25 October: the turn has 25 hours.
        one.now = Date.UTC(2026, 9, 24, 12); // fixed date: its own clock
        await one.fire('a');
        const [, , third] = [0, 1, 2].map(() => one.incidents.nextAt());
        expect(third).toBe(Date.UTC(2026, 9, 25, 8)); // fixed date: its own clock
        await one.pass(20 * HOUR - 1);
        expect(to(one, BEN)).toEqual([]);
        await one.pass(1);
        expect(to(one, BEN)).toEqual(['+a =1']);
      },
      {},
      // On 24 October Anna has the turn.
      listOf({ from: '2026-10-24T09:00', timezone: 'Europe/Berlin' }), // fixed date: its own clock
    ));
});

describe('a handover in the list of a step', () => {
  const BOSS = '4915112345671';
  const escalating = (over: object = {}): object => ({
    to: BOSS,
    escalate: [{ after: '10m', to: ['team'] }],
    ...incident({ repeat: '4h' }),
    ...over,
  });

  it('notifies the next person of what is open, and the one before gets no more repeats', () =>
    bench(async (one) => {
      await one.fire('a', 'b');
      await one.pass(10 * MINUTE);
      await one.resolve('b');
      expect(to(one, ANNA)).toHaveLength(3);
      await one.pass(12 * HOUR - 10 * MINUTE - 1);
      expect(to(one, BEN)).toEqual([]);
      const before = to(one, ANNA).length;
      await one.pass(1);
      expect(to(one, BEN)).toEqual([
        expect.stringMatching(/^\+a =1\nNot acknowledged since 7\/1\/26, 12:00\sPM\. Notified: anna /u),
      ]);
      await one.pass(9 * HOUR);
      expect(to(one, ANNA)).toHaveLength(before);
      expect(to(one, BEN).slice(1)).toEqual(['=1', '=1']);
      await one.take(item('a', { phones: [BOSS], isResolved: true }));
      for (const phone of [ANNA, BEN, BOSS]) expect(to(one, phone).at(-1)).toBe('-a =0');
    }, escalating()));

  it('back to somebody who was notified in an earlier turn notifies them again, once', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.pass(10 * MINUTE);
        await one.pass(DAY + 12 * HOUR - 10 * MINUTE);
        expect(to(one, ANNA)).toHaveLength(2);
        await one.crash();
        await one.pass(HOUR);
        expect(to(one, ANNA)).toHaveLength(2);
        expect(to(one, BEN)).toHaveLength(1);
      },
      escalating(incident({})),
    ));

  it('says nothing before the step is taken, and nothing while somebody has the incident', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.pass(12 * HOUR);
        expect(to(one, BEN)).toEqual([]);
        await one.pass(HOUR);
        expect(to(one, BEN)).toHaveLength(1);
        const name = { source: 'alerts', route: 'on-call', key: 'a' };
        one.incidents.acknowledge(name, 'ben');
        await one.pass(23 * HOUR + 30 * MINUTE);
        expect(to(one, ANNA)).toEqual([]);
        one.incidents.giveBack(name, 'ben');
        await one.run();
        expect(to(one, ANNA)).toHaveLength(1);
        expect(to(one, BEN)).toHaveLength(1);
      },
      escalating({ ...incident({}), escalate: [{ after: '13h', to: ['team'] }] }),
    ));

  it('calls somebody who was notified as one of the route’s own list before', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.pass(HOUR);
        expect(to(one, BEN)).toHaveLength(1);
        await one.publish([route({ ...escalating(), to: [BOSS, CARL] })], listOf());
        await one.pass(11 * HOUR);
        expect(to(one, ANNA).length).toBeGreaterThan(1);
        const before = to(one, BEN).length;
        await one.pass(5 * HOUR);
        expect(to(one, BEN).length).toBeGreaterThan(before);
      },
      { ...escalating(), to: [BOSS, BEN] },
    ));

  it('is also a publish that adds somebody to the list of a step that was taken', () =>
    bench(async (one) => {
      await one.fire('a');
      await one.pass(HOUR);
      const recipients = { team: { people: { anna: ANNA, carl: CARL } } };
      await one.publish([route(escalating())], { recipients });
      expect(to(one, CARL)).toEqual([expect.stringMatching(/^\+a =1\nNot acknowledged since/)]);
      expect(to(one, ANNA)).toHaveLength(1);
    }, escalating()));
});

describe('an override', () => {
  const overrides = [{ person: 'carl', from: '2026-07-01T13:00', to: '2026-07-01T15:00' }]; // fixed date: its own clock

  it('hands over when it begins and when it ends', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.pass(HOUR);
        expect(to(one, CARL)).toEqual(['+a =1']);
        await one.take(item('b', { phones: [CARL] }));
        await one.pass(2 * HOUR);
        expect(to(one, ANNA)[1]).toMatch(/b\n• a/);
        expect(to(one, ANNA)).toHaveLength(2);
      },
      {},
      listOf({ overrides }),
    ));

  it('that is published hands over at once, and once if it is published twice', () =>
    bench(async (one) => {
      await one.fire('a');
      one.now += HOUR + MINUTE;
      for (let times = 0; times < 2; times++) {
        await one.publish([route({ to: 'team' })], listOf({ overrides }));
        await one.pass(MINUTE);
      }
      expect(to(one, CARL)).toEqual(['+a =1']);
      expect(to(one, ANNA)).toEqual(['+a =1']);
    }));
});

describe('a list that changes', () => {
  it('from one receiver to another one notifies the new one of what the old one was not notified of yet', () =>
    bench(
      async (one) => {
        await one.take(item('a', { phones: [CARL], group: 'db' }));
        await one.publish([route({ to: ANNA, group: { wait: '30s' } })]);
        await one.pass(MINUTE);
        expect(one.messages.map(({ phone, state }) => [phone, state])).toEqual([[ANNA, 'sent']]);
      },
      { to: CARL, group: { wait: '30s' } },
    ));
});

const cluster = (over: object = {}): object => route({ name: 'cluster', to: BEN, ...over });

describe('a route that has no incidents any more', () => {
  const cell = route({
    incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' },
    group: { wait: '1s', interval: '1s' },
  });
  const without = { incident: undefined, send: { kind: 'text', message: 'order {{ item.name }}' } };

  it.each([
    ['and no other rules', without],
    ['and keeps a group', { ...without, group: { wait: '1s' } }],
  ])('%s has them resolved, in words of its own, and they inhibit nothing', (_, left) =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [cluster(), cell]);
      await one.take(item('eu', { route: 'cluster', phones: [BEN] }));
      await one.take(item('a', { inhibitedBy: ['alerts/cluster/eu'] }));
      await one.pass(MINUTE);
      expect(one.sent).toEqual(['+eu =1']);
      await one.publish([cluster(left), cell]);
      await one.pass(MINUTE);
      expect(to(one, BEN)).toEqual(['+eu =1', expect.stringMatching(/^1 resolved:\n• eu /)]);
      expect(to(one, ANNA)).toEqual(['+a =1']);
      await one.pass(8 * DAY);
      expect(to(one, BEN)).toHaveLength(2);
    }),
  );
});

describe('a source that moves to another account', () => {
  const repeat = incident({ repeat: '1h' });
  const away = {
    accounts: { sales: {} },
    sources: { alerts: { verify: { scheme: 'none' }, account: 'sales', routes: [route(repeat)] } },
  };

  it('has its incidents resolved, as those of a route that is gone: who was notified hears of it once', () =>
    bench(
      async (one) => {
        await one.take(item('known'));
        one.isSending = false;
        await one.take(item('waiting'));
        await one.publish([], away);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual(['+known =1', '-known =0']);
        expect(one.outcomes).toEqual(['notified', 'resolved']);
        await one.pass(3 * HOUR);
        expect(one.sent).toHaveLength(2);
        expect(one.incidents.open.size).toBe(0);
      },
      { to: ANNA, ...repeat },
    ));
});

describe('a source that is deleted', () => {
  it('has its incidents resolved: who was notified hears of it once, and of what waited nothing is said', () =>
    bench(
      async (one) => {
        await one.take(item('known'));
        one.isSending = false;
        await one.take(item('waiting'));
        await one.publish([], { sources: {} });
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual(['+known =1', expect.stringMatching(/^1 resolved:\n• known/)]);
        await one.pass(DAY);
        expect(one.sent).toHaveLength(2);
        expect(one.incidents.open.size).toBe(0);
      },
      { to: ANNA, ...incident({}) },
    ));
});
