import { expect, it } from 'vitest';
import { inhibitorsIn, namesOf, receiversOf } from '../../src/config/compile/alerting.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { expectErrors, routeErrors, routeOf, routeWarnings } from './support.ts';

const AT = 'sources.shop.routes[0]';
const KEY = '{{ item.id }}';
const GROUPED = { kind: 'text', message: '{{ count }} firing' };
const NIGHT = { from: '22:00', to: '07:00' };
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const throttle = { max: 3, per: '10m' };
const team = (more: object = {}) => ({ recipients: { team: { numbers: ['4915112345678'], ...more } } });
const alertingOf = (...args: Parameters<typeof routeOf>) => routeOf(...args).alerting;

it('a route is reported later for any of its keys, or those of its lists', () => {
  expect(alertingOf({ to: ['team', '{{ payload.phone }}'] }, team())).toBeNull();
  const digest = { kind: 'text', message: '{{ count }}' };
  for (const change of [
    { incident: { key: KEY } },
    { group: {} },
    { throttle },
    { quiet: NIGHT },
    { digest },
  ])
    expect(alertingOf(change)).not.toBeNull();
  for (const change of [{ quiet: NIGHT }, { throttle }])
    expect(alertingOf({ to: 'team' }, team(change))).toMatchObject({ incident: null, group: null });
});

it('an incident has the values of its document, in ms; else it expires after a week, and is reported at both ends', () => {
  const incident = {
    key: KEY,
    resolved: 'item.status == "resolved"',
    repeat: '4h',
    expires: '1d',
    inhibited_by: 'cluster/{{ item.labels.cluster }}',
    flapping: { changes: 4, per: '30m' },
  };
  expect(alertingOf({ incident })?.incident).toMatchObject({
    key: { source: KEY },
    resolved: { source: incident.resolved },
    repeatMs: 4 * HOUR,
    expiresMs: DAY,
    inhibitedBy: { source: incident.inhibited_by },
    flapping: { changes: 4, perMs: 30 * MINUTE },
  });
  const nothing = { resolved: null, repeatMs: null, inhibitedBy: null, flapping: null };
  expect(alertingOf({ incident: { key: KEY } })?.incident).toMatchObject({
    ...nothing,
    expiresMs: 7 * DAY,
  });
});

it('an incident is refused with what nobody knows then, or times that do not go together', () => {
  const flapping = { changes: 4, per: '30m' };
  expectErrors(
    `${AT}.incident.`,
    (incident: object) => routeErrors({ incident: { key: KEY, ...incident } }),
    [
      [{ key: undefined }, 'key: is required'],
      [{ key: '{{ firing.id }}' }, 'key: column 4: unknown name "firing"'],
      [{ key: '{{ new | size }}' }, 'key: column 4: unknown name "new"'],
      [{ resolved: 'count == 0' }, 'resolved: column 1: unknown name "count"'],
      [{ inhibited_by: '{{ last }}' }, 'inhibited_by: column 4: unknown name "last"'],
      [{ repeat: '7d' }, 'repeat: must be shorter than `expires`, 7d'],
      [{ repeat: '1d', expires: '1d' }, 'repeat: must be shorter than `expires`, 1d'],
      [{ expires: '10m', flapping }, 'flapping.per: must be shorter than `expires`, 10m'],
      [{ flapping: { ...flapping, changes: 1 } }, 'flapping.changes: must be a whole number from 2 to 100'],
      [{ repeat: '999ms' }, 'repeat: must be between 1s and 90d, not 999ms'],
      [{ resolve: 'x' }, 'resolve: unknown key `resolve`; did you mean `resolved`?'],
      [
        { at: 'noon' },
        'at: is the same for all items; use a time that the sender gives, such as "{{ item.at }}"',
      ],
      [{ at: '{{ firing.at }}' }, 'at: column 4: unknown name "firing"'],
      [{ acknowledged: 'count' }, 'acknowledged: column 1: unknown name "count"'],
      [{ acknowledged: 'item.a', unacknowledged: 'new' }, 'unacknowledged: column 1: unknown name "new"'],
      [{ acknowledged: 'item.a', by: '{{ last }}' }, 'by: column 4: unknown name "last"'],
      [
        { unacknowledged: 'item.a' },
        'unacknowledged: requires `acknowledged`: the condition under which an item acknowledges',
      ],
      [{ by: 'Lea' }, 'by: requires `acknowledged`: the condition under which an item acknowledges'],
    ],
  );
});

