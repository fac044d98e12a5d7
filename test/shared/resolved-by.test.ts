import { expect, test } from 'vitest';
import { losingIn, resolvedBy } from '../../shared/resolved-by.ts';

const alerting = { name: 'on-call', to: 'team', incident: { key: '{{ payload.id }}' } };
const plain = { name: 'on-call', to: 'team' };
const sourceOf = (routes: readonly object[], more: object = {}) => ({ provider: 'generic', routes, ...more });

const open = (source: string, count: number) => ({ source, open: count });

test('a source that stays as it is loses nothing, whatever else of it changes', () => {
  const before = { a: sourceOf([alerting]) };
  expect(losingIn(before, before)).toEqual([]);
  expect(losingIn(before, { a: sourceOf([{ ...alerting, to: 'others' }], { account: 'default' }) })).toEqual(
    [],
  );
  expect(losingIn({ b: sourceOf([plain]) }, {})).toEqual([]);
});

test('a source that is gone, moves, or has no incidents any more loses all of them', () => {
  const before = { a: sourceOf([alerting]) };
  const all = [{ source: 'a', isAll: true }];
  expect(losingIn(before, {})).toEqual(all);
  expect(losingIn(before, { a: sourceOf([alerting], { account: 'sales' }) })).toEqual(all);
  expect(losingIn(before, { a: sourceOf([plain]) })).toEqual(all);
  expect(losingIn(before, { a: sourceOf([{ ...alerting, name: 'renamed' }]) })).toEqual(all);
});

test('a source that keeps some of its alerting routes loses some', () => {
  const two = sourceOf([alerting, { ...alerting, name: 'team' }, { name: 'mail' }]);
  expect(losingIn({ a: two }, { a: sourceOf([alerting]) })).toEqual([{ source: 'a', isAll: false }]);
});

test('a document that is not written yet as it has to be is no error', () => {
  expect(losingIn({ a: sourceOf([alerting]) }, { a: { routes: [null, 'x'] } })).toEqual([
    { source: 'a', isAll: true },
  ]);
});

test('the incidents of all of them are counted, and only sources that have some are named', () => {
  const losing = [
    { source: 'a', isAll: true },
    { source: 'b', isAll: true },
    { source: 'calm', isAll: false },
  ];
  const now = [open('a', 2), open('b', 1), open('other', 9)];
  expect(resolvedBy(losing, now)).toEqual({ count: 3, sources: ['a', 'b'], isExact: true });
  expect(resolvedBy([{ source: 'a', isAll: false }], now)).toMatchObject({ count: 2, isExact: false });
  expect(resolvedBy([], now)).toEqual({ count: 0, sources: [], isExact: true });
});
