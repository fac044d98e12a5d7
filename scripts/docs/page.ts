import { format, getFileInfo, resolveConfig } from 'prettier';

/** The text between `<!-- name -->` and `<!-- /name -->` of a Markdown page, which a script writes. */
export type Sections = Readonly<Record<string, string>>;

/** The page with its generated sections replaced. Throws when the page lacks one. */
export const withSections = (page: string, sections: Sections): string =>
  Object.entries(sections).reduce((sum, [name, text]) => withSection(sum, name, text), page);

function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

export const code = (text: string): string => `\`${text}\``;

/** A table in Markdown; the formatter aligns its columns. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** The text of a file of the repository, formatted unless `.prettierignore` leaves the file as it is. */
export async function formatted(path: string, text: string): Promise<string> {
  const { ignored } = await getFileInfo(path, { ignorePath: '.prettierignore' });
  return ignored ? text : format(text, { ...(await resolveConfig(path)), filepath: path });
}
