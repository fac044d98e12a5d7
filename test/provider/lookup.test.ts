import { describe, expect, it } from 'vitest';
import { type Lookup, lookup } from '../../src/provider/lookup.ts';

const facts = {
  payload: {
    id: 'evt_1',
    number: 42,
    empty: '',
    none: null,
    nested: { list: [{ id: 'x' }] },
    long: 'x'.repeat(257),
  },
  headers: new Headers({ 'X-Topic': 'orders/create', 'X-Long': 'x'.repeat(257) }),
  query: new URLSearchParams('id=7'),
};
const find = (...lookups: Lookup[]) => lookup(lookups, facts);

describe('lookup', () => {
  it.each([
    ['body:id', 'evt_1'],
    ['body:number', '42'],
    ['body:nested.list.0.id', 'x'],
    ['header:x-topic', 'orders/create'],
    ['query:id', '7'],
  ] as const)('finds %s', (one, found) => {
    expect(find(one)).toBe(found);
  });

  it('joins several that are found together, and finds nothing when one is missing or empty', () => {
    expect(find(['body:id', 'body:number'])).toBe('evt_1:42');
    expect(find(['body:id', 'body:missing'], 'query:id')).toBe('7');
    expect(find(['body:id', 'body:empty'])).toBeNull();
    expect(find(['body:id', 'body:long'])).toBeNull();
  });

  it('takes the first that is there, text and not empty', () => {
    expect(
      find('body:empty', 'body:none', 'body:nested', 'body:missing.id', 'header:X-None', 'query:id'),
    ).toBe('7');
  });

  it('passes over what is too long to be an id', () => {
    expect(find('body:long', 'header:X-Long')).toBeNull();
    expect(find('body:long', 'body:id')).toBe('evt_1');
  });

  it('finds nothing inherited', () => {
    expect(find('body:constructor.name', 'body:toString', 'body:__proto__.x')).toBeNull();
  });

  it.each([null, undefined, 'text', 5, []])('finds nothing in the payload %j', (payload) => {
    expect(lookup(['body:id'], { ...facts, payload })).toBeNull();
  });

  it('finds nothing where there is nothing to look at', () => {
    expect(find()).toBeNull();
  });
});
