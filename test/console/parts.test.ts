import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { mergeNewest } from '../../console/lib/list.ts';
import { addressOf, match } from '../../console/lib/router.ts';
import type { StepAnswer } from '../../console/api/types.ts';
import { bulkFilter, NOTHING_YET, plus, runSteps, type BulkSum } from '../../console/parts/bulk.tsx';
import { childPath, firstOpen, nodesOf } from '../../console/parts/payload.tsx';
import { readSearch } from '../../console/parts/search-box.tsx';
import { nextMorning } from '../../console/parts/silence.tsx';
import { en } from '../../console/texts/en.ts';
import { silencedText } from '../../src/config/compiled/silenced-text.ts';
import { compilePath, readPath } from '../../src/template/text.ts';
import { GERMAN, scopeOf } from '../template/helpers.ts';

test('an address is matched by a pattern of its length, with its parts decoded, and has the filters that are set', () => {
  const addresses = ['/events/a%20b', '/events/100%', '/events', '/events/evt_1/x'];
  const ids = [{ id: 'a b' }, { id: '100%' }, null, null];
  expect(addresses.map((address) => match('/events/:id', address))).toEqual(ids);
  const filtered = addressOf('/events', { source: 'stripe', state: '', type: undefined });
  expect([filtered, addressOf('/')]).toEqual(['/admin/events?source=stripe', '/admin']);
});

test('a time of another day is written as the language writes the hour, and breaks between the two alone', async () => {
  const now = new Date(2026, 10, 26, 14, 0, 5).getTime();
  /** Times as a browser of this language writes them. */
  const timesIn = async (language: string, ...times: readonly number[]): Promise<readonly string[]> => {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages: [language] });
    const { clock } = await import('../../console/lib/format.ts');
    return times.map((time) => clock(time, now));
  };
  const tomorrow = new Date(2026, 10, 27, 7, 5, 9).getTime();
  const written = { 'en-US': 'Nov 27, 7:05 AM', 'en-GB': '27 Nov, 07:05', 'de-DE': '27. Nov., 07:05' };
  for (const [language, text] of Object.entries(written)) {
    const [time = ''] = await timesIn(language, tomorrow);
    // ICU puts a narrow space before AM and PM.
    expect(time.replaceAll(/\s/g, ' ')).toBe(text);
    expect(time.split(' ')).toHaveLength(2);
  }
  // Of today, with seconds unless it is a plan: of an attempt, of the next one, and of the end of a silence.
  const today = await timesIn('de-DE', now - 5_400_000, now + 30_000, now + 3_600_000);
  expect(today).toEqual(['12:30:05', '14:00:35', '15:00']);
  vi.unstubAllGlobals();
});

const item = (n: number, state = 'queued') => ({ id: `msg_${n}`, at: `2026-01-01T00:00:0${n}.000Z`, state });
const items = (...numbers: readonly number[]) => numbers.map((n) => item(n));

test('what came since is apart from what is shown, which stays in its place with its new state', () => {
  expect(mergeNewest(items(3, 2, 1), [item(4), item(3, 'sent'), item(2)])).toEqual({
    fresh: [item(4)],
    same: [item(3, 'sent'), item(2), item(1)],
  });
  // It is being read, though the filter no longer matches it.
  expect(mergeNewest(items(2, 1), items(1)).same).toEqual(items(2, 1));
});

const words = (typed: string) => [typed, { is: 'text', text: typed }] as const;

const phone = (typed: string) => ({ is: 'phone', phone: typed, isWhole: true });

