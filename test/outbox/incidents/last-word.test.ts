import { describe, expect, it } from 'vitest';
import { countRows } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route } from './bench.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHER = '4915112345679';
const NIGHT = Date.UTC(2026, 6, 1, 23); // fixed date: its own clock
const MORNING = Date.UTC(2026, 6, 2, 7); // fixed date: its own clock

const bench = (
  body: (one: IncidentsBench, storage: DurableObjectStorage) => Promise<void>,
  routes: readonly object[] = [route()],
  over: object = {},
): Promise<void> => inStorage(({ storage }) => body(new IncidentsBench(storage, routes, over), storage));

const incident = (over: object) => ({
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over },
});

const list = (numbers: readonly string[], over: object = {}) => ({
  recipients: { team: { numbers, ...over } },
});
const quiet = { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } };
const SILENCE = { silences: { all: { when: 'event.source == "alerts"' } } };

describe('a message that is retried', () => {
  it('says no end of what fires again', () =>
    bench(async (one) => {
      await one.fire('a');
      one.ends = 'failed';
      await one.resolve('a');
      await one.fire('a');
      one.ends = 'sent';
      await one.retry();
      await one.pass(HOUR);
      expect(one.sent).toEqual(['+a =1']);
    }));

  it('says no opening of what is resolved', () =>
    bench(async (one) => {
      one.ends = 'failed';
      await one.fire('a');
      await one.resolve('a');
      one.ends = 'sent';
      await one.retry();
      await one.pass(HOUR);
      expect(one.sent).toEqual([]);
      expect(one.outcomes).toEqual(['resolved', 'resolved']);
    }));
});

describe('a message that may have arrived', () => {
  it('is sent again as it was, although a restart reads the rows in another order', () =>
    bench(
      async (one) => {
        const group = 'db';
        await one.take(item('c', { group }), item('b', { group }), item('a', { group }));
        await one.pass(MINUTE);
        one.ends = 'uncertain';
        await one.take(item('a', { group, isResolved: true }));
        await one.pass(MINUTE);
        one.ends = 'sent';
        await one.crash();
        await one.retry();
        expect(one.messages.map(({ state }) => state)).toEqual(['sent', 'sent']);
        expect(one.sent[1]).toBe('-a =2');
      },
      [route({ group: { wait: '1s', interval: '1s' } })],
    ));

  it('is not sent again if it names what a silence holds back by now: what is left is said anew', () => {
    const routes = [route({ group: { wait: '1s', interval: '1s' } })];
    return bench(async (one) => {
      const group = 'db';
      await one.take(item('a', { group }), item('b', { group }));
      await one.pass(MINUTE);
      one.ends = 'uncertain';
      await one.take(item('a', { group, isResolved: true }));
      await one.pass(MINUTE);
      await one.publish(routes, { silences: { b: { when: 'item.name == "b"' } } });
      one.ends = 'sent';
      await one.retry();
      await one.pass(MINUTE);
      expect(one.messages.map(({ state }) => state)).toEqual(['sent', 'superseded', 'sent']);
      // It still counts the silenced one, of which its receiver knows.
      expect(one.sent).toEqual(['+a +b =2', '-a =1']);
    }, routes);
  });
});

describe('a message that may have arrived, and names what expires meanwhile', () => {
  const routes = [route({ group: { wait: '1s', interval: '1s' }, ...incident({ expires: '1h' }) })];

  it('is not sent again: what is left is said anew', () =>
    bench(async (one) => {
      const group = 'db';
      await one.take(item('a', { group }), item('b', { group }));
      await one.pass(40 * MINUTE);
      one.ends = 'uncertain';
      await one.take(item('c', { group }), item('a', { group }));
      await one.pass(30 * MINUTE);
      one.ends = 'sent';
      await one.retry();
      await one.pass(MINUTE);
      expect(one.messages.map(({ state }) => state)).toEqual(['sent', 'superseded', 'sent']);
      expect(one.sent).toEqual(['+a +b =2', '+c =2']);
    }, routes));
});

