import { expect, it } from 'vitest';
import { type Lookup, lookup } from '../../src/provider/lookup.ts';

const LONG = 'x'.repeat(257);
const facts = {
  payload: { id: 'evt_1', number: 42, empty: '', none: null, nested: { list: [{ id: 'x' }] }, long: LONG },
  headers: new Headers({ 'X-Topic': 'orders/create', 'X-Long': LONG }),
  query: new URLSearchParams('id=7'),
};
const find = (...lookups: Lookup[]) => lookup(lookups, facts);

it('finds a fact in the body, a header or the query', () => {
  const places = ['body:id', 'body:number', 'body:nested.list.0.id', 'header:x-topic', 'query:id'] as const;
  expect(places.map((place) => find(place))).toEqual(['evt_1', '42', 'x', 'orders/create', '7']);
});

it('joins several that are found together, and finds nothing when one is missing, empty or too long', () => {
  expect(find(['body:id', 'body:number'])).toBe('evt_1:42');
  expect(find(['body:id', 'body:missing'], 'query:id')).toBe('7');
  expect(find(['body:id', 'body:empty'])).toBeNull();
  expect(find(['body:id', 'body:long'])).toBeNull();
});

it('takes the first that is there, text, not empty and not too long to be an id', () => {
  const none = ['body:empty', 'body:none', 'body:nested', 'body:missing.id', 'header:X-None'] as const;
  expect(find(...none, 'body:long', 'header:X-Long', 'query:id')).toBe('7');
  expect(find(...none, 'body:long', 'header:X-Long')).toBeNull();
});

it('finds nothing inherited, and nothing in what is no object', () => {
  expect(find('body:constructor.name', 'body:toString', 'body:__proto__.x')).toBeNull();
  for (const payload of [null, undefined, 'text', 5, []])
    expect(lookup(['body:id'], { ...facts, payload })).toBeNull();
});
