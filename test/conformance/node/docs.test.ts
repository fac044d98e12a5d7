import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { answersTable, checksTable, factsTable, openBodies } from '../page/provider-tables.ts';

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
const page = textOf('docs/providers.md');

/** A table without what only makes it look even. */
const bare = (text: string): string => text.replaceAll(/-+(?= \|)| /g, '').trim();

/** The anchors of a document's headings. */
const anchors = (file: string): readonly string[] =>
  [...textOf(`docs/${file}`).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

it('the pages say how many providers there are', () => {
  for (const file of ['README.md', 'CHANGELOG.md', 'docs/providers.md']) {
    const counts = [
      ...textOf(file).matchAll(/\b(\d+) providers(?:\]\(docs\/providers\.md\)| are built in)/g),
    ];
    expect([file, ...counts.map(([, count]) => Number(count))]).toEqual([file, providers.size]);
  }
});

describe('docs/providers.md', () => {
  it('has every provider in its tables, in their order, and the facts of the catalogue', () => {
    const ids = [...providers.keys()];
    const tables = page.split(/\n\n/).filter((block) => block.startsWith('| `provider`'));
    const columns = tables.map((table) =>
      table
        .split('\n')
        .slice(2)
        .map((line) => line.split('`')[1]),
    );
    expect(columns.filter((column) => column.length >= ids.length)).toEqual([ids, ids]);
    // `npm run docs:providers` writes them.
    for (const [name, made] of [
      ['facts', factsTable],
      ['answers', answersTable],
      ['open', openBodies],
    ] as const) {
      const [, section = ''] = page.split(new RegExp(`<!-- /?${name} -->`));
      expect(bare(section)).toBe(bare(made()));
    }
  });

  it('says how many rules were checked, and how often', () => {
    const tests = [
      ['a rule of each provider', 1_000],
      ['a rule of each provider', 200],
      ['another', 3],
      ['no rule', undefined],
    ] as const;
    const made = checksTable(
      tests.map(([title, subjects]) => ({ group: '', state: 'passed', title, subjects })),
    );
    const sentence = /^The \d+ checks, for \d+ ways in which \d+ providers sign \((.*)\):$/m;
    expect(sentence.exec(made)?.[1]).toBe('2 rules, checked 1,203 times');
    expect(sentence.exec(page)?.[1]).toMatch(/^\d+ rules, checked [\d,]+ times$/);
  });

  it('has no links that lead nowhere in these documents', () => {
    for (const [, file = '', anchor = ''] of page.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g))
      expect(anchors(file === '' ? 'providers.md' : file), `${file}#${anchor}`).toContain(anchor);
  });
});
