import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { silencedBy, stateOf, type Silenceable } from '../../src/config/compiled/silences.ts';
import { HOUR } from '../../src/lib/time.ts';
import type { Scope } from '../../src/template/basics/scope.ts';
import { errorsOf, expectErrors, setOf } from './support.ts';

// A Sunday.
const START = Date.UTC(2026, 6, 5); // fixed date: `now` is an argument
const iso = (ms: number): string => new Date(ms).toISOString();
const LOCALE = { country: undefined, locale: 'en', timezone: 'UTC' };
const when = 'item.env == "staging"';
const TWO_HOURS = { when, from: iso(START), until: iso(START + 2 * HOUR) };
const SUNDAYS = { days: ['sun'], from: '02:00', to: '04:00', timezone: 'UTC' };

const silencesOf = (silences: Record<string, object>) =>
  compileConfig(setOf({ silences }), 1, START).config.silences;

const scope = (item: unknown): Scope => ({
  payload: { item },
  event: { id: 'evt_1', type: null, source: 'alerts', received_at: iso(START), dedupe_key: null },
  headers: {},
  query: {},
  item,
});

const place = { source: 'alerts', route: 'on-call', key: 'disk', grouped: '["shop"]' };
const silenced = (
  documents: Record<string, object>,
  now: number,
  item: unknown = { env: 'staging' },
  at: Partial<Silenceable> = {},
) => silencedBy(silencesOf(documents), { ...place, scope: scope(item), ...at }, LOCALE, now);
const state = (document: object, now: number) =>
  silencesOf({ a: { when, ...document } }).map((one) => stateOf(one, now))[0];

it('a silence has the times of its document, in ms, and is in force without end if it has none', () => {
  const night = {
    when,
    from: '2026-01-31T22:00:00+01:00', // fixed date: `now` is an argument
    until: '2026-02-01T06:00:00.500Z', // fixed date: `now` is an argument
    every: { ...SUNDAYS, timezone: 'Europe/Berlin' },
    reason: 'maintenance',
  };
  expect(silencesOf({ all: { when }, night })).toMatchObject([
    { id: 'all', when: { source: when }, from: null, until: null, every: null },
    {
      id: 'night',
      from: Date.parse(night.from),
      until: Date.parse(night.until),
      every: { from: 120, to: 240, days: [0], timezone: 'Europe/Berlin' },
    },
  ]);
});

it('a silence is refused with a condition or times that are none, or the name of one by hand, and warned of if it is over already or names no zone', () => {
  const offset = 'must be a time with its offset from UTC';
  const [from, date] = [iso(START + HOUR), '2026-01-31'];
  expectErrors('silences.night.', (night: object) => errorsOf({ silences: { night: { when, ...night } } }), [
    [{ when: undefined }, 'when: is required: a condition, or `of` in its place'],
    [{ of: { keys: ['disk'] } }, 'of.source: is required'],
    [
      { of: { source: 'alerts', keys: ['disk'] } },
      'of.route: is required: `group` and `keys` are those of one',
    ],
    [{ of: { source: 'alerts', route: 'on-call', keys: [] } }, 'of.keys: must not be empty'],
    [
      { of: { source: 'alerts', route: 'on-call', keys: ['x'.repeat(257)] } },
      'of.keys[0]: must have at most 256',
    ],
    [{ of: { source: 'alerts', key: 'disk' } }, 'of.key: unknown key `key`; did you mean `keys`?'],
    [{ when: 'itm.env' }, 'when: column 1: unknown name "itm" (did you mean "item"?)'],
    [{ when: 'items.env' }, 'when: column 1: unknown name "items"'],
    [{ until: 'tomorrow' }, `until: ${offset}`],
    [{ until: `${date}T22:00:00` }, `until: ${offset}`],
    [{ until: `${date}T25:00:00Z` }, `until: ${offset}`],
    [{ until: '2027-02-30T22:00:00+01:00' }, `until: ${offset}`], // fixed date: in no calendar
    [{ from, until: iso(START) }, 'until: must be after `from`'],
    [{ from, until: from }, 'until: must be after `from`'],
    [{ every: { from: '02:00', to: '02:00' } }, 'every.to: must differ from `from`'],
    [{ every: { ...SUNDAYS, timezone: 'Berlin' } }, 'every.timezone: must be an IANA time zone'],
    [{ evry: {} }, 'evry: unknown key `evry`; did you mean `every`?'],
  ]);
  expect(errorsOf({ silences: { sil_abc: { when } } })[0]).toContain('the name must not begin with `sil_`');
  expect(errorsOf({ silences: { silent: { when } } })).toEqual([]);
  const warnings = (night: object) =>
    compileConfig(setOf({ silences: { night: { when, ...night } } }), 1, START).warnings.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  expect(warnings({ until: iso(START) })).toEqual([
    'silences.night.until: is in the past: the silence no longer has any effect',
  ]);
  expect(warnings({ until: iso(START + 1) })).toEqual([]);
  expect(warnings({ of: { source: 'shop' } })).toEqual([
    'silences.night.of: there is no source `shop`; there are none yet',
  ]);
  expect(warnings({ every: { from: '02:00', to: '04:00' } })).toEqual([
    'silences.night.every: has no `timezone`, so its hours are in UTC; name one, such as Europe/Berlin',
  ]);
});

