import { wrap } from './text.ts';

/** A few lines of Markdown (lists, emphasis, code, links) as plain text of at most `columns`. */
export const plainMarkdown = (markdown: string, columns: number): readonly string[] =>
  markdown.split('\n').flatMap((line) => {
    const bullet = /^\s*(?:\d+\.|[-*]) /.exec(line)?.[0] ?? '';
    const text = line
      .slice(bullet.length)
      .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)')
      .replaceAll(/\*\*(.+?)\*\*/g, '$1')
      .replaceAll(/(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])/g, '$1')
      .replaceAll(/`([^`]+)`/g, '$1');
    const indent = ' '.repeat(bullet.length);
    return wrap(text, columns - bullet.length).map((part, at) => (at === 0 ? bullet : indent) + part);
  });
