import { FILTERS } from '../../src/template/filters.ts';
import { partialFiles } from '../facts.ts';
import { table, type Sections } from './page.ts';

/** A row of the page's tables: a template and what it gives, both as code. */
const ROW = /^\| `(.+?)`\s+\| (?:`{1,3} ?)(.*?)(?: ?`{1,3})\s+\|/;

/**
 * The file of the console's editor: every filter with its first example in docs/templates.md, which a test runs: it says what a filter does in any language.
 */
export function filterExamples(page: string): string {
  const rows = page.split('\n').flatMap((line) => {
    const [, template, gives] = ROW.exec(line.replaceAll(String.raw`\|`, '\u0000')) ?? [];
    if (template === undefined || gives === undefined) return [];
    return [{ example: template.replaceAll('\u0000', '|'), gives }];
  });
  const examples = [...FILTERS.keys()].toSorted().map((name) => {
    const used = new RegExp(String.raw`\|\s*${name}\b(?!_)`);
    const usedLast = new RegExp(String.raw`\|\s*${name}\b(?!_)[^|]*\}\}\]?$`);
    // An example of it alone says more than one in which others follow.
    const row =
      rows.find(({ example }) => usedLast.test(example)) ?? rows.find(({ example }) => used.test(example));
    if (row === undefined) throw new Error(`docs/templates.md has no example of the filter \`${name}\``);
    return { name, ...row };
  });
  return JSON.stringify(examples, null, 2);
}

/** The partials that hookbell ships: what each is for, and its parameters. */
export const partialSections = (): Sections => ({
  partials: Object.entries(partialFiles())
    .map(([name, { about, params }]) => {
      const rows = Object.entries(params).map(([param, one]) => [
        `\`${param}\``,
        one.about,
        `\`${one.default}\``,
      ]);
      return `**\`${name}\`** ${about}\n\n${table(['parameter', 'is', 'without it'], rows)}`;
    })
    .join('\n\n'),
});