describe('a message that ended dead', () => {
  it('has notified nobody: its opening is said again, and then its end', () =>
    bench(async (one) => {
      one.ends = 'refused for good';
      await one.fire('a');
      one.ends = 'sent';
      await one.pass(6 * MINUTE);
      expect(one.sent).toEqual(['+a =1']);
      await one.resolve('a');
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));

  it('of which the opening was not sent is followed by no end', () =>
    bench(async (one) => {
      one.ends = 'refused for good';
      await one.fire('a');
      one.ends = 'sent';
      await one.resolve('a');
      await one.pass(HOUR);
      expect(one.sent).toEqual([]);
    }));

  it('by its last attempt, whose outcome is uncertain, may have been the opening: its end is said', () =>
    bench(async (one) => {
      one.ends = 'dead and uncertain';
      await one.fire('a');
      one.ends = 'sent';
      await one.resolve('a');
      expect(one.sent).toEqual(['-a =0']);
    }));
});

describe('while its account is paused', () => {
  it('what opens and resolves is not said afterwards, over a restart as well', () =>
    bench(async (one) => {
      one.isSending = false;
      await one.fire('a');
      await one.crash();
      await one.resolve('a');
      one.isSending = true;
      await one.run();
      await one.pass(HOUR);
      expect(one.sent).toEqual([]);
    }));

  it('what stays open is one message afterwards, however often it was to be repeated', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await one.fire('a');
        await one.pass(6 * HOUR);
        await one.crash();
        await one.pass(6 * HOUR);
        one.isSending = true;
        await one.run();
        await one.pass(10 * MINUTE);
        expect(one.sent).toEqual(['+a =1']);
      },
      [route(incident({ repeat: '15m' }))],
    ));
});

const WARNINGS = { silences: { warnings: { when: 'item.severity == "warning"' } } };

const FLAPPING = [
  route({
    ...incident({ flapping: { changes: 3, per: '30m' } }),
    send: {
      kind: 'text',
      message:
        '{% for one in new %}{% if one.flapping %}~{% else %}+{% endif %}{{ one.item.name }} {% endfor %}{% for one in resolved %}-{{ one.item.name }} {% endfor %}={{ count }}',
    },
  }),
];

/** It fires, is resolved, and fires: its receiver knows that it flaps. */
const flap = async (one: IncidentsBench, over: object = {}): Promise<void> => {
  const flapping = { changes: 3, perMs: 30 * MINUTE };
  for (const isResolved of [false, true, false]) await one.take(item('a', { isResolved, flapping, ...over }));
};
const FLAPS = ['+a =1', '-a =0', '~a =1'];

const says = (severity: string, isResolved = false) =>
  item('a', { isResolved, value: JSON.stringify({ name: 'a', severity }) });

describe('a silence', () => {
  it('holds back repeats, and what is open is repeated when it ends', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await one.publish([route(incident({ repeat: '1h' }))], SILENCE);
        await one.pass(5 * HOUR);
        expect(one.sent).toEqual(['+a =1']);
        await one.publish([route(incident({ repeat: '1h' }))]);
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+a =1', '=1']);
      },
      [route(incident({ repeat: '1h' }))],
    ));

  it('is over for an incident once its newest item does not match it', () => {
    return bench(
      async (one) => {
        await one.take(says('warning'));
        await one.take(says('warning'));
        await one.pass(HOUR);
        expect([one.sent, one.outcomes]).toEqual([[], ['waiting', 'waiting']]);
        await one.take(says('critical'));
        expect([one.sent, one.outcomes]).toEqual([['+a =1'], ['notified', 'summarized', 'summarized']]);
        await one.take(says('warning'));
        await one.pass(3 * HOUR);
        expect(one.sent).toEqual(['+a =1']);
        await one.take(says('critical'));
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+a =1', '=1']);
      },
      [route(incident({ repeat: '1h' }))],
      WARNINGS,
    );
  });

  it('that is over for an incident leaves it to its quiet hours', () => {
    return bench(
      async (one) => {
        await one.take(says('warning'));
        one.now = NIGHT;
        await one.take(says('critical'));
        await one.pass(MORNING - NIGHT - 1);
        expect(one.sent).toEqual([]);
        await one.pass(1);
        expect(one.sent).toEqual(['+a =1']);
      },
      [route(quiet)],
      WARNINGS,
    );
  });

  it('takes what fires and is resolved in one webhook', () => {
    return bench(
      async (one) => {
        await one.take(says('warning'));
        await one.take(says('warning'), says('warning', true));
        expect(one.outcomes).toEqual(['silenced', 'silenced', 'silenced']);
      },
      [route()],
      WARNINGS,
    );
  });

  it('holds back that something flaps, and what was notified before is resolved', () => {
    const flapping = [route(incident({ flapping: { changes: 3, per: '30m' } }))];
    return bench(async (one) => {
      const change = (isResolved: boolean) =>
        one.take(item('a', { isResolved, flapping: { changes: 3, perMs: 30 * MINUTE } }));
      await change(false);
      await one.publish(flapping, SILENCE);
      for (const isResolved of [true, false, true, false]) await change(isResolved);
      await one.pass(20 * MINUTE);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }, flapping);
  });

  it.each([false, true])(
    'holds back that something is stable again: what is open is said once when it ends (restart in it: %s)',
    (isRestarted) =>
      bench(async (one) => {
        await flap(one);
        expect(one.sent).toEqual(FLAPS);
        await one.publish(FLAPPING, SILENCE);
        await one.pass(20 * MINUTE);
        if (isRestarted) await one.crash();
        await one.pass(11 * MINUTE);
        expect(one.sent).toEqual(FLAPS);
        await one.publish(FLAPPING);
        await one.pass(3 * HOUR);
        expect(one.sent).toEqual([...FLAPS, '+a =1']);
      }, FLAPPING),
  );
});