it('an incident may have a key that is the same for all items, with a warning, and is inhibited by a key of its route, another route or source', () => {
  expect(routeWarnings({ incident: { key: 'down' } })).toEqual([
    `${AT}.incident.key: is the same for all items, so they are one incident; use a value that differs, such as "{{ item.id }}"`,
  ]);
  for (const key of [KEY, '{% if payload.a %}a{% else %}b{% endif %}'])
    expect(routeWarnings({ incident: { key } })).toEqual([]);
  const route = ['shop', 'web', 'a/b/c/d'];
  expect(inhibitorsIn('a/b/c/d', 'shop', 'web')).toEqual([route, ['shop', 'a', 'b/c/d'], ['a', 'b', 'c/d']]);
  expect(inhibitorsIn('down', 'shop', 'web')).toEqual([['shop', 'web', 'down']]);
  expect(inhibitorsIn('', 'shop', 'web')).toEqual([]);
});

it('a group is all of the route with the usual times, or those of its document, and is refused with ones that do not go together, or too much', () => {
  const usual = { by: [], waitMs: 30_000, intervalMs: 5 * MINUTE, max: 20 };
  expect(alertingOf({ group: {}, send: GROUPED })?.group).toEqual(usual);
  const group = { by: ['{{ item.a }}', 'x'], wait: '1s', interval: '1s', max: 3 };
  expect(alertingOf({ group, send: GROUPED })?.group).toMatchObject({
    by: [{ source: '{{ item.a }}' }, { source: 'x' }],
    waitMs: 1_000,
    intervalMs: 1_000,
    max: 3,
  });
  expectErrors(`${AT}.group.`, (group: object) => routeErrors({ group }), [
    [{ wait: '6m' }, 'wait: must not be longer than `interval`, 5m'],
    [{ wait: '2s', interval: '1s' }, 'wait: must not be longer than `interval`, 1s'],
    [{ wait: '500ms' }, 'wait: must be between 1s and 1d, not 500ms'],
    [{ by: Array(11).fill('x') }, 'by: must have at most 10 texts'],
    [{ by: ['a', '{{ firing }}'] }, 'by[1]: column 4: unknown name "firing"'],
    [{ max: 0 }, 'max: must be a whole number from 1 to 100'],
  ]);
});

const compiled = { max: 3, perMs: 10 * MINUTE };

it('a throttle is one window or several, that of a list is its receivers’, and with too much or nothing it is refused', () => {
  expect(alertingOf({ throttle })?.throttle).toEqual([compiled]);
  const both = alertingOf({ throttle: [throttle, { max: 10, per: '1h' }] });
  expect(both?.throttle).toEqual([compiled, { max: 10, perMs: HOUR }]);
  const route = routeOf({ to: ['team', '4915112345679'] }, team({ throttle }));
  expect(route.alerting?.throttle).toEqual([]);
  expect(route.to).toMatchObject([{ throttle: [compiled] }, { throttle: [] }]);
  expectErrors(`${AT}.throttle`, (wrong: unknown) => routeErrors({ throttle: wrong }), [
    [{ max: 0, per: '1s' }, '.max: must be a whole number from 1 to 100'],
    [{ max: 1, per: '8d' }, '.per: must be between 1s and 7d, not 8d'],
    [[], ': must not be empty'],
    [Array.from({ length: 5 }, () => ({ ...throttle })), ': must have at most 4 throttles'],
    [3, ': must be `{ max, per }`, or a list of these'],
  ]);
});

it('quiet hours are held every day in the zone of the source, or as their document says', () => {
  const night = { from: 22 * 60, to: 7 * 60, days: ALL_DAYS, timezone: 'Asia/Tokyo' };
  const tokyo = alertingOf({ quiet: NIGHT }, {}, { timezone: 'Asia/Tokyo' });
  expect(tokyo?.quiet).toEqual({ hours: night, do: 'hold', resolved: 'hold' });
  const days = { from: '00:00', to: '24:00', days: ['sun', 'mon'], timezone: 'Europe/Berlin' };
  const how = { do: 'digest', resolved: 'send' };
  const hours = { from: 0, to: 24 * 60, days: [0, 1], timezone: 'Europe/Berlin' };
  expect(alertingOf({ quiet: { ...days, ...how } })?.quiet).toEqual({ hours, ...how });
  // A status may have them, too.
  expect(routeErrors({ quiet: NIGHT, to: undefined, send: { kind: 'status', text: 'x' } })).toEqual([]);
});

