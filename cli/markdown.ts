import { readMarkdown } from '../shared/markdown.ts';
import { wrap } from './text.ts';

/** A few lines of Markdown (lists, emphasis, code, links) as plain text of at most `columns`. */
export const plainMarkdown = (markdown: string, columns: number): readonly string[] =>
  readMarkdown(markdown).flatMap(({ bullet, pieces }) => {
    const text = pieces.map(({ text, href }) => (href === undefined ? text : `${text} (${href})`)).join('');
    const indent = ' '.repeat(bullet.length);
    return wrap(text, columns - bullet.length).map((part, at) => (at === 0 ? bullet : indent) + part);
  });
