import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { barred } from '../../cli/ask.ts';

const LONG = 'Quiet hours, such as 22:00-07:00, for all that is not urgent (empty: none)';

it.each([80, 60, 40])('breaks a question at spaces, beside its line, in %i columns', (columns) => {
  const lines = stripVTControlCharacters(barred(LONG, columns)).split('\n');
  expect(Math.max(...lines.map((line, at) => line.length + (at === 0 ? 3 : 0)))).toBeLessThanOrEqual(columns);
  expect(lines.map((line) => line.replace(/^│ {2}/, '')).join(' ')).toBe(LONG);
  expect(lines.slice(1).every((line) => line.startsWith('│  '))).toBe(true);
});
