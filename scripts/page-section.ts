import { format, resolveConfig } from 'prettier';

/** What stands between `<!-- name -->` and `<!-- /name -->` of a page in Markdown: made by a script, not by hand. */
export type Sections = Readonly<Record<string, string>>;

/** The page with its made sections replaced, and formatted as every page is. Throws when one has no place in it. */
export async function withSections(path: string, page: string, sections: Sections): Promise<string> {
  const made = Object.entries(sections).reduce((sum, [name, text]) => withSection(sum, name, text), page);
  return format(made, { ...(await resolveConfig(path)), parser: 'markdown' });
}

function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** A table in Markdown; the formatter lines its columns up. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
