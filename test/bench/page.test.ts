import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeMachine } from './page.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** `performance/templates.md` is not among them: a script writes it as a whole. */
const PAGES = ['performance.md', 'performance/figures.md', 'performance/makers.md'];

/** The rows outside the sections that scripts write. */
const rowsByHand = (page: string): readonly string[] =>
  page
    .replaceAll(/<!-- ([\w-]+) -->[^]*?<!-- \/\1 -->/g, '')
    .split('\n')
    .filter((line) => line.startsWith('|'));

describe('the pages on performance', () => {
  it.each(PAGES)('%s has no table with figures that a script does not write', (name) => {
    const rows = rowsByHand(readFileSync(join(DOCS, name), 'utf8'));
    expect(rows.filter((row) => /\d/.test(row.replaceAll(/`[^`]*`|\([^)]*\)/g, '')))).toEqual([]);
  });
});

describe('a machine', () => {
  it('is named, and its load when it had other work to do', () => {
    expect(describeMachine(2, 'AMD EPYC', 0.5)).toBe('2 cores (AMD EPYC)');
    expect(describeMachine(2, 'AMD EPYC', 8.04)).toBe('2 cores (AMD EPYC), **not quiet: load 8.0**');
  });
});
