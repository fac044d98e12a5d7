import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route } from './bench.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLUSTER = '4915112345602';
const BEN = '4915112345679';

const bench = (
  body: (one: IncidentsBench) => Promise<void>,
  routes: readonly object[] = [route({ group: { wait: '30s', interval: '5m' } })],
  over: object = {},
): Promise<void> => inStorage(({ storage }) => body(new IncidentsBench(storage, routes, over)));

const INHIBITED = [
  route({ name: 'cluster', to: CLUSTER }),
  route({ group: { wait: '30s' }, incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' } }),
];

const cluster = (one: IncidentsBench, isResolved: boolean): Promise<void> =>
  one.take(item('eu', { route: 'cluster', isResolved, phones: [CLUSTER] }));

const inGroup = (name: string, over: object = {}) => item(name, { group: 'db', ...over });

const FLAPPING = { changes: 2, perMs: 30 * MINUTE };

/** The messages that a receiver was sent, oldest first. */
const to = (one: IncidentsBench, phone: string): readonly string[] =>
  one.messages
    .filter((message) => message.phone === phone && message.state === 'sent')
    .map(({ text }) => text.trim());

/** Messages are queued from now on, and a person cancels this one. */
async function cancelAfter(one: IncidentsBench, seq: number, before: () => Promise<void>): Promise<void> {
  one.isSending = false;
  await before();
  one.cancel(seq);
  one.isSending = true;
  await one.run();
}

describe('a cancelled message about a group', () => {
  it.each([false, true])('is not repeated by itself (restart: %s)', (isRestarted) =>
    bench(async (one) => {
      await cancelAfter(one, 1, async () => {
        await one.take(inGroup('a'), inGroup('b'));
        await one.pass(MINUTE);
      });
      if (isRestarted) await one.crash();
      await one.pass(2 * DAY);
      await one.take(inGroup('a'));
      await one.pass(2 * DAY);
      expect(one.messages.map(({ state }) => state)).toEqual(['cancelled']);
    }),
  );

  it.each([false, true])(
    'does not take the message about an incident that is held back no more (restart: %s)',
    (isRestarted) =>
      bench(async (one) => {
        const inhibitedBy = ['alerts/cluster/eu'];
        await cluster(one, false);
        await cancelAfter(one, 2, async () => {
          await one.take(inGroup('a'), inGroup('b'), inGroup('c', { inhibitedBy }));
          await one.pass(MINUTE);
        });
        if (isRestarted) await one.crash();
        expect(one.sent).toEqual(['+eu =1']);
        await cluster(one, true);
        await one.pass(MINUTE);
        // The cancelled message has notified nobody: its incidents go with the next one.
        expect(to(one, PHONE)).toEqual(['+a +b +c =3']);
      }, INHIBITED),
  );

  it('takes all that it would have said by then with it', () =>
    bench(async (one) => {
      await cancelAfter(one, 1, async () => {
        await one.take(inGroup('a'));
        await one.pass(MINUTE);
        await one.take(inGroup('b'));
      });
      await one.pass(HOUR);
      expect(one.messages.map(({ state }) => state)).toEqual(['cancelled']);
    }));

  it('does not take the message about an incident that opens later', () =>
    bench(async (one) => {
      await cancelAfter(one, 1, async () => {
        await one.take(inGroup('a'));
        await one.pass(MINUTE);
      });
      await one.pass(HOUR);
      await one.take(inGroup('b'));
      await one.pass(MINUTE);
      expect(one.sent).toEqual(['+a +b =2']);
    }));

  it('leaves nothing to say of an incident that is resolved later', () =>
    bench(async (one) => {
      await cancelAfter(one, 1, async () => {
        await one.take(inGroup('a'));
        await one.pass(MINUTE);
      });
      await one.take(inGroup('a', { isResolved: true }));
      await one.pass(2 * DAY);
      expect(one.messages.map(({ state }) => state)).toEqual(['cancelled']);
      expect(one.outcomes).toEqual(['resolved', 'resolved']);
    }));

  it('stays due until the time of the next repeat', () =>
    bench(
      async (one) => {
        await cancelAfter(one, 1, () => one.fire('a'));
        await one.pass(4 * HOUR - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        expect(one.sent).toEqual(['+a =1']);
      },
      [route({ incident: { key: '{{ item.name }}', repeat: '4h' } })],
    ));

  it('that repeats what is known is followed by the next repeat', () =>
    bench(
      async (one) => {
        await one.take(inGroup('a'), inGroup('b'));
        await one.pass(MINUTE);
        await cancelAfter(one, 2, () => one.pass(4 * HOUR));
        await one.pass(3 * HOUR);
        expect(one.sent).toEqual(['+a +b =2']);
        await one.pass(HOUR);
        expect(one.sent).toEqual(['+a +b =2', '=2']);
      },
      [route({ group: { wait: '30s' }, incident: { key: '{{ item.name }}', repeat: '4h' } })],
    ));

  it('leaves the resolution of what was notified before', () =>
    bench(async (one) => {
      await one.take(inGroup('a'));
      await one.pass(MINUTE);
      await cancelAfter(one, 2, async () => {
        await one.take(inGroup('b'));
        await one.pass(5 * MINUTE);
      });
      await one.take(inGroup('a', { isResolved: true }));
      await one.pass(5 * MINUTE);
      expect(one.sent).toEqual(['+a =1', '+b -a =1']);
    }));
});

describe('a resolution is sent', () => {
  it('although a person cancelled the repeat before it, and its route is gone', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await cancelAfter(one, 2, () => one.pass(4 * HOUR));
        await one.publish([route({ name: 'other' })]);
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+a =1', expect.stringContaining('1 resolved')]);
      },
      [route({ incident: { key: '{{ item.name }}', repeat: '4h' } })],
    ));

  it('although a person cancelled the message before it that it flaps', () =>
    bench(
      async (one) => {
        await one.take(item('a', { flapping: FLAPPING }));
        await cancelAfter(one, 2, () => one.take(item('a', { isResolved: true, flapping: FLAPPING })));
        expect(one.messages.map(({ state }) => state)).toEqual(['sent', 'cancelled']);
        await one.pass(29 * MINUTE);
        expect(one.sent).toEqual(['+a =1']);
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+a =1', '-a =0']);
      },
      [route({ incident: { key: '{{ item.name }}', flapping: { changes: 2, per: '30m' } } })],
    ));
});

describe('an expired message', () => {
  it('says nothing about what came after its text was written', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.take(inGroup('a'));
      await one.pass(MINUTE);
      await one.take(inGroup('b'));
      one.cancel(1, 'expired');
      one.isSending = true;
      await one.pass(MINUTE);
      expect(one.sent).toEqual(['+a +b =2']);
    }));

  it.each([false, true])('is followed by another while its incident is open (restart: %s)', (isRestarted) =>
    bench(async (one) => {
      one.isSending = false;
      await one.take(inGroup('a'));
      await one.pass(3 * HOUR);
      one.cancel(1, 'expired');
      one.isSending = true;
      if (isRestarted) await one.crash();
      await one.take(inGroup('a'));
      await one.pass(5 * MINUTE - 1);
      expect(one.sent).toEqual([]);
      await one.pass(1);
      expect(one.sent).toEqual(['+a =1']);
      await one.take(inGroup('a', { isResolved: true }));
      await one.pass(5 * MINUTE);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }),
  );

  it('is followed by none if its incident is resolved, and nobody was notified of it', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.take(inGroup('a'));
      await one.pass(3 * HOUR);
      one.cancel(1, 'expired');
      await one.take(inGroup('a', { isResolved: true }));
      one.isSending = true;
      await one.pass(DAY);
      expect(one.sent).toEqual([]);
    }));

  it('about an item of no incident is not: it is too old', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await one.take({ value: '{"name":"a"}' });
        await one.pass(3 * HOUR);
        one.cancel(1, 'expired');
        one.isSending = true;
        await one.pass(DAY);
        expect(one.sent).toEqual([]);
      },
      [route({ incident: undefined, quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } })],
    ));
});