test('a search is for an event, a message, a number as people write it, or a text', () => {
  const ids = ['evt_01m82pnqqvbmebx8aaydw8v15n', 'evt_01m82rp2zkyz9p1x6xc69cz78acqa9txtv2t8wb231'];
  for (const [typed, meant] of [
    ['  ', { is: 'nothing' }],
    ['ab', { is: 'short' }],
    ...ids.map((id) => [id, { is: 'event', id }] as const),
    [' MSG_000000005sm8g9c9 ', { is: 'message', id: 'msg_000000005sm8g9c9' }],
    ['+49 151 123-456 78', phone('4915112345678')],
    ['0049 (151) 12345678', phone('4915112345678')],
    // Other digits, marks that were copied, `(0)`.
    ['\u202a+٤٩ 151 12345678\u202c', phone('4915112345678')],
    ['+49 (0) 151 12345678', phone('4915112345678')],
    ['tel:+4915112345678', phone('4915112345678')],
    ['0151 12345678', { is: 'phone', phone: '0151 12345678', isWhole: false }],
    words('evt_short'),
    words('030 1234567 / 030 7654321'),
    words('12950'),
    words('2026-11-22 10:00'),
    words('Ada Lovelace'),
  ] as const)
    expect(readSearch(typed), typed).toEqual(meant);
});

test('many are chosen by the filters that are set, since a moment that stays the same', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const query = { source: 'shop', state: '', live: 'off', type: 'paid' };
  expect(bulkFilter(query, ['source', 'state', 'type'], now)).toEqual({ source: 'shop', type: 'paid' });
  for (const [since, moment] of [
    ['2h', '2026-11-22T10:00:00.000Z'],
    ['15m', '2026-11-22T11:45:00.000Z'],
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    // The API says what is wrong with it.
    ['soon', 'soon'],
  ] as const)
    expect(bulkFilter({ since }, ['since'], now)).toEqual({ since: moment });
});

const EVENTS = ['3', '4'].map((n) => ({ event: `evt_${n}`, replay_of: 'evt_1' }));
const STEPS: readonly StepAnswer[] = [
  { replayed: 0, messages: 0, skipped: {}, events: [], next_cursor: 'a' },
  { replayed: 2, messages: 3, skipped: { is_replay: 1 }, events: EVENTS, next_cursor: 'b' },
  { replayed: 1, messages: 1, skipped: { is_replay: 2, too_large: 1 }, events: [], next_cursor: null },
];

/** Answers the steps one after the other, keeps what it was asked for, and stops once `stopAt` are done. */
function stepper(steps: readonly StepAnswer[]) {
  const asked: (string | null)[] = [];
  const ask = async (cursor: string | null): Promise<StepAnswer> => {
    const step = steps[asked.length];
    asked.push(cursor);
    if (step === undefined) throw new Error('asked too often');
    return step;
  };
  const run = (from: BulkSum = NOTHING_YET, stopAt = -1) => {
    const stop = new AbortController();
    const onStep = ({ done }: { done: number }): void => void (done === stopAt && stop.abort());
    return runSteps(ask, from, onStep, stop.signal);
  };
  return { asked, run };
}

test('steps end after the one under way when somebody stops them, can go on from there, count each receiver once, and as skipped what was under way', async () => {
  const { asked, run } = stepper(STEPS);
  const half = await run(NOTHING_YET, 2);
  expect(half).toMatchObject({ done: 2, next: 'b' });
  const events = ['evt_3', 'evt_4'];
  const sum = { done: 3, messages: 4, skipped: { is_replay: 3, too_large: 1 }, events, next: null };
  expect(await run(half)).toMatchObject(sum);
  expect(asked).toEqual([null, 'a', 'b']);
  const { phones } = await stepper([
    { replayed: 2, phones: ['4915111', '4915112'], next_cursor: 'a' },
    { replayed: 1, phones: ['4915112'], next_cursor: null },
  ]).run();
  expect([...phones]).toEqual(['4915111', '4915112']);
  const cancelled = plus(NOTHING_YET, { cancelled: 4, in_flight: 2, looked_at: 9, next_cursor: null });
  expect(cancelled).toMatchObject({ done: 4, skipped: { in_flight: 2 } });
  expect(plus(NOTHING_YET, { retried: 1, in_flight: 0, next_cursor: null }).skipped).toEqual({});
});