describe('a replay of a resolution', () => {
  const over = item('a', { isResolved: true });

  it('resolves nothing that has fired since the resolution came', () =>
    bench(async (one) => {
      const at = one.now;
      await one.pass(MINUTE);
      await one.fire('a');
      await one.replay(at, over);
      expect([one.sent, one.outcomes]).toEqual([['+a =1'], ['notified', 'resolved']]);
      await one.crash();
      await one.replay(at, over);
      expect(one.sent).toEqual(['+a =1']);
      await one.take(over);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));

  it('resolves what had fired before it', () =>
    bench(async (one) => {
      await one.fire('a');
      await one.pass(MINUTE);
      const at = one.now;
      await one.pass(HOUR);
      await one.replay(at, over);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));

  it('resolves what a replay of an earlier firing has opened', () =>
    bench(async (one) => {
      const at = one.now;
      await one.pass(HOUR);
      await one.replay(at, item('a'));
      await one.replay(at, over);
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));
});

describe('an incident that inhibits another', () => {
  const CLUSTER = 'alerts/on-call/cluster';
  const inhibited = (over: object = {}) => item('a', { inhibitedBy: [CLUSTER], ...over });

  it('holds back its repeats, and what is open is repeated when it is resolved', () =>
    bench(
      async (one) => {
        await one.take(inhibited());
        await one.fire('cluster');
        await one.pass(5 * HOUR + MINUTE);
        const repeats = one.sent.filter((text) => text === '=1');
        // Those of the incident that inhibits it.
        expect([one.sent.slice(0, 2), repeats.length]).toEqual([['+a =1', '+cluster =1'], 5]);
        await one.resolve('cluster');
        await one.pass(MINUTE);
        expect(one.sent.slice(-2).toSorted()).toEqual(['-cluster =0', '=1']);
        expect(one.sent).toHaveLength(2 + 5 + 2);
      },
      [route(incident({ repeat: '1h' }))],
    ));

  it('holds back that it flaps: it is notified of once the other one is resolved', () => {
    const flapping = { changes: 3, per: '30m' };
    return bench(
      async (one) => {
        const flaps = { changes: 3, perMs: 30 * MINUTE };
        await one.take(inhibited({ flapping: flaps }));
        await one.fire('cluster');
        for (const isResolved of [true, false, true, false])
          await one.take(inhibited({ isResolved, flapping: flaps }));
        expect(one.sent).toEqual(['+a =1', '+cluster =1', '-a =0']);
        await one.resolve('cluster');
        await one.pass(MINUTE);
        expect(one.sent.slice(3).toSorted()).toEqual(['-cluster =0', '~a =1']);
      },
      [
        route({
          ...incident({ flapping }),
          send: {
            kind: 'text',
            message:
              '{% for one in new %}{% if one.flapping %}~{% else %}+{% endif %}{{ one.item.name }} {% endfor %}{% for one in resolved %}-{{ one.item.name }} {% endfor %}={{ count }}',
          },
        }),
      ],
    );
  });

  it('holds back that it is stable again: what is open is said once when the other one is resolved', () =>
    bench(async (one) => {
      await flap(one, { inhibitedBy: [CLUSTER] });
      await one.fire('cluster');
      expect(one.sent).toEqual([...FLAPS, '+cluster =1']);
      await one.pass(31 * MINUTE);
      expect(one.sent).toHaveLength(4);
      await one.resolve('cluster');
      await one.pass(3 * HOUR);
      expect(one.sent.slice(4).toSorted()).toEqual(['+a =1', '-cluster =0']);
    }, FLAPPING));
});

describe('who leaves a list', () => {
  it('is notified of the end of what they know, and of no repeat', () =>
    bench(
      async (one) => {
        await one.take(item('a', { phones: [PHONE, OTHER] }));
        await one.publish([route({ to: 'team', ...incident({ repeat: '1h' }) })], list([PHONE]));
        await one.pass(2 * HOUR + MINUTE);
        const to = (phone: string) =>
          one.messages.filter((message) => message.phone === phone).map(({ text }) => text.trim());
        expect(to(PHONE)).toEqual(['+a =1', '=1', '=1']);
        expect(to(OTHER)).toEqual(['+a =1']);
        await one.take(item('a', { isResolved: true }));
        expect(to(PHONE).at(-1)).toBe('-a =0');
        expect(to(OTHER)).toEqual(['+a =1', '-a =0']);
      },
      [route({ to: 'team', ...incident({ repeat: '1h' }) })],
      list([PHONE, OTHER]),
    ));

  it('in quiet hours is not notified of that', () =>
    bench(
      async (one) => {
        await one.take(item('a', { phones: [PHONE, OTHER] }));
        one.now = NIGHT;
        await one.publish([route({ to: 'team' })], list([PHONE], quiet));
        await one.pass(10 * HOUR);
        expect(one.sent).toEqual(['+a =1', '+a =1']);
      },
      [route({ to: 'team' })],
      list([PHONE, OTHER], quiet),
    ));
});

describe('a route that is removed', () => {
  it('inhibits nothing any more', () =>
    bench(
      async (one) => {
        await one.take(item('eu', { route: 'cluster' }));
        await one.take(item('a', { inhibitedBy: ['alerts/cluster/eu'] }));
        expect(one.sent).toEqual(['+eu =1']);
        await one.publish([route()]);
        await one.pass(2 * MINUTE);
        expect(one.sent).toContain('+a =1');
      },
      [route({ name: 'cluster' }), route()],
    ));

  it.each([false, true])(
    'in quiet hours lets who was notified know in the morning (restart before it is removed: %s)',
    (isRestarted) =>
      bench(
        async (one) => {
          await one.fire('a');
          one.now = NIGHT;
          if (isRestarted) await one.crash();
          await one.publish([route({ name: 'other', to: 'team' })], list([PHONE], quiet));
          await one.pass(MORNING - one.now - 1);
          expect(one.sent).toHaveLength(1);
          await one.pass(2 * MINUTE);
          expect(one.sent).toHaveLength(2);
          expect(one.sent[1]).toContain('1 resolved');
        },
        [route({ to: 'team' })],
        list([PHONE], quiet),
      ),
  );
});

const team = (over: object = {}) => route({ to: 'team', ...over });
const toDay = (over: object = {}) => [route({ to: 'day', ...over })];
const dayList = (over: object = {}) => ({ recipients: { day: { numbers: [OTHER], ...over } } });
const resolved = item('a', { isResolved: true });
const textOfGone: unknown = expect.stringContaining('1 resolved');

/** The texts that a receiver got. */
const sentTo = (one: IncidentsBench, receiver: string): readonly string[] =>
  one.messages
    .filter(({ phone, state }) => phone === receiver && state === 'sent')
    .map(({ text }) => text.trim());

/** Until the morning, a receiver has only got this, and then this message. */
const expectMorning = async (
  one: IncidentsBench,
  phone: string,
  known: readonly string[],
  text: unknown,
): Promise<void> => {
  await one.pass(MORNING - one.now - 1);
  expect(sentTo(one, phone)).toEqual(known);
  await one.pass(10 * MINUTE);
  expect(sentTo(one, phone)).toEqual([...known, text]);
};

describe.each([false, true])('at night, who knows of an incident (restart before: %s)', (isRestarted) => {
  const night = async (one: IncidentsBench, change: () => Promise<void>): Promise<void> => {
    one.now = NIGHT;
    if (isRestarted) await one.crash();
    await change();
    await one.pass(2 * HOUR);
    if (isRestarted) await one.crash();
  };

  it.each(['renamed', 'removed'])(
    'is notified in the morning if the route is %s, by quiet hours that were published after the opening',
    (how) =>
      bench(
        async (one) => {
          await one.fire('a');
          await one.publish([team()], list([PHONE], quiet));
          const routes = how === 'renamed' ? [team({ name: 'other' })] : [];
          await night(one, () => one.publish(routes, list([PHONE], quiet)));
          await expectMorning(one, PHONE, ['+a =1'], textOfGone);
        },
        [team()],
        list([PHONE]),
      ),
  );

  it.each(['dead and uncertain', 'left to a person', 'uncertain'] as const)(
    'is notified in the morning if the route is renamed, and the opening is %s',
    (ends) =>
      bench(
        async (one) => {
          one.now = NIGHT - 2 * HOUR;
          one.ends = ends;
          await one.fire('a');
          one.ends = 'sent';
          await night(one, () => one.publish([team({ name: 'other' })], list([PHONE], quiet)));
          await one.retry();
          await expectMorning(one, PHONE, [], textOfGone);
        },
        [team()],
        list([PHONE], quiet),
      ),
  );

  it.each([
    ['has', quiet],
    ['now has', {}],
  ])('and has left a list that %s quiet hours, is notified in the morning', (_, before) =>
    bench(
      async (one) => {
        await one.take(item('a', { phones: [PHONE, OTHER] }));
        await night(one, () => one.publish([team()], list([PHONE], quiet)));
        await one.take(resolved);
        await expectMorning(one, OTHER, ['+a =1'], '-a =0');
        expect(sentTo(one, PHONE)).toEqual(['+a =1', '-a =0']);
      },
      [team()],
      list([PHONE, OTHER], before),
    ),
  );

  it.each([
    ['has quiet hours', list([PHONE], quiet)],
    ['has none any more', list([PHONE])],
    ['is gone', {}],
  ])('is notified in the morning if the route has another list, and the last one %s', (_, last) =>
    bench(
      async (one) => {
        await one.fire('a');
        const { recipients } = { recipients: {}, ...last };
        const lists = { recipients: { ...recipients, ...dayList().recipients } };
        await night(one, () => one.publish(toDay(), lists));
        await one.take(resolved);
        expect(sentTo(one, OTHER)).toEqual(['+a =1', '-a =0']);
        await expectMorning(one, PHONE, ['+a =1'], '-a =0');
      },
      [team()],
      list([PHONE], quiet),
    ),
  );

  it('is notified at once if the quiet hours of the last list let resolutions through', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await night(one, () => one.publish(toDay(), dayList(quiet)));
        await one.take(resolved);
        expect(one.sent).toEqual(['+a =1', '-a =0']);
      },
      [team()],
      list([PHONE], { quiet: { ...quiet.quiet, resolved: 'send' } }),
    ));

  it('is notified at once if the route has high priority', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await night(one, () => one.publish(toDay({ priority: 'high' }), dayList()));
        await one.take(resolved);
        expect(sentTo(one, PHONE)).toEqual(['+a =1', '-a =0']);
      },
      [team()],
      list([PHONE], quiet),
    ));

  it('is notified at once if they are on a list without quiet hours', () =>
    bench(
      async (one) => {
        await one.fire('a');
        await night(one, () => one.publish(toDay(), dayList({ numbers: [PHONE] })));
        await one.take(resolved);
        expect(one.sent).toEqual(['+a =1', '-a =0']);
      },
      [team()],
      list([PHONE], quiet),
    ));
});

