/// <reference types="vite/types/importMeta.d.ts" />

const PAGES = import.meta.glob<string>('../../docs/*.md', { query: '?raw', import: 'default', eager: true });

/** The text of a page of `docs`. */
export function pageOf(name: string): string {
  const page = PAGES[`../../docs/${name}`];
  if (page === undefined) throw new Error(`docs/${name} is missing`);
  return page;
}

/** The code of a page's fences in one language, with the line that each begins in. */
export const fences = (page: string, language: string): readonly { line: number; code: string }[] =>
  [...page.matchAll(/^( *)```(\w+)[^\n]*\n([^]*?)^ *```$/gm)].flatMap(
    ({ index, 1: indent = '', 2: found, 3: code = '' }) =>
      found === language
        ? [
            {
              line: page.slice(0, index).split('\n').length,
              code: code.replaceAll(`\n${indent}`, '\n').slice(indent.length),
            },
          ]
        : [],
  );
