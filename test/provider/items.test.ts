import { describe, expect, it } from 'vitest';
import { keyOfItem, keyOfItems } from '../../src/provider/items.ts';

const EVENTS = { at: '', id: ['body:sg_event_id'] } as const;
const NESTED = { at: 'data.events', id: ['body:uuid', ['body:kind', 'body:at']] } as const;

/** A request of Meta's shape: the ids of each entry. */
const request = (...ids: readonly (readonly string[])[]) => ({
  entry: ids.map((of) => ({ changes: of.map((id) => ({ id })) })),
});

describe('the id of one thing of a list', () => {
  it('is found by the first place that has one', () => {
    expect(keyOfItem(EVENTS, { sg_event_id: 'a' })).toBe('a');
    expect(keyOfItem(NESTED, { kind: 'login', at: 5 })).toBe('login:5');
  });

  it.each([null, 'text', {}, { sg_event_id: {} }, { sg_event_id: '' }, []])('of %j is none', (item) => {
    expect(keyOfItem(EVENTS, item)).toBeNull();
  });
});

describe('the id of a whole list', () => {
  it('is its only thing’s', () => {
    expect(keyOfItems(EVENTS, [{ sg_event_id: 'a' }])).toBe('a');
  });

  it('is one for the same things in the same order, and another for others', () => {
    const key = keyOfItems(EVENTS, [{ sg_event_id: 'a' }, { sg_event_id: 'b' }]);
    expect(key).toMatch(/^items:[0-9a-f]{64}$/);
    expect(keyOfItems(EVENTS, [{ sg_event_id: 'a' }, { sg_event_id: 'b', more: 1 }])).toBe(key);
    expect(keyOfItems(EVENTS, [{ sg_event_id: 'b' }, { sg_event_id: 'a' }])).not.toBe(key);
    expect(keyOfItems(EVENTS, [{ sg_event_id: 'a","b' }, { sg_event_id: '' }])).toBeNull();
  });

  it('is read where the list stands', () => {
    expect(keyOfItems(NESTED, { data: { events: [{ uuid: 'u' }] } })).toBe('u');
  });

  it('is of the lists in all entries: what came before beside something new is no duplicate', () => {
    const entries = { at: 'entry.*.changes', id: ['body:id'] } as const;
    expect(keyOfItems(entries, request(['a']))).toBe('a');
    expect(keyOfItems(entries, request(['a'], ['b']))).not.toBe('a');
    expect(keyOfItems(entries, request(['a'], ['b']))).toBe(keyOfItems(entries, request(['a', 'b'])));
    expect(keyOfItems(entries, { entry: [{ changes: [{ id: 'a' }] }, { other: 1 }] })).toBeNull();
    expect(keyOfItems(entries, { entry: 'a' })).toBeNull();
  });

  it.each([[[]], [{}], [null], [[{ sg_event_id: 'a' }, {}]]])(
    'is none for %j: something in it could not be distinguished from others',
    (payload) => {
      expect(keyOfItems(EVENTS, payload)).toBeNull();
    },
  );
});
