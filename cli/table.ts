import { clip, oneLine, widthOf } from './text.ts';

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Whether it is cut when the table is wider than the terminal. */
  readonly gives?: boolean;
  /** Colours a cell that has its final width already. */
  readonly style?: (cell: string, text: string) => string;
}

const GAP = '  ';
/** The least width of a cut column: a shorter text says nothing. */
const LEAST = 8;

/** Lines of a table that fit into `columns`; `head` styles its first line. */
export function tableLines(
  shape: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
  head: (line: string) => string,
): readonly string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = fit(
    shape,
    shape.map(({ title }, at) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? '')))),
    columns,
  );
  const line = (texts: readonly string[], styled: boolean): string =>
    shape
      .map(({ align, style }, at) => {
        const width = widths[at] ?? 0;
        const text = clip(texts[at] ?? '', width);
        const pad = ' '.repeat(width - widthOf(text));
        const shown = styled && style !== undefined ? style(text, texts[at] ?? '') : text;
        if (align === 'right') return pad + shown;
        return at === shape.length - 1 ? shown : shown + pad;
      })
      .join(GAP)
      .trimEnd();
  const title = line(
    shape.map(({ title }) => title),
    false,
  );
  return [head(title), ...cells.map((row) => line(row, true))];
}

/** Widths that fit: the widest of the columns that may be cut is cut first. */
function fit(shape: readonly Column[], natural: readonly number[], columns: number): readonly number[] {
  const widths = [...natural];
  const gaps = GAP.length * (shape.length - 1);
  for (let over = sum(widths) + gaps - columns; over > 0; over -= 1) {
    let widest = -1;
    for (const [at, { gives }] of shape.entries()) {
      const width = widths[at] ?? 0;
      if (gives === true && width > LEAST && width > (widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
