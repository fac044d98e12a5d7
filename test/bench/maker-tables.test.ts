import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KIND_NAMES } from '../../src/gateway/kinds.ts';
import { makerRows } from '../gateway/makers/calls.ts';
import { safeShare } from './maker-tables.ts';

it('docs/performance/makers.md has each gateway and kind of message, or `npm run bench:makers` is due', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/performance/makers.md'), 'utf8');
  const tablesWith = (id: string): number =>
    page.split('\n').filter((line) => line.startsWith(`| \`${id}\` `)).length;
  const ids = ['v2', ...makerRows('http://localhost').map(({ id }) => id)];
  expect(ids.filter((id) => tablesWith(id) !== 3)).toEqual([]);
  const head = page.split('\n').find((line) => line.startsWith('| `gateway:`')) ?? '';
  const columns = head.split('|').map((cell) => cell.trim());
  expect(columns.slice(2, -1)).toEqual(KIND_NAMES);
});

it('a repeat counts as harmless only among the calls that arrived', () => {
  const cuts = [
    { cut: 'before it is read', calls: 10, uncertain: 10, twice: 0 },
    { cut: 'after it is read', calls: 10, uncertain: 10, twice: 5 },
    { cut: 'in the answer', calls: 10, uncertain: 8, twice: 0 },
  ] as const;
  expect(safeShare(cuts)).toBe(0.75);
});
