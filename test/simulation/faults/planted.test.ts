import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLANTED } from './planted.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/guarantees/simulation.md'), 'utf8');

it('the table of planted faults in docs/guarantees/simulation.md has each fault once, and no other', () => {
  const table = PAGE.slice(PAGE.indexOf('\n| planted fault ')).trim().split('\n\n')[0] ?? '';
  const names = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|')[1]?.trim() ?? '');
  expect(names.toSorted()).toEqual(Object.keys(PLANTED).toSorted());
});
