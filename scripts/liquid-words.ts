import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownFilters } from '../src/template/engine.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/templates.md');
const WRITTEN = join(ROOT, 'console/pages/templates/editor/filters.json');

/** A row of the page's tables: a template and what it gives, both as code. */
const ROW = /^\| `(.+?)`\s+\| (?:`{1,3} ?)(.*?)(?: ?`{1,3})\s+\|/;

interface FilterWord {
  readonly name: string;
  readonly example: string;
  readonly gives: string;
}

/**
 * Every filter with its first example in the docs, which a test runs: it says what a filter does in any language. The
 * console's editor shows it.
 */
export function filterWords(page: string): readonly FilterWord[] {
  const rows = page.split('\n').flatMap((line) => {
    const [, template, gives] = ROW.exec(line.replaceAll(String.raw`\|`, '\u0000')) ?? [];
    if (template === undefined || gives === undefined) return [];
    return [{ example: template.replaceAll('\u0000', '|'), gives }];
  });
  return [...knownFilters.keys()].toSorted().map((name) => {
    const used = new RegExp(String.raw`\|\s*${name}\b(?!_)`);
    const usedLast = new RegExp(String.raw`\|\s*${name}\b(?!_)[^|]*\}\}\]?$`);
    // An example of it alone says more than one in which others follow.
    const row =
      rows.find(({ example }) => usedLast.test(example)) ?? rows.find(({ example }) => used.test(example));
    if (row === undefined) throw new Error(`docs/templates.md has no example of the filter \`${name}\``);
    return { name, ...row };
  });
}

function main([flag]: readonly string[]): void {
  const text = `${JSON.stringify(filterWords(readFileSync(PAGE, 'utf8')), null, 2)}\n`;
  if (flag !== '--check') writeFileSync(WRITTEN, text);
  else if (readFileSync(WRITTEN, 'utf8') !== text) {
    process.stderr.write('stale: console/pages/templates/editor/filters.json; run npm run docs:filters\n');
    process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
