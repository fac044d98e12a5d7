import { describe, expect, it } from 'vitest';
import { keyOfItem, keyOfItems } from '../../src/provider/lookup.ts';

const EVENTS = { at: '', id: ['body:sg_event_id'] } as const;
const NESTED = { at: 'data.events', id: ['body:uuid', ['body:kind', 'body:at']] } as const;

/** A request of Meta's shape: the ids of each entry. */
const request = (...ids: readonly (readonly string[])[]) => ({
  entry: ids.map((of) => ({ changes: of.map((id) => ({ id })) })),
});

it('the id of one thing of a list is found by the first place that has one', () => {
  expect(keyOfItem(EVENTS, { sg_event_id: 'a' })).toBe('a');
  expect(keyOfItem(NESTED, { kind: 'login', at: 5 })).toBe('login:5');
  for (const item of [null, 'text', {}, { sg_event_id: {} }, { sg_event_id: '' }, []])
    expect(keyOfItem(EVENTS, item)).toBeNull();
});

const thing = (sg_event_id: string) => ({ sg_event_id });

describe('the id of a whole list', () => {
  it('is its only thing’s, where the list stands', () => {
    expect(keyOfItems(EVENTS, [thing('a')])).toBe('a');
    expect(keyOfItems(NESTED, { data: { events: [{ uuid: 'u' }] } })).toBe('u');
  });

  it('is one for the same things in the same order, and another for others', () => {
    const key = keyOfItems(EVENTS, [thing('a'), thing('b')]);
    expect(key).toMatch(/^items:[0-9a-f]{64}$/);
    expect(keyOfItems(EVENTS, [thing('a'), { ...thing('b'), more: 1 }])).toBe(key);
    expect(keyOfItems(EVENTS, [thing('b'), thing('a')])).not.toBe(key);
    expect(keyOfItems(EVENTS, [thing('a","b'), thing('')])).toBeNull();
  });

  it('is of the lists in all entries: what came before beside something new is no duplicate', () => {
    const entries = { at: 'entry.*.changes', id: ['body:id'] } as const;
    expect(keyOfItems(entries, request(['a']))).toBe('a');
    expect(keyOfItems(entries, request(['a'], ['b']))).not.toBe('a');
    expect(keyOfItems(entries, request(['a'], ['b']))).toBe(keyOfItems(entries, request(['a', 'b'])));
    expect(keyOfItems(entries, { entry: [{ changes: [{ id: 'a' }] }, { other: 1 }] })).toBeNull();
    expect(keyOfItems(entries, { entry: 'a' })).toBeNull();
  });

  it('is none where something in it could not be distinguished from others', () => {
    for (const payload of [[], {}, null, [thing('a'), {}]]) expect(keyOfItems(EVENTS, payload)).toBeNull();
  });
});