it('quiet hours of a list are in UTC if it names no zone, and have no effect on high priority, with a warning', () => {
  const hours = { timezone: 'UTC' };
  expect(routeOf({ to: 'team' }, team({ quiet: NIGHT })).to).toMatchObject([{ quiet: { hours } }]);
  expect(routeWarnings({ to: 'team' }, team({ quiet: NIGHT }))).toEqual([
    'recipients.team.quiet: has no `timezone`, so its hours are in UTC; name one, such as Europe/Berlin',
  ]);
  expect(routeWarnings({ quiet: NIGHT, priority: 'high' })).toEqual([
    `${AT}.quiet: has no effect: \`priority: high\` is exempt`,
  ]);
});

it('quiet hours are refused with what is no hour, no day or the whole week', () => {
  const week = 'to: must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill';
  expectErrors(`${AT}.quiet.`, (quiet: object) => routeErrors({ quiet: { ...NIGHT, ...quiet } }), [
    [{ from: '07:00' }, week],
    [{ from: '00:00', to: '24:00' }, week],
    [{ from: '24:00' }, 'from: must be a time from "00:00" to "23:59", in quotes, such as "07:30"'],
    [{ to: '7:00' }, 'to: must be a time from "00:00" to "24:00", in quotes, such as "07:30"'],
    [{ from: 1320 }, 'from: must be a time from "00:00" to "23:59", in quotes, such as "07:30"'],
    [{ days: [] }, 'days: must not be empty'],
    [{ days: ['monday'] }, 'days[0]: must be one of sun, mon, tue, wed, thu, fri, sat'],
    [{ timezone: 'Berlin' }, 'timezone: must be an IANA time zone such as Europe/Berlin'],
    [{ do: 'drop' }, 'do: must be one of hold, digest'],
  ]);
});

it('a digest is a template by name, or written inline, which knows what notifications have', () => {
  const templates = { night: { kind: 'text', message: '{{ count }} since {{ since }}' } };
  for (const digest of ['night', { kind: 'text', message: '{{ firing.size }}' }])
    expect(alertingOf({ digest }, { templates })?.digest?.kind).toBe('text');
  expectErrors(`${AT}.digest`, (digest: unknown) => routeErrors({ digest }, { templates }), [
    ['nigth', ': there is no template `nigth`; did you mean `night`?'],
    [
      { kind: 'text', message: '{{ firng }}' },
      '.message: column 4: unknown name "firng" (did you mean "firing"?)',
    ],
    [{ kind: 'status', text: 'x' }, ': must be a `status` if, and only if, the route sends one'],
  ]);
});

const sending = (message: string, more: object = {}) =>
  routeWarnings({ send: { kind: 'text', message }, ...more });

it('a template of a plain route names what only notifications have with a warning, and links without', () => {
  expect(sending('{{ count }} firing')).toEqual([
    expect.stringContaining(
      `${AT}: its template uses names that only notifications of incidents and groups have: column 4: unknown name "count"`,
    ),
  ]);
  expect(sending('No more: {{ actions.stop.url }}', { actions: { stop: {} } })).toEqual([]);
  const same = '{% assign count = 1 %}{{ count }} {{ payload.items.size }} {{ payload.first }} more';
  expect(sending(same)).toEqual([]);
});

const step = (after: string, to: unknown) => ({ after, to });

const BEN = '4915100000002';
const recipients = {
  team: { people: { anna: '4915100000001' } },
  'second-line': { people: { ben: BEN } },
  nobody: { numbers: [] },
};
const INCIDENT = { incident: { key: KEY } };
const stepsOf = (change: object) => routeOf({ to: 'team', ...INCIDENT, ...change }, { recipients });
const errors = (change: object) => routeErrors({ to: 'team', ...INCIDENT, ...change }, { recipients });
const warnings = (change: object) => routeWarnings({ to: 'team', ...INCIDENT, ...change }, { recipients });

