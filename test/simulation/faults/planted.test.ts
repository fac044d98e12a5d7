import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLANTED } from './planted.ts';

const PAGE = join(import.meta.dirname, '../../../docs/guarantees/simulation.md');

it('the page of the simulation names each planted fault, and no other', () => {
  const section = readFileSync(PAGE, 'utf8').split('<!-- planted -->')[1] ?? '';
  const named = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, name]) => name).slice(2);
  expect(named).toEqual(Object.keys(PLANTED));
});
