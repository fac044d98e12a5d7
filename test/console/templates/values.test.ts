import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../../console/pages/templates/editor/scope.ts';
import { hintOf, keysOf, valueAt } from '../../../console/pages/templates/editor/values.ts';

const scope = { payload: { lines: [{ title: 'Tea' }, { title: 'Cups' }], 'First name': 'Ada', n: null } };

describe('a value in the webhook', () => {
  it('is found by keys, places and ends of lists', () => {
    expect(valueAt(scope, ['payload', 'lines', 1, 'title'])).toBe('Cups');
    expect(valueAt(scope, ['payload', 'lines', 'last', 'title'])).toBe('Cups');
    expect(valueAt(scope, ['payload', 'nobody', 'title'])).toBeUndefined();
    expect(valueAt(scope, ['constructor'])).toBeUndefined();
  });

  it('is found by a name of the text, and a name that stands for itself finds nothing', () => {
    const locals = [
      { name: 'line', path: ['payload', 'lines', 0] },
      { name: 'x', path: ['x'] },
    ];
    expect(valueAt(scope, ['line', 'title'], locals)).toBe('Tea');
    expect(valueAt(scope, ['x'], locals)).toBeUndefined();
  });

  it('has keys as they are written after it', () => {
    expect(keysOf(scope.payload).map(({ step, hint }) => [step, hint])).toEqual([
      ['.lines', '[2]'],
      ['["First name"]', '"Ada"'],
      ['.n', 'null'],
    ]);
    expect(keysOf(scope.payload.lines).map(({ step }) => step)).toEqual(['.first', '.last', '.size']);
    expect(keysOf('text')).toEqual([]);
  });

  it('is hinted at in a few words', () => {
    expect(hintOf('x'.repeat(100_000)).length).toBeLessThan(60);
    expect(hintOf('<b>')).toBe('"<b>"');
    expect(hintOf({ a: 1 })).toBe('{…}');
  });
});

it('a route with `each` sees the first element beside the whole webhook', () => {
  const event = { type: 'a', dedupe_key: null, headers: {}, query: {}, payload: scope.payload };
  expect(scopeOf({ event }, 'payload.lines')).toMatchObject({ item: { title: 'Tea' }, index: 1 });
  expect(scopeOf({ event }, null)).not.toHaveProperty('item');
  expect(scopeOf(null, null)).toEqual({});
});
