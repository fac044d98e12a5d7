import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import type { Route } from '../../src/config/config.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/duration.ts';
import { open, routeErrors, routeWith, setOf } from './support.ts';

const AT = 'sources.shop.routes[0]';
const KEY = '{{ item.id }}';
const GROUPED = { kind: 'text', message: '{{ count }} firing' };
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];

const compiledWith = (change: object, more: Partial<ConfigSet> = {}, source: object = {}) =>
  compileConfig(setOf({ sources: { shop: open({ ...source, routes: [routeWith(change)] }) }, ...more }), 1);

function routeOf(...args: Parameters<typeof compiledWith>): Route {
  const route = compiledWith(...args).config.sources.get('shop')?.routes[0];
  if (route === undefined) throw new Error('the route is wrong');
  return route;
}

/** The warnings of a set, without the one of the open source. */
const warningsOf = (...args: Parameters<typeof compiledWith>): readonly string[] =>
  compiledWith(...args)
    .warnings.filter(({ path }) => path !== 'sources.shop.verify')
    .map(({ path, message }) => `${path}: ${message}`);

describe('a route', () => {
  it('is plain without any of the keys, and where its lists have none', () => {
    const recipients = { team: { numbers: ['4915112345678'] } };
    expect(routeOf({ to: ['team', '{{ payload.phone }}'] }, { recipients }).alerting).toBeNull();
  });

  it.each([
    { incident: { key: KEY } },
    { group: {} },
    { throttle: { max: 1, per: '1s' } },
    { quiet: { from: '22:00', to: '07:00' } },
    { digest: { kind: 'text', message: '{{ count }}' } },
  ])('is reported later with %j', (change) => {
    expect(routeOf(change).alerting).not.toBeNull();
  });

  it.each([{ quiet: { from: '22:00', to: '07:00' } }, { throttle: { max: 3, per: '10m' } }])(
    'is reported later where one of its lists has %j',
    (change) => {
      const recipients = { team: { numbers: ['4915112345678'], ...change } };
      expect(routeOf({ to: 'team' }, { recipients }).alerting).toMatchObject({ incident: null, group: null });
    },
  );
});

describe('an incident', () => {
  it('has the values of its document, in ms', () => {
    const incident = {
      key: KEY,
      resolved: 'item.status == "resolved"',
      repeat: '4h',
      expires: '1d',
      inhibited_by: 'cluster/{{ item.labels.cluster }}',
      flapping: { changes: 4, per: '30m' },
    };
    expect(routeOf({ incident }).alerting?.incident).toMatchObject({
      key: { source: KEY },
      resolved: { source: 'item.status == "resolved"' },
      repeatMs: 4 * HOUR,
      expiresMs: DAY,
      inhibitedBy: { source: 'cluster/{{ item.labels.cluster }}' },
      flapping: { changes: 4, perMs: 30 * MINUTE },
    });
  });

  it('expires after a week, and is reported only when it begins and ends, if nothing is said', () => {
    expect(routeOf({ incident: { key: KEY } }).alerting?.incident).toMatchObject({
      resolved: null,
      repeatMs: null,
      expiresMs: 7 * DAY,
      inhibitedBy: null,
      flapping: null,
    });
  });

  it.each([
    [{}, 'incident.key: is required'],
    [{ key: '{{ firing.id }}' }, 'incident.key: column 4: unknown name "firing"'],
    [{ key: '{{ new | size }}' }, 'incident.key: column 4: unknown name "new"'],
    [{ key: KEY, resolved: 'count == 0' }, 'incident.resolved: column 1: unknown name "count"'],
    [{ key: KEY, inhibited_by: '{{ last }}' }, 'incident.inhibited_by: column 4: unknown name "last"'],
    [{ key: KEY, repeat: '7d' }, 'incident.repeat: must be shorter than `expires`, 7d'],
    [{ key: KEY, repeat: '1d', expires: '1d' }, 'incident.repeat: must be shorter than `expires`, 1d'],
    [
      { key: KEY, expires: '10m', flapping: { changes: 4, per: '30m' } },
      'incident.flapping.per: must be shorter than `expires`, 10m',
    ],
    [
      { key: KEY, flapping: { changes: 1, per: '30m' } },
      'incident.flapping.changes: must be a whole number from 2 to 100',
    ],
    [{ key: KEY, repeat: '999ms' }, 'incident.repeat: must be between 1s and 90d, not 999ms'],
    [{ key: KEY, resolve: 'x' }, 'incident.resolve: unknown key `resolve`; did you mean `resolved`?'],
  ])('is refused as %j', (incident, error) => {
    expect(routeErrors({ incident })[0]).toContain(`${AT}.${error}`);
  });

  it('may have a key that is the same for all items, with a warning', () => {
    expect(warningsOf({ incident: { key: 'down' } })).toEqual([
      `${AT}.incident.key: is the same for all items, so they are one incident; use a value that differs, such as "{{ item.id }}"`,
    ]);
    expect(warningsOf({ incident: { key: KEY } })).toEqual([]);
    expect(warningsOf({ incident: { key: '{% if payload.a %}a{% else %}b{% endif %}' } })).toEqual([]);
  });
});