it('the steps of a route have the times and receivers of the document; without any, who has an incident has it for a day', () => {
  const escalate = [step('10m', ['second-line', 'team/anna']), step('1h', '+49 151 00000003')];
  const route = stepsOf({ escalate });
  expect(route.escalate).toMatchObject([
    { afterMs: 10 * MINUTE, to: [{ numbers: [BEN] }, { numbers: ['4915100000001'] }] },
    { afterMs: HOUR, to: [{ numbers: ['4915100000003'] }] },
  ]);
  expect(route.escalate.map(namesOf)).toEqual([['second-line', 'team/anna'], ['4915100000003']]);
  expect(receiversOf(route)).toHaveLength(4);
  expect(stepsOf({}).escalate).toEqual([]);
  expect(stepsOf({}).alerting?.incident?.acknowledgedForMs).toBe(DAY);
  expect(stepsOf({ acknowledged_for: '2h' }).alerting?.incident?.acknowledgedForMs).toBe(2 * HOUR);
});

it('the steps of a route are refused without an incident, out of order, or to whom nobody knows by then', () => {
  const [incident, one] = [undefined, step('10m', BEN)];
  const needs = 'needs `incident`: only an incident can be acknowledged';
  const status = { to: undefined, send: { kind: 'status', text: 'x' } };
  expectErrors(`${AT}.`, errors, [
    [{ incident, escalate: [one] }, `escalate: ${needs}`],
    [{ incident, acknowledged_for: '1h' }, `acknowledged_for: ${needs}`],
    [{ escalate: [one, one] }, 'escalate[1].after: must be longer than that of the step before, 10m'],
    [{ escalate: [step('10m', [BEN, '{{ payload.phone }}'])] }, 'escalate[0].to: must be a number or a'],
    [
      { escalate: [step('10m', ['second-lin'])] },
      'escalate[0].to[0]: there is no recipients list `second-lin`;',
    ],
    [{ ...status, escalate: [one] }, 'escalate[0].to: is refused here: a status goes to all contacts'],
    [{ escalate: [] }, 'escalate'],
    [{ escalate: Array.from({ length: 6 }, (_, at) => step(`${at + 1}m`, BEN)) }, 'escalate'],
  ]);
  expect(errors({ escalate: Array.from({ length: 5 }, (_, at) => step(`${at + 1}m`, BEN)) })).toEqual([]);
});

it('the steps of a route are begun with the first that has receivers where the route’s own lists are empty', () => {
  const escalate = [step('10m', 'nobody'), step('20m', ['nobody', 'second-line']), step('30m', 'team')];
  const route = stepsOf({ to: ['nobody'], escalate });
  expect(route.to.flatMap((one) => (one.from === 'document' ? one.numbers : []))).toEqual([BEN]);
  expect(route.escalate).toHaveLength(3);
  expect(warnings({ to: ['nobody'], escalate })).toEqual([
    `${AT}.to: has no receivers, so incidents begin with step 2: fill its lists`,
    `${AT}.escalate[0].to: has no receivers, so the next step is taken at once: fill its lists`,
  ]);
  // Not where no step has any, nor where a payload may have one.
  expect(stepsOf({ to: 'nobody', escalate: escalate.slice(0, 1) }).to).toMatchObject([{ list: 'nobody' }]);
  const both = stepsOf({ to: ['nobody', '{{ payload.phone }}'], escalate }).to;
  expect(both).toMatchObject([{ list: 'nobody' }, { from: 'payload' }]);
});

it('the steps of a route are warned about where they notify nobody new, nobody at all, or before the first message', () => {
  const escalate = [step('10m', ['second-line', 'team']), step('20m', ['team', BEN]), step('30m', 'nobody')];
  expect(warnings({ escalate })).toEqual([
    `${AT}.escalate[1].to: notifies nobody new: all of them are notified earlier`,
    `${AT}.escalate[2].to: has no receivers, so the next step is taken at once: fill its lists`,
  ]);
  const soon = { escalate: [step('20s', 'second-line')] };
  expect(warnings({ ...soon, group: { wait: '30s' } })).toContain(
    `${AT}.escalate[0].after: is shorter than \`group.wait\`, 30s: nobody is notified by then`,
  );
  expect(warnings({ ...soon, group: { wait: '20s' } }).join('\n')).not.toContain('escalate');
  expect(warnings(soon)).toEqual([]);
});