describe('a message that was cancelled in an earlier turn', () => {
  // The bench begins at noon of the day on which Anna is on call. Ben is at midnight, and so on.
  const TURNS = { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' }; // fixed date: its own clock
  const LISTS = { recipients: { team: { people: { anna: PHONE, ben: BEN }, rotation: TURNS } } };

  it('is followed by one about what is open when its receiver is on call again', () =>
    bench(
      async (one) => {
        await cancelAfter(one, 1, () => one.fire('a'));
        await one.pass(12 * HOUR);
        expect(to(one, BEN)).toEqual(['+a =1']);
        await one.pass(DAY - 1);
        expect(to(one, PHONE)).toEqual([]);
        await one.pass(1);
        expect(to(one, PHONE)).toEqual(['+a =1']);
      },
      [route({ to: 'team' })],
      LISTS,
    ));

  it('and may have arrived is followed by one, too', () =>
    bench(
      async (one) => {
        one.ends = 'uncertain';
        await one.fire('a');
        one.cancel(1);
        one.ends = 'sent';
        await one.pass(12 * HOUR);
        expect(to(one, BEN)).toEqual(['+a =1']);
        await one.pass(DAY);
        expect(to(one, PHONE)).toEqual(['+a =1']);
      },
      [route({ to: 'team' })],
      LISTS,
    ));

  it('does not come back with a publish in the same turn', () =>
    bench(
      async (one) => {
        await cancelAfter(one, 1, () => one.fire('a'));
        await one.publish([route({ to: 'team' })], LISTS);
        await one.pass(HOUR);
        expect(to(one, PHONE)).toEqual([]);
      },
      [route({ to: 'team' })],
      LISTS,
    ));
});

describe('an acknowledgement that runs out', () => {
  it('notifies of what a person had cancelled, too', () =>
    bench(
      async (one) => {
        await cancelAfter(one, 1, () => one.fire('a'));
        one.incidents.acknowledge({ source: 'alerts', route: 'on-call', key: 'a' }, 'Anna');
        await one.pass(DAY);
        expect(one.sent).toEqual(['+a =1']);
      },
      [route()],
    ));
});