describe('a group', () => {
  it('is all of the route, with the usual times, if nothing is said', () => {
    expect(routeOf({ group: {}, send: GROUPED }).alerting?.group).toEqual({
      by: [],
      waitMs: 30_000,
      intervalMs: 5 * MINUTE,
      max: 20,
    });
  });

  it('has the values of its document, in ms', () => {
    const group = { by: ['{{ item.a }}', 'x'], wait: '1s', interval: '1s', max: 3 };
    expect(routeOf({ group, send: GROUPED }).alerting?.group).toMatchObject({
      by: [{ source: '{{ item.a }}' }, { source: 'x' }],
      waitMs: 1_000,
      intervalMs: 1_000,
      max: 3,
    });
  });

  it.each([
    [{ wait: '6m' }, 'group.wait: must not be longer than `interval`, 5m'],
    [{ wait: '2s', interval: '1s' }, 'group.wait: must not be longer than `interval`, 1s'],
    [{ wait: '500ms' }, 'group.wait: must be between 1s and 1d, not 500ms'],
    [{ by: Array(11).fill('x') }, 'group.by: must have at most 10 texts'],
    [{ by: ['a', '{{ firing }}'] }, 'group.by[1]: column 4: unknown name "firing"'],
    [{ max: 0 }, 'group.max: must be a whole number from 1 to 100'],
  ])('is refused as %j', (group, error) => {
    expect(routeErrors({ group })[0]).toContain(`${AT}.${error}`);
  });
});

describe('a throttle', () => {
  it('is one window or several', () => {
    const [short, long] = [
      { max: 3, per: '10m' },
      { max: 10, per: '1h' },
    ];
    expect(routeOf({ throttle: short }).alerting?.throttle).toEqual([{ max: 3, perMs: 10 * MINUTE }]);
    expect(routeOf({ throttle: [short, long] }).alerting?.throttle).toEqual([
      { max: 3, perMs: 10 * MINUTE },
      { max: 10, perMs: HOUR },
    ]);
  });

  it('of a list is its receivers’', () => {
    const recipients = { team: { numbers: ['4915112345678'], throttle: { max: 3, per: '10m' } } };
    const route = routeOf({ to: ['team', '4915112345679'] }, { recipients });
    expect(route.alerting?.throttle).toEqual([]);
    expect(route.to).toMatchObject([{ throttle: [{ max: 3, perMs: 10 * MINUTE }] }, { throttle: [] }]);
  });

  it.each([
    [{ max: 0, per: '1s' }, 'throttle.max: must be a whole number from 1 to 100'],
    [{ max: 1, per: '8d' }, 'throttle.per: must be between 1s and 7d, not 8d'],
    [[], 'throttle: must not be empty'],
    [Array.from({ length: 5 }, () => ({ max: 1, per: '1s' })), 'throttle: must have at most 4 throttles'],
    [3, 'throttle: must be `{ max, per }`, or a list of these'],
  ])('is refused as %j', (throttle, error) => {
    expect(routeErrors({ throttle })).toEqual([`${AT}.${error}`]);
  });
});

