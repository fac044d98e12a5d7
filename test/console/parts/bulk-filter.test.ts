import { expect, test } from 'vitest';
import { bulkFilter } from '../../../console/parts/bulk/bulk-filter.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test('has the filters that are set, of those that it knows', () => {
  const query = { source: 'shop', state: '', live: 'off', type: 'paid' };
  expect(bulkFilter(query, ['source', 'state', 'type'], NOW)).toEqual({ source: 'shop', type: 'paid' });
});

test.each([
  ['2h', '2026-11-22T10:00:00.000Z'],
  ['15m', '2026-11-22T11:45:00.000Z'],
  ['7d', '2026-11-15T12:00:00.000Z'],
  ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  // The API says what is wrong with it.
  ['soon', 'soon'],
])('since %s is a moment that stays the same: %s', (since, moment) => {
  expect(bulkFilter({ since }, ['since'], NOW)).toEqual({ since: moment });
});
