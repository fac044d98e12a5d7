import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const doc = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** `performance/templates.md` is not among them: a script writes it as a whole. */
const PAGES = ['performance.md', 'performance/figures.md'];

/** The rows outside the sections that scripts write. */
const rowsByHand = (page: string): readonly string[] =>
  page
    .replaceAll(/<!-- ([\w-]+) -->[^]*?<!-- \/\1 -->/g, '')
    .split('\n')
    .filter((line) => line.startsWith('|'));

describe('the pages on performance', () => {
  it.each(PAGES)('%s has no table with figures that a script does not write', (name) => {
    const rows = rowsByHand(doc(name));
    expect(rows.filter((row) => /\d/.test(row.replaceAll(/`[^`]*`|\([^)]*\)/g, '')))).toEqual([]);
  });
});

describe('the memory of an object in docs/limits.md', () => {
  it('is what was measured last', () => {
    const row = /^\| \*\*together\*\* .*$/m.exec(doc('performance/figures.md'))?.[0] ?? '';
    const [short, long, full] = [...row.matchAll(/[\d.]+/g)].map(([mib]) => Math.round(Number(mib)));
    const limits = doc('limits.md');
    expect(limits).toContain(`[${short} MiB, or ${long} MiB with long keys and texts]`);
    expect(limits).toContain(`all take ${full} MiB`);
  });
});