describe('quiet hours', () => {
  const NIGHT = { from: '22:00', to: '07:00' };

  it('are held every day in the zone of the source, if nothing is said', () => {
    expect(routeOf({ quiet: NIGHT }, {}, { timezone: 'Asia/Tokyo' }).alerting?.quiet).toEqual({
      hours: { from: 22 * 60, to: 7 * 60, days: ALL_DAYS, timezone: 'Asia/Tokyo' },
      do: 'hold',
      resolved: 'hold',
    });
  });

  it('have days, a zone and a treatment of messages', () => {
    const quiet = {
      from: '00:00',
      to: '24:00',
      days: ['sun', 'mon'],
      timezone: 'Europe/Berlin',
      do: 'digest',
      resolved: 'send',
    };
    expect(routeOf({ quiet }).alerting?.quiet).toEqual({
      hours: { from: 0, to: 24 * 60, days: [0, 1], timezone: 'Europe/Berlin' },
      do: 'digest',
      resolved: 'send',
    });
  });

  it('of a list are in UTC if it names no zone, with a warning', () => {
    const recipients = { team: { numbers: ['4915112345678'], quiet: NIGHT } };
    expect(routeOf({ to: 'team' }, { recipients }).to[0]).toMatchObject({
      quiet: { hours: { timezone: 'UTC' } },
    });
    expect(warningsOf({ to: 'team' }, { recipients })).toEqual([
      'recipients.team.quiet: has no `timezone`, so its hours are in UTC; name one, such as Europe/Berlin',
    ]);
  });

  it('may be a status’s, too', () => {
    const send = { kind: 'status', text: 'x' };
    expect(routeErrors({ quiet: NIGHT, to: undefined, send })).toEqual([]);
  });

  it('have no effect on a route of high priority, which is a warning', () => {
    expect(warningsOf({ quiet: NIGHT, priority: 'high' })).toEqual([
      `${AT}.quiet: has no effect: \`priority: high\` is exempt`,
    ]);
  });

  it.each([
    [
      { from: '07:00', to: '07:00' },
      'to: must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
    ],
    [
      { from: '00:00', to: '24:00' },
      'to: must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
    ],
    [
      { from: '24:00', to: '07:00' },
      'from: must be a time from "00:00" to "23:59", in quotes, such as "07:30"',
    ],
    [{ from: '22:00', to: '7:00' }, 'to: must be a time from "00:00" to "24:00", in quotes, such as "07:30"'],
    [{ from: 1320, to: '07:00' }, 'from: must be a time from "00:00" to "23:59", in quotes, such as "07:30"'],
    [{ ...NIGHT, days: [] }, 'days: must not be empty'],
    [{ ...NIGHT, days: ['monday'] }, 'days[0]: must be one of sun, mon, tue, wed, thu, fri, sat'],
    [{ ...NIGHT, timezone: 'Berlin' }, 'timezone: must be an IANA time zone such as Europe/Berlin'],
    [{ ...NIGHT, do: 'drop' }, 'do: must be one of hold, digest'],
  ])('are refused as %j', (quiet, error) => {
    expect(routeErrors({ quiet })).toEqual([`${AT}.quiet.${error}`]);
  });
});

describe('a digest', () => {
  const templates = { night: { kind: 'text', message: '{{ count }} since {{ since }}' } };

  it('is a template by name, or written inline', () => {
    expect(routeOf({ digest: 'night' }, { templates }).alerting?.digest?.kind).toBe('text');
    expect(routeOf({ digest: { kind: 'text', message: '{{ firing.size }}' } }).alerting?.digest?.kind).toBe(
      'text',
    );
  });

  it.each([
    ['nigth', 'digest: there is no template `nigth`; did you mean `night`?'],
    [
      { kind: 'text', message: '{{ firng }}' },
      'digest.message: column 4: unknown name "firng" (did you mean "firing"?)',
    ],
    [{ kind: 'status', text: 'x' }, 'digest: must be a `status` if, and only if, the route sends one'],
  ])('is refused as %j', (digest, error) => {
    expect(routeErrors({ digest }, { templates })[0]).toContain(`${AT}.${error}`);
  });
});

describe('a template of a plain route', () => {
  it('may name what only notifications have, with a warning', () => {
    expect(warningsOf({ send: GROUPED })).toEqual([
      expect.stringContaining(
        `${AT}: its template uses names that only notifications of incidents and groups have: column 4: unknown name "count"`,
      ),
    ]);
  });

  it('may have them beside a link', () => {
    const send = { kind: 'text', message: 'No more: {{ actions.stop.url }}' };
    expect(warningsOf({ send, actions: { stop: {} } })).toEqual([]);
  });

  it('may have the same words elsewhere', () => {
    const message = '{% assign count = 1 %}{{ count }} {{ payload.items.size }} {{ payload.first }} more';
    expect(warningsOf({ send: { kind: 'text', message } })).toEqual([]);
  });
});

it('a condition or a receiver cannot name what is known only when reported', () => {
  expect(routeErrors({ when: 'count > 1' })[0]).toContain('unknown name "count"');
  expect(routeErrors({ each: 'firing' })[0]).toContain('unknown name "firing"');
  expect(routeErrors({ to: '{{ first.item.phone }}' })[0]).toContain('unknown name "first"');
});
