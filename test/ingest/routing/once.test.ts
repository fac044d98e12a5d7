import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeEvent, silencing } from '../../../src/ingest/routing/match.ts';
import { configOf, eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';

const ROUTE = {
  name: 'paid',
  to: PHONE,
  once: '{{ payload.id }}:paid',
  send: { kind: 'text', message: 'n {{ item.n }}' },
};
const EACH = { each: 'payload.list', once: '{{ item.id }}' };

/** The route's result for a payload. */
function take(route: object, payload: unknown) {
  const [result] = routeEvent(eventOf(sourceOf({ routes: [{ ...ROUTE, ...route }] }), { payload }));
  if (result === undefined) throw new Error('no result');
  return result;
}
const list = (...ids: readonly unknown[]) => ({ list: ids.map((id, at) => ({ id, n: at + 1 })) });
const keysOf = (...given: Parameters<typeof take>) => take(...given).messages.map(({ once }) => once);

it('the key of a message is the rendered text, trimmed, the same for each receiver, each element’s own, and not there if it is empty', () => {
  expect(keysOf({ to: [PHONE, OTHER_PHONE], once: ' {{ payload.id }} ' }, { id: 7 })).toEqual(['7', '7']);
  expect(keysOf({ ...EACH, once: '{{ index }}-{{ item.id }}' }, list('a', 'b'))).toEqual(['1-a', '2-b']);
  expect(keysOf({ once: '{{ payload.id }}' }, {})).toEqual([undefined]);
  expect(keysOf({ once: undefined }, { id: 7 })).toEqual([undefined]);
});

it('the key of a message that is long is short, and still differs where the texts do', () => {
  const long = 'x'.repeat(3_000);
  const [one = '', other = ''] = keysOf(EACH, list(`${long}1`, `${long}2`));
  expect(one).not.toBe(other);
  expect(Math.max(one.length, other.length)).toBeLessThanOrEqual(256);
});

it('the key of a message that cannot be rendered holds nothing up: it is sent, and the event says why', () => {
  const { messages, result, notes } = take({ once: '{{ payload.id | sum }}' }, { id: ['x'] });
  expect(result).toBe('matched');
  expect(messages).toHaveLength(1);
  expect(messages[0]).not.toHaveProperty('once');
  expect(notes?.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^route `paid`, parameter `once` \(.*not a number.*: treated as new$/),
  ]);
});

it('elements of one event with the same key make one message, and the event says how many were left out', () => {
  const { messages, notes } = take(EACH, list('a', 'b', 'a', 'a'));
  expect(messages.map(({ params }) => params['message'])).toEqual(['n 1', 'n 2']);
  expect(notes?.map(({ reason }) => reason)).toEqual([
    'elements left out because their `once` value is repeated: 2 (route paid)',
  ]);
});

it('elements of one event with the same key make it of the first one that can be rendered, and one each of several routes', () => {
  const send = { kind: 'text', message: '{{ item.words }}' };
  const { messages } = take({ ...EACH, send }, { list: [{ id: 'a' }, { id: 'a', words: 'here' }] });
  expect(messages.map(({ params }) => params['message'])).toEqual(['here']);
  const routes = [ROUTE, { ...ROUTE, name: 'again' }].map((route) => ({ ...route, ...EACH }));
  const results = routeEvent(eventOf(sourceOf({ routes }), { payload: list('a', 'a') }));
  expect(results.map((one) => one.messages.length)).toEqual([1, 1]);
});

it('elements of one event with the same key are as many messages as there are keys, and the first of each, in any list', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 }), (ids) => {
      const reported = take(EACH, list(...ids)).messages.map(({ params }) =>
        Number(params['message']?.slice(2)),
      );
      const expected = ids.flatMap((id, at) => (id === '' || ids.indexOf(id) === at ? [at + 1] : []));
      expect(reported).toEqual(expected);
    }),
  );
});

it('the resolution of an incident has no key: it is sent to those who know of the beginning', () => {
  const incident = { key: '{{ item.id }}', resolved: 'item.over' };
  const alerts = { list: [{ id: 'a' }, { id: 'a', over: true }] };
  const { items } = take({ ...EACH, incident }, alerts);
  expect(items?.map(({ isResolved, once }) => [isResolved, once])).toEqual([
    [false, 'a'],
    [true, undefined],
  ]);
});

it('a silenced element does not use its key up', () => {
  const silences = { quiet: { when: 'item.n == 1' } };
  const config = configOf(
    { shop: { verify: { scheme: 'none' }, routes: [{ ...ROUTE, ...EACH }] } },
    { silences },
  );
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error('no source');
  const event = eventOf(source, { payload: list('a', 'a') });
  const [result] = routeEvent(event, silencing(config, event.receivedAt));
  expect(result?.silenced).toHaveLength(1);
  expect(result?.messages.map(({ params }) => params['message'])).toEqual(['n 2']);
});
