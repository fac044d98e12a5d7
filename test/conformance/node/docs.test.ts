import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { answersTable, checksTable, factsTable, openBodies } from '../page/provider-tables.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/providers.md'), 'utf8');

/** A table without what only makes it look even. */
const bare = (text: string): string => text.replaceAll(/-+(?= \|)| /g, '').trim();

/** The anchors of a document's headings. */
const anchors = (file: string): Set<string> => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs', file), 'utf8');
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
};

describe('how many providers there are', () => {
  it.each(['README.md', 'CHANGELOG.md', 'docs/providers.md'])('is what %s says', (file) => {
    const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
    const counts = [...text.matchAll(/\b(\d+) providers(?:\]\(docs\/providers\.md\)| are built in)/g)];
    expect(counts.map(([, count]) => Number(count))).toEqual([providers.size]);
  });
});

describe('docs/providers.md', () => {
  it('has every provider in its tables, in their order', () => {
    const ids = [...providers.keys()];
    const tables = page.split(/\n\n/).filter((block) => block.startsWith('| `provider`'));
    const columns = tables.map((table) =>
      table
        .split('\n')
        .slice(2)
        .map((line) => line.split('`')[1]),
    );
    expect(columns.filter((column) => column.length >= ids.length)).toEqual([ids, ids]);
  });

  it.each([
    ['facts', factsTable],
    ['answers', answersTable],
    ['open', openBodies],
  ])('has the %s of the catalogue as they are: `npm run docs:providers` writes them', (name, made) => {
    const [, section = ''] = page.split(new RegExp(`<!-- /?${name} -->`));
    expect(bare(section)).toBe(bare(made()));
  });

  it('says how many rules were checked, and how often', () => {
    const test = { group: '', state: 'passed' };
    const made = checksTable([
      { ...test, title: 'a rule of each provider', subjects: 1_000 },
      { ...test, title: 'a rule of each provider', subjects: 200 },
      { ...test, title: 'another', subjects: 3 },
      { ...test, title: 'no rule' },
    ]);
    const sentence = /^The \d+ checks, for \d+ ways in which \d+ providers sign \((.*)\):$/m;
    expect(sentence.exec(made)?.[1]).toBe('2 rules, checked 1,203 times');
    expect(sentence.exec(page)?.[1]).toMatch(/^\d+ rules, checked [\d,]+ times$/);
  });

  it('has no links that lead nowhere in these documents', () => {
    for (const [, file = '', anchor = ''] of page.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g))
      expect(anchors(file === '' ? 'providers.md' : file), `${file}#${anchor}`).toContain(anchor);
  });
});