describe('quiet hours', () => {
  it('end with a count of what expired in them, after a restart as well', () =>
    bench(
      async (one) => {
        one.now = NIGHT;
        await one.fire('a');
        await one.pass(2 * HOUR);
        await one.crash();
        await one.fire('b');
        await one.pass(MORNING - one.now);
        expect(one.sent).toHaveLength(1);
        expect(one.sent[0]).toContain('1 opened and resolved meanwhile');
        expect(one.outcomes).toEqual(['expired', 'notified']);
      },
      [route({ to: 'team', ...incident({ expires: '7h' }) })],
      list([PHONE], quiet),
    ));
});

describe('a configuration that is older than one that was used', () => {
  it('notifies nobody, however long it is all that can be read', () =>
    bench(async (one) => {
      const { config: older } = one;
      await one.publish([route({ name: 'new' })]);
      one.isSending = false;
      await one.take(item('a', { route: 'new' }));
      await one.pass(HOUR);
      const before = one.messages.length;
      await one.take(item('b', { route: 'new' }));
      const [waiting] = one.waiting;
      expect(waiting).toBeDefined();
      one.incidents.lookAtAll();
      one.incidents.notify(older);
      expect(one.messages.length).toBe(before);
      one.now += 48 * HOUR;
      one.incidents.ask();
      one.incidents.notify(older);
      expect(one.messages.length).toBe(before);
      expect(one.incidents.open.isOpen('alerts/new/a')).toBe(true);
    }));
});