it('an item is silenced from the first moment to the last, in its hours if it has any, and only if the condition holds', () => {
  const until = START + 2 * HOUR;
  const weekly = { when, every: SUNDAYS };
  const short = { ...weekly, until: iso(START + 3 * HOUR) };
  const rows = [
    [TWO_HOURS, START - 1, null],
    [TWO_HOURS, START, { id: 'a', until }],
    [TWO_HOURS, until - 1, { id: 'a', until }],
    [TWO_HOURS, until, null],
    [{ when }, START, { id: 'a', until: null }],
    [weekly, START + HOUR, null],
    [weekly, START + 2 * HOUR, { id: 'a', until: START + 4 * HOUR }],
    [short, START + 2 * HOUR, { id: 'a', until: START + 3 * HOUR }],
  ] as const;
  expect(rows.map(([a, now]) => [a, now, silenced({ a }, now)])).toEqual(rows);
  expect(silenced({ a: TWO_HOURS }, START, { env: 'production' })).toBeNull();
});

it('an item is silenced by the first that is in force, and not by a condition that fails', () => {
  const over = { when, until: iso(START) };
  const other = { when: 'item.env == "test"' };
  const wrong = { when: 'item.env | money: "EUR"' };
  expect(silenced({ over, other, wrong, first: { when }, second: { when } }, START)?.id).toBe('first');
});

const NASTY = [
  'C:\\new',
  'volume C:\\',
  '"\'',
  '{{ x }}',
  '" or true or "',
  'a\nb',
  '\u2028',
  'é'.repeat(256),
];

it('a silence of things compares their texts as they are, all of them have to be the same, and a condition has to hold as well', () => {
  const route = { source: 'alerts', route: 'on-call' };
  const rows = [
    [{ source: 'alerts' }, {}, true],
    [{ source: 'alerts' }, { route: null, key: null, grouped: null }, true],
    [{ source: 'shop' }, {}, false],
    [{ source: 'alerts', type: 'push' }, {}, false],
    [route, {}, true],
    [route, { route: 'other' }, false],
    [route, { route: null }, false],
    [{ ...route, group: ['shop'] }, {}, true],
    [{ ...route, group: ['shop'] }, { grouped: null }, false],
    [{ ...route, group: ['shop', ''] }, {}, false],
    [{ ...route, keys: ['cpu', 'disk'] }, {}, true],
    [{ ...route, keys: ['Disk'] }, {}, false],
    [{ ...route, keys: ['disk'] }, { route: 'other' }, false],
    [{ ...route, keys: ['disk'] }, { key: null }, false],
    ...NASTY.map((key) => [{ ...route, keys: NASTY }, { key }, true] as const),
    ...NASTY.map((key) => [{ ...route, keys: NASTY }, { key: `${key} ` }, false] as const),
  ] as const;
  expect(rows.map(([of, at]) => [of, at, silenced({ a: { of } }, START, {}, at) !== null])).toEqual(rows);
  const both = { a: { of: { source: 'alerts' }, when } };
  expect([silenced(both, START)?.id, silenced(both, START, {})]).toEqual(['a', null]);
  expect(silenced(both, START, undefined, { source: 'shop' })).toBeNull();
});

it('the state of a silence is pending, active, ended, and pending between its hours, and active when and only when it silences an item', () => {
  const short = { every: SUNDAYS, until: iso(START + 3 * HOUR) };
  const rows = [
    [TWO_HOURS, START - 1, 'pending'],
    [TWO_HOURS, START, 'active'],
    [TWO_HOURS, START + 2 * HOUR, 'ended'],
    [{ every: SUNDAYS }, START, 'pending'],
    [{ every: SUNDAYS }, START + 3 * HOUR, 'active'],
    [short, START + 3 * HOUR, 'ended'],
  ] as const;
  expect(rows.map(([document, now]) => [document, now, state(document, now)])).toEqual(rows);
  const hour = fc.integer({ min: -200, max: 200 });
  fc.assert(
    fc.property(hour, fc.integer({ min: 1, max: 300 }), fc.boolean(), hour, (from, length, weekly, now) => {
      const times = { from: iso(START + from * HOUR), until: iso(START + (from + length) * HOUR) };
      const document = { when, ...times, ...(weekly && { every: SUNDAYS }) };
      const at = START + now * HOUR;
      const found = silenced({ a: document }, at);
      expect(state(document, at) === 'active').toBe(found !== null);
      expect(found?.until ?? Infinity).toBeGreaterThan(at);
    }),
  );
});
