import { expect, test } from 'vitest';
import type { OpenIncidents } from '../../../console/api/types.ts';
import { losingIn, resolvedBy } from '../../../console/parts/incident/resolved-by.ts';

const alerting = { name: 'on-call', to: 'team', incident: { key: '{{ payload.id }}' } };
const plain = { name: 'on-call', to: 'team' };
const source = (routes: readonly object[], more: object = {}) => ({ provider: 'generic', routes, ...more });

const open = (name: string, count: number): OpenIncidents => ({
  source: name,
  open: count,
  unattended: count,
  acknowledged: 0,
  silenced: 0,
  inhibited: 0,
  critical: 0,
  fired_at: null,
  newest: null,
});

test('a source that stays as it is loses nothing, whatever else of it changes', () => {
  const before = { a: source([alerting]) };
  expect(losingIn(before, before)).toEqual([]);
  expect(losingIn(before, { a: source([{ ...alerting, to: 'others' }], { account: 'default' }) })).toEqual(
    [],
  );
  expect(losingIn({ b: source([plain]) }, {})).toEqual([]);
});

test('a source that is gone, moves, or has no incidents any more loses all of them', () => {
  const before = { a: source([alerting]) };
  const all = [{ source: 'a', isAll: true }];
  expect(losingIn(before, {})).toEqual(all);
  expect(losingIn(before, { a: source([alerting], { account: 'sales' }) })).toEqual(all);
  expect(losingIn(before, { a: source([plain]) })).toEqual(all);
  expect(losingIn(before, { a: source([{ ...alerting, name: 'renamed' }]) })).toEqual(all);
});

test('a source that keeps some of its alerting routes loses some', () => {
  const two = source([alerting, { ...alerting, name: 'team' }, { name: 'mail' }]);
  expect(losingIn({ a: two }, { a: source([alerting]) })).toEqual([{ source: 'a', isAll: false }]);
});

test('a document that is not written yet as it has to be is no error', () => {
  expect(losingIn({ a: source([alerting]) }, { a: { routes: [null, 'x'] } })).toEqual([
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