const on = (day: number, hour: number): Date => new Date(2026, 2, day, hour, 30);

test('a silence until morning ends at seven o’clock, at least an hour away', () => {
  const mornings = [on(1, 2), on(1, 23), on(1, 6)].map(nextMorning);
  expect(mornings).toEqual([1, 2, 2].map((day) => new Date(2026, 2, day, 7)));
});

test('what is silenced is shown by its place and the first of its keys, on one line', () => {
  const place = { source: 'alerts', route: 'on-call' };
  const keys = ['C:\\temp', 'a\nb', ...Array.from({ length: 20 }, (_, n) => `k${n}`)];
  const rows = [
    [{ when: 'key == "disk"' }, 'key == "disk"'],
    [{ of: { source: 'alerts' }, when: 'item.x' }, 'alerts · item.x'],
    [{ of: { source: 'shop', type: 'paid' } }, 'shop/paid'],
    [{ of: { ...place, group: ['db', 'eu'] } }, 'alerts/on-call: db, eu'],
    [{ of: { ...place, keys } }, 'alerts/on-call: C:\\temp, a b, k0, k1, k2 and 17 more'],
  ] satisfies readonly [Parameters<typeof silencedText>[0], string][];
  expect(rows.map(([what]) => [what, silencedText(what, en.common.andMore)])).toEqual(rows);
});

test('the path of a value leads Liquid to it, whatever the keys are', () => {
  const keys = ['items', 'content-type', 0, 'odd key', '1st', '', 'ends-'];
  expect(keys.map((key) => childPath('payload', key))).toEqual([
    'payload.items',
    'payload.content-type',
    'payload[0]',
    'payload["odd key"]',
    'payload["1st"]',
    'payload[""]',
    'payload["ends-"]',
  ]);
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 3 }), (names) => {
      const payload = names.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), 'found');
      const path = compilePath(names.reduce(childPath, 'payload'));
      expect(path.ok && readPath(path.value, scopeOf(payload), GERMAN)).toEqual({ ok: true, value: 'found' });
    }),
  );
});

const rows = (value: unknown, open: Iterable<string>, drawn: readonly (readonly [string, number])[] = []) =>
  nodesOf('payload', value, new Set(open), new Map(drawn));

test('the rows of a payload are those of what is open, which can be opened only where something is inside; those of a long list are a hundred and how many are left', () => {
  const payload = { a: { b: [1, 2] }, c: 'x', d: {}, e: [] };
  const shown = rows(payload, ['payload', 'payload.a']);
  expect(shown.map(({ path, level, position, of }) => `${path} ${level} ${position}/${of}`)).toEqual([
    'payload 1 1/1',
    'payload.a 2 1/4',
    'payload.a.b 3 1/1',
    'payload.c 2 2/4',
    'payload.d 2 3/4',
    'payload.e 2 4/4',
  ]);
  const sizes = rows(payload, ['payload']).map((row) => (row.is === 'value' ? row.size : null));
  expect(sizes).toEqual([4, 1, null, null, null]);
  const long = Array.from({ length: 250 }).fill(0);
  expect(rows(long, ['payload'])).toHaveLength(102);
  expect(rows(long, ['payload']).at(-1)).toMatchObject({ is: 'more', parent: 'payload', left: 150 });
  expect(rows(long, ['payload'], [['payload', 300]])).toHaveLength(251);
});

test('all of a small payload is open at first, and of a large one no more than a screen has', () => {
  expect([...firstOpen('payload', { a: { b: [1] } })]).toEqual(['payload', 'payload.a', 'payload.a.b']);
  const wide = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`k${n}`, { x: n }]));
  expect([...firstOpen('payload', wide)]).toEqual(['payload']);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const own = rows(value, ['payload']).length;
      expect(rows(value, firstOpen('payload', value, 20)).length).toBeLessThanOrEqual(Math.max(21, own));
    }),
  );
});