describe('a webhook that a newer configuration has routed', () => {
  const quietRoute = route({ name: 'new', to: 'team' });
  const quietTeam = list([PHONE], quiet);

  it.each([false, true])(
    'notifies by the rules of that one, and of nothing before the object has it (it has just started: %s)',
    (isStart) =>
      bench(async (one) => {
        one.now = NIGHT;
        await one.fire('known');
        if (isStart) one.restart();
        one.activation = 2;
        await one.take(item('a', { route: 'new' }), item('b'));
        await one.pass(MINUTE);
        expect(one.messages).toHaveLength(1);
        await one.publish([route(), quietRoute], quietTeam);
        // At once by the route without quiet hours, and in the morning by the other.
        expect(one.sent).toEqual(['+known =1', '+b =1']);
        await one.pass(MORNING - one.now - 1);
        expect(one.sent).toHaveLength(2);
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+known =1', '+b =1', '+a =1']);
      }),
  );

  it('holds back what is queued by an older one, until the object has the newer', () =>
    bench(
      async (one) => {
        one.now = NIGHT;
        one.isSending = false;
        await one.fire('a');
        expect(one.messages).toHaveLength(1);
        one.activation = 2;
        await one.fire('b');
        expect(one.incidents.review(one.rowOf(1), one.config)).toBe('unread');
        one.isSending = true;
        await one.publish([route({ to: 'team' })], quietTeam);
        expect(one.sent).toEqual([]);
        await one.pass(10 * HOUR);
        expect(one.sent).toEqual([expect.stringContaining('2 firing')]);
      },
      [route({ to: 'team' })],
      list([PHONE]),
    ));
});

