/** A piece of a line. `href` is an address with `http` or `https`. */
export interface MarkdownPiece {
  readonly text: string;
  readonly look?: 'strong' | 'em' | 'code';
  readonly href?: string;
}

/** A line, or an item of a list; an empty line has no pieces. */
export interface MarkdownLine {
  /** `1. ` or `- `, as written; empty: it is not an item. */
  readonly bullet: string;
  readonly pieces: readonly MarkdownPiece[];
}

const PIECE = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)]+)\)|(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])/g;

/** Reads the part of Markdown that providers' setup steps use: lists, emphasis, code, links. The rest stays as written. */
export const readMarkdown = (markdown: string): readonly MarkdownLine[] =>
  markdown.split('\n').map((line) => {
    const [bullet] = /^\s*(?:\d+\.|[-*]) /.exec(line) ?? [''];
    return { bullet, pieces: piecesOf(line.slice(bullet.length)) };
  });

function piecesOf(line: string): readonly MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let end = 0;
  for (const found of line.matchAll(PIECE)) {
    if (found.index > end) pieces.push({ text: line.slice(end, found.index) });
    pieces.push(pieceOf(found));
    end = found.index + found[0].length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

function pieceOf([whole, code, strong, label, href, em]: RegExpMatchArray): MarkdownPiece {
  if (code !== undefined) return { text: code, look: 'code' };
  if (strong !== undefined) return { text: strong, look: 'strong' };
  if (em !== undefined) return { text: em, look: 'em' };
  if (label !== undefined && href !== undefined && /^https?:\/\//.test(href)) return { text: label, href };
  return { text: whole };
}
