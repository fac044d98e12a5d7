import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeEvent, silencing } from '../../../src/ingest/routing/match.ts';
import { messagesOf } from '../../../src/ingest/routing/result.ts';
import { configOf, eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';

const TEXT = { kind: 'text', message: 'hello' };
const NEVER = { when: 'false' };
/** A condition that cannot be decided of any payload with `bad`. */
const UNDECIDABLE = { when: '(payload.bad | sum) > 0' };

/** Routes an event in a source with these routes, all to one number unless they say otherwise. */
const take = (routes: readonly object[], payload: unknown = {}) => {
  const named = routes.map((route, at) => ({ name: `r${at + 1}`, to: PHONE, send: TEXT, ...route }));
  return routeEvent(eventOf(sourceOf({ routes: named }), { payload }));
};

const resultsOf = (routes: readonly object[], payload?: unknown) =>
  take(routes, payload).map(({ result }) => result);

const reasonsOf = (routes: readonly object[], payload?: unknown) =>
  take(routes, payload).flatMap(({ failures }) => failures.map(({ reason }) => reason));

const textsOf = (routes: readonly object[], payload?: unknown) =>
  take(routes, payload).flatMap(({ messages }) => messages.map(({ params }) => params['message']));

const cannot = { to: '{{ payload.phone }}' };
const bad = { bad: ['x'] };

it('routes are taken in order, each one that matches; one that fails does so by itself; none is looked at after `stop`', () => {
  for (const [routes, payload, ...results] of [
    [[], {}],
    [[{}, NEVER, { when: 'payload.n > 3' }], { n: 4 }, 'matched', 'not_matched', 'matched'],
    [[UNDECIDABLE, {}], bad, 'failed', 'matched'],
    [[cannot, {}], {}, 'failed', 'matched'],
    [[{ stop: true }, {}, NEVER], {}, 'matched', 'not_reached', 'not_reached'],
    [[{ ...NEVER, stop: true }, {}], {}, 'not_matched', 'matched'],
    [[{ ...cannot, stop: true }, {}], {}, 'failed', 'not_reached'],
    // Nobody knows whether it matched.
    [[{ ...UNDECIDABLE, stop: true }, {}], bad, 'failed', 'matched'],
  ] as const)
    expect([routes, resultsOf(routes, payload)]).toEqual([routes, results]);
  expect(textsOf([cannot, {}])).toEqual(['hello']);
  expect(reasonsOf([UNDECIDABLE, {}], bad)).toEqual([
    expect.stringMatching(/^route `r1`, parameter `when` \(\(payload\.bad \| sum\) > 0\): .*not a number/),
  ]);
});

it('routes whose template runs away for each of many elements are stopped for the list as a whole; others still send', () => {
  const runaway = '{% for i in (1..900) %}{% for j in (1..20) %}{% endfor %}{% endfor %}x';
  const routes = [{ each: 'payload.list', send: { kind: 'text', message: runaway } }, {}];
  const [first, second] = take(routes, { list: Array.from({ length: 1_000 }, () => 0) });
  expect([first?.result, second?.result]).toEqual(['failed', 'matched']);
  expect(first?.failures.at(-1)?.reason).toContain('all messages of the route together');
});

const EACH_NAME = { each: 'payload.items', send: { kind: 'text', message: '{{ index }}: {{ item.name }}' } };

it('`each` makes one message for each element that it filters, counted from 1; of an empty list none', () => {
  const items = [{ name: 'a' }, { name: 'b', on: true }];
  expect(textsOf([EACH_NAME], { items })).toEqual(['1: a', '2: b']);
  expect(textsOf([{ ...EACH_NAME, each: 'payload.items | where: "on"' }], { items })).toEqual(['1: b']);
  const none = { route: 'r1', result: 'matched', messages: [], failures: [] };
  expect(take([EACH_NAME], { items: [] })).toEqual([none]);
});

it('`each` sends its other elements when one fails, and says which one it was', () => {
  const route = { ...EACH_NAME, to: '{{ item.phone }}' };
  const items = [{ phone: `+${PHONE}`, name: 'a' }, { name: 'b' }, { phone: `+${OTHER_PHONE}`, name: 'c' }];
  const [result] = take([route], { items });
  expect(result?.result).toBe('failed');
  expect(result?.messages.map(({ phone }) => phone)).toEqual([PHONE, OTHER_PHONE]);
  expect(result?.failures.map(({ reason }) => reason)).toEqual([
    'route `r1`, element 2, parameter `to` ({{ item.phone }}): is empty: there is no number to send to',
  ]);
});

it('`each` fails where it is no list, or cannot be evaluated', () => {
  for (const [payload, why] of [
    [{}, 'is missing, and must be a list'],
    [{ items: null }, 'is missing, and must be a list'],
    [{ items: 'text' }, 'has the type string, and must be a list'],
    [{ items: { length: 2 } }, 'has the type object, and must be a list'],
  ] as const)
    expect(reasonsOf([EACH_NAME], payload)).toEqual([
      `route \`r1\`, parameter \`each\` (payload.items): ${why}`,
    ]);
  const broken = 'payload.items | pluck: payload.none';
  expect(reasonsOf([{ ...EACH_NAME, each: broken }], { items: [1] })).toEqual([
    expect.stringContaining(`parameter \`each\` (${broken})`),
  ]);
});

const EACH = { each: 'payload.items' };
const list = (length: number) => ({ items: Array.from({ length }, () => 1) });

/** The number of each route's messages, and its notes on the rest. */
const made = (routes: readonly object[], payload: unknown) =>
  take(routes, payload).map(({ result, messages, notes = [] }) => [
    result,
    messages.length,
    ...notes.map(({ reason }) => reason),
  ]);

it('a list that is too long makes its first thousand messages, and the event says how many more there were; nothing has failed', () => {
  const full = 'a route may make 1000 messages from a webhook';
  expect(made([EACH], list(1_000))).toEqual([['matched', 1_000]]);
  expect(made([EACH], list(1_512))).toEqual([
    ['matched', 1_000, `route \`r1\` made 1000 messages and left out 512 more elements: ${full}`],
  ]);
  const three = { ...EACH, to: [PHONE, OTHER_PHONE, '491713920003'] };
  expect(made([three], list(334))).toEqual([
    [
      'matched',
      1_000,
      `route \`r1\` made 1000 messages and left out 2 messages of the last element: ${full}`,
    ],
  ]);
  expect(made([three], list(335))).toEqual([
    [
      'matched',
      1_000,
      `route \`r1\` made 1000 messages and left out 2 messages of the last element and 1 more element: ${full}`,
    ],
  ]);
});

it('a list that is too long of receivers makes the first thousand messages, and is a bound of each route', () => {
  expect(made([EACH, EACH, {}], list(1_000)).map((one) => one[1])).toEqual([1_000, 1_000, 1]);
  const numbers = Array.from({ length: 1_200 }, (_, at) => `4917139${20_000 + at}`);
  const routes = [{ name: 'r1', to: 'many', send: TEXT }];
  const [result] = routeEvent(eventOf(sourceOf({ routes }, { recipients: { many: { numbers } } })));
  expect(result?.messages.map(({ phone }) => phone)).toEqual(numbers.slice(0, 1_000));
  expect(result?.notes?.map(({ reason }) => reason)).toEqual([
    'route `r1` made 1000 messages and left out 200 more: a route may make 1000 messages from a webhook',
  ]);
});

it('a list that is too long makes ten thousand messages in all routes together', () => {
  const results = made([...Array.from({ length: 10 }, () => EACH), {}, EACH], list(1_000));
  const why = 'a webhook may make 10000 messages, with an item counted once per receiver';
  expect(results.slice(0, 10).every(([, count]) => count === 1_000)).toBe(true);
  expect(results.slice(10)).toEqual([
    ['matched', 0, `route \`r11\` left out all messages: ${why}`],
    ['matched', 0, `route \`r12\` left out 1000 elements: ${why}`],
  ]);
});

it('a list that is too long makes as many characters as can be handed over at once, over all routes', () => {
  const route = { ...EACH, max_length: 65_536, send: { kind: 'text', message: '{{ payload.long }}' } };
  const long = 'é'.repeat(50_000);
  const why = 'the texts of a webhook may have 4200000 characters in total';
  expect(made([route], { ...list(84), long })).toEqual([['matched', 84]]);
  expect(made([route, {}], { ...list(86), long })).toEqual([
    [
      'matched',
      84,
      `route \`r1\` made 84 messages and left out 1 message of the last element and 1 more element: ${why}`,
    ],
    ['matched', 0, `route \`r2\` left out all messages: ${why}`],
  ]);
  expect(made([{ ...route, to: [PHONE, OTHER_PHONE] }], { ...list(43), long })[0]?.[1]).toBe(84);
});

it('a list that is too long of elements that fail is given up after a thousand of them', () => {
  const [result] = take([{ ...EACH, to: '{{ item.phone }}' }], {
    items: [...Array.from({ length: 1_500 }, () => ({})), { phone: `+${PHONE}` }],
  });
  expect(result).toMatchObject({ result: 'failed', messages: [] });
  expect(result?.failures).toHaveLength(1_000);
  expect(result?.notes?.[0]?.reason).toContain('left out 501 elements');
});

it('a list that is too long of elements that `once` leaves out, or a silence, is looked at up to ten thousand', () => {
  expect(made([{ ...EACH, once: '{{ item }}' }], list(10_001))).toEqual([
    [
      'matched',
      1,
      'route `r1` made 1 message and left out 1 more element: a route looks at 10000 elements of a webhook',
      'elements left out because their `once` value is repeated: 9999 (route r1)',
    ],
  ]);
});

/** The number of each route's messages, and its notes on the rest. */
const takeUpTo = (most: number, routes: readonly object[], payload: unknown = list(5)) => {
  const named = routes.map((route, at) => ({ name: `r${at + 1}`, to: PHONE, send: TEXT, ...route }));
  const source = sourceOf({ limit: { messages_per_minute: most }, routes: named });
  return routeEvent(eventOf(source, { payload })).map(({ result, messages, notes = [] }) => [
    result,
    messages.length,
    ...notes.map(({ reason }) => reason),
  ]);
};
const why = (most: number) => `its source may make ${most} messages a minute (\`limit.messages_per_minute\`)`;

const two = [PHONE, OTHER_PHONE];
it('a source that may make a few messages a minute leaves out what is beyond them, and says so', () => {
  const pieces = {
    max_length: 40,
    overflow: 'split',
    send: { kind: 'text', message: 'a few words '.repeat(8) },
  };
  for (const [most, route, count, leftOut] of [
    [3, EACH, 3, 'elements 4 to 5'],
    [4, EACH, 4, 'element 5'],
    [3, { ...EACH, to: two }, 3, '1 message of element 2 and elements 3 to 5'],
    [9, { ...EACH, to: two }, 9, '1 message of element 5'],
    [1, { to: two }, 1, '1 message'],
    [5, { to: two, ...pieces }, 3, '3 messages'],
  ] as const) {
    const note = `route \`r1\` left out ${leftOut}: ${why(most)}`;
    expect(takeUpTo(most, [route])).toEqual([['matched', count, note]]);
  }
  expect(takeUpTo(6, [EACH, EACH, {}, NEVER])).toEqual([
    ['matched', 5],
    ['matched', 1, `route \`r2\` left out elements 2 to 5: ${why(6)}`],
    ['matched', 0, `route \`r3\` left out all messages: ${why(6)}`],
    ['not_matched', 0],
  ]);
  expect(takeUpTo(5, [EACH])).toEqual([['matched', 5]]);
  expect(takeUpTo(10, [{ ...EACH, to: two }])).toEqual([['matched', 10]]);
});

it('a source that may make a few messages a minute makes exactly as many as it may, whatever routes, receivers and elements there are', () => {
  const route = fc.record({ each: fc.boolean(), both: fc.boolean(), later: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(route, { minLength: 1, maxLength: 4 }),
      fc.nat(12),
      fc.integer({ min: 1, max: 40 }),
      (routes, length, most) => {
        const named = routes.map(({ each, both, later }, at) => ({
          name: `r${at}`,
          to: both ? two : PHONE,
          send: TEXT,
          ...(each && EACH),
          ...(later && { throttle: { max: 1, per: '1m' } }),
        }));
        const source = sourceOf({ limit: { messages_per_minute: most }, routes: named });
        const results = routeEvent(eventOf(source, { payload: list(length) }));
        const all = routes.reduce((sum, { each, both }) => sum + (each ? length : 1) * (both ? 2 : 1), 0);
        expect(results.reduce((sum, one) => sum + messagesOf(one), 0)).toBe(Math.min(all, most));
        expect(results.some(({ notes = [] }) => notes.length > 0)).toBe(all > most);
      },
    ),
  );
});

it('a source that may make a few messages a minute does not count where a person asks for all of it', () => {
  const source = sourceOf({
    limit: { messages_per_minute: 1 },
    routes: [{ name: 'r1', to: PHONE, send: TEXT, ...EACH }],
  });
  const [result] = routeEvent(eventOf(source, { payload: list(5) }), undefined, 'person');
  expect(result?.messages).toHaveLength(5);
});

const now = Date.parse('2026-11-22T10:00:00Z'); // fixed date: `now` is an argument
const config = configOf(
  {
    shop: {
      verify: { scheme: 'none' },
      routes: [
        { name: 'each', to: PHONE, each: 'payload.list', send: TEXT },
        { name: 'whole', to: PHONE, send: TEXT },
        { name: 'later', to: PHONE, each: 'payload.list', incident: { key: '{{ item.env }}' }, send: TEXT },
      ],
    },
  },
  {
    silences: {
      staging: { when: 'item.env == "staging"' },
      tests: { when: 'payload.test' },
      over: { when: 'true', until: '2026-11-22T09:59:59Z' }, // fixed date: `now` is an argument
    },
  },
);
const source = config.sources.get('shop');
const silenced = (payload: unknown) =>
  source === undefined ? [] : routeEvent(eventOf(source, { payload }), silencing(config, now));

it('a silence makes no message of what it holds for, be it the whole event, and says of which elements', () => {
  const [each, whole] = silenced({ list: [{ env: 'live' }, { env: 'staging' }] });
  expect(each?.messages).toHaveLength(1);
  expect(each).toMatchObject({ result: 'matched', silenced: [{ index: 2, silence: 'staging' }] });
  expect(whole?.messages).toHaveLength(1);
  expect(whole).not.toHaveProperty('silenced');
  const held = { route: 'whole', result: 'matched', messages: [], failures: [] };
  const all = silenced({ list: [], test: true })[1];
  expect(all).toEqual({ ...held, silenced: [{ index: 1, silence: 'tests' }] });
});

it('a silence holds nothing back that is reported later: it may be over by then', () => {
  const later = silenced({ list: [{ env: 'staging' }] })[2];
  expect(later?.items).toHaveLength(1);
  expect(later).not.toHaveProperty('silenced');
});