describe('a call that could not be made', () => {
  it('leaves what its receiver believes as it was: nobody is notified of what has resolved meanwhile', () =>
    bench(async (one) => {
      one.ends = null;
      await one.fire('a');
      await one.resolve('a');
      one.ends = 'sent';
      await one.noCall();
      await one.pass(HOUR);
      expect([one.sent, one.outcomes]).toEqual([[], ['resolved', 'resolved']]);
    }));

  it('leaves it so in the row as well', () =>
    bench(async (one) => {
      one.ends = null;
      await one.fire('a');
      await one.fire('a');
      one.isSending = false;
      await one.noCall();
      one.ends = 'sent';
      await one.crash();
      await one.resolve('a');
      one.isSending = true;
      await one.run();
      expect([one.sent, one.incidents.open.size]).toEqual([[], 0]);
    }));

  it('lets its message say what is true when it is claimed again', () =>
    bench(async (one) => {
      one.ends = null;
      await one.fire('a');
      one.isSending = false;
      await one.noCall();
      one.ends = 'sent';
      one.isSending = true;
      await one.run();
      await one.resolve('a');
      expect(one.sent).toEqual(['+a =1', '-a =0']);
    }));
});

describe('a digest', () => {
  it('reads no more incidents than it shows', () =>
    bench(
      async (one, storage) => {
        one.now = NIGHT;
        for (let n = 0; n < 30; n += 1)
          await one.fire(...Array.from({ length: 20 }, (_, index) => `${n}-${index}`));
        const rows = countRows(storage.sql);
        await one.pass(MORNING - one.now);
        expect(one.sent).toHaveLength(1);
        expect(one.sent[0]).toContain('600 firing');
        expect(rows.read()).toBeLessThan(600 + 4 * 60);
      },
      [route({ to: 'team' })],
      list([PHONE], quiet),
    ));
});
