import { clip, oneLine, widthOf, wrap, safe } from './text.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** True if it is cut when the table is wider than the terminal; a number: to at least this many characters. */
  readonly gives?: boolean | number;
  /** True if its cells wrap instead, since people read the list for them. */
  readonly wraps?: boolean;
  /** Left out before the rows are taken apart: 1 first, then 2, and so on. */
  readonly optional?: number;
  /** Colours a cell that has its final width already. */
  readonly style?: (cell: string, text: string) => string;
}

/** A column of a list: its title, what it says of each item, and how it is laid out. */
export type ListColumn<T> = readonly [
  title: string,
  cell: (one: T) => string,
  layout?: Omit<Column, 'title'>,
];

/** A column and its cells, in one order with the rows. */
type Measured = ReturnType<typeof measure>;

const GAP = '  ';
/** The least width of a cut column: a shorter text says nothing. */
const LEAST = 8;
/** The least width of a column that wraps, beside others: narrower ones are read word by word. */
const LEAST_WRAPPED = 40;
/** The widest padding if lines have no limit: one long text must not push every other cell out of sight. */
const MOST_PADDED = 60;
const INDENT = '  ';

/**
 * Lines of a table that fit into `columns`; `head` styles titles. If a row has no room for the cells that wrap, they go
 * below the row. If the rows themselves do not fit, each becomes a block of titles and cells. `Infinity`: a line for
 * each row, nothing is cut.
 */
export function tableLines(
  shape: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
  head: (line: string) => string,
): readonly string[] {
  const all = shape.map((column, at) => measure(column, at, rows, columns));
  if (columns === Infinity || needed(all) <= columns) return rowLines(all, [], rows.length, columns, head);
  const below = all.filter(({ column, cells }) => column.wraps && cells.some((cell) => cell !== ''));
  const beside = all.filter(({ column }) => !column.wraps);
  const ranks = beside.map(({ column }) => column.optional ?? 0).sort((a, b) => a - b);
  const fewer = ranks.map((rank) => beside.filter(({ column: { optional = Infinity } }) => optional > rank));
  const row = [beside, ...fewer].find((some) => some.length > 0 && needed(some) <= columns);
  return row === undefined
    ? blockLines(all, rows.length, columns, head)
    : rowLines(row, below, rows.length, columns, head);
}

function measure(column: Column, at: number, rows: readonly (readonly string[])[], columns: number) {
  const cells = rows.map((row) => oneLine(row[at] ?? ''));
  const natural = Math.max(widthOf(column.title), ...cells.map(widthOf));
  if (columns === Infinity) return { column, cells, natural: Math.min(natural, MOST_PADDED), least: 0 };
  const longestWord = Math.max(...[column.title, ...cells].map(longest));
  const readable = Math.max(LEAST_WRAPPED, Math.floor(columns / 3), longestWord);
  const least = column.wraps ? readable : column.gives ? leastOf(column.gives) : natural;
  return { column, cells, natural, least: Math.min(natural, least) };
}

const leastOf = (gives: true | number): number => (gives === true ? LEAST : gives);

const longest = (text: string): number => Math.max(...text.split(' ').map(widthOf));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

const gaps = (columns: readonly Measured[]): number => GAP.length * (columns.length - 1);

const needed = (columns: readonly Measured[]): number =>
  sum(columns.map(({ least }) => least)) + gaps(columns);

/** Widths that fit: the widest of those with something to give gives first. */
function fit(shape: readonly Measured[], columns: number): readonly number[] {
  const widths = shape.map(({ natural }) => natural);
  for (let over = sum(widths) + gaps(shape) - columns; over > 0; over -= 1) {
    let widest = -1;
    for (const [at, { least }] of shape.entries()) {
      const width = widths[at] ?? 0;
      if (width > least && width > (widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** A row for each, and the cells of `below` in lines of their own under it. */
function rowLines(
  shape: readonly Measured[],
  below: readonly Measured[],
  count: number,
  columns: number,
  head: (line: string) => string,
): readonly string[] {
  const isEndless = columns === Infinity;
  const widths = fit(shape, columns);
  /** Lines of one row, whose cells are what `of` gives. */
  const lines = (of: (one: Measured) => string, isStyled: boolean): readonly string[] => {
    const parts = shape.map((one, at) => {
      const width = widths[at] ?? 0;
      if (isEndless) return [of(one)];
      return one.column.wraps ? wrap(of(one), width) : [clip(of(one), width)];
    });
    const height = Math.max(1, ...parts.map(({ length }) => length));
    return Array.from({ length: height }, (_, n) =>
      shape
        .map((one, at) => {
          const text = parts[at]?.[n] ?? '';
          const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
          const { align, style } = one.column;
          const shown = isStyled && style !== undefined && text !== '' ? style(text, of(one)) : text;
          if (align === 'right') return pad + shown;
          return at === shape.length - 1 ? shown : shown + pad;
        })
        .join(GAP)
        .trimEnd(),
    );
  };
  const under = (of: (one: Measured) => string): readonly string[] =>
    below.filter((one) => of(one) !== '').flatMap((one) => underLines(one, of(one), columns));
  const title = ({ column }: Measured): string => column.title;
  return [
    ...[...lines(title, false), ...below.map((one) => INDENT + title(one))].map(head),
    ...Array.from({ length: count }, (_, row) => row).flatMap((row) => {
      const of = ({ cells }: Measured): string => cells[row] ?? '';
      return [...lines(of, true), ...under(of)];
    }),
  ];
}

/** The indent gives way to a word that has the terminal's width. */
function underLines({ column }: Measured, text: string, columns: number): readonly string[] {
  const indent = INDENT.slice(0, Math.max(0, columns - longest(text)));
  return wrap(text, columns - indent.length).map((line) => indent + (column.style?.(line, text) ?? line));
}

/** A block of titles and cells for each row, with an empty line in between. */
function blockLines(
  shape: readonly Measured[],
  count: number,
  columns: number,
  head: (line: string) => string,
): readonly string[] {
  const beside = columns - GAP.length - Math.max(...shape.map(({ column }) => widthOf(column.title)));
  return Array.from({ length: count }, (_, row) => row).flatMap((row) => {
    const fields = shape.map(({ column: { title, gives, wraps, style }, cells }) => {
      const whole = cells[row] ?? '';
      const text = gives && !wraps ? clip(whole, Math.max(LEAST, beside)) : whole;
      return [title, text || undefined, (line: string) => style?.(line, whole) ?? line] as const;
    });
    return [...(row > 0 ? [''] : []), ...fieldLines(fields, columns, head)];
  });
}

/** A name, its value, and a function that colours the value. */
export type PrintedField = readonly [
  name: string,
  value: string | undefined,
  paint?: (text: string) => string,
];

const FIELD_GAP = 2;

/** Names and values in lines of at most `columns`. A value without room beside its name goes below it. */
export function fieldLines(
  fields: readonly PrintedField[],
  columns: number,
  head: (name: string) => string,
): readonly string[] {
  const given = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...given.map(([name]) => widthOf(name))) + FIELD_GAP;
  return given.flatMap(([name, value = '', paint = (line: string) => line]) => {
    const text = safe(value);
    const longest = Math.max(...text.split(/\s/).map(widthOf));
    const isBelow = longest > columns - width;
    const indent = isBelow ? Math.max(0, Math.min(FIELD_GAP, columns - longest)) : width;
    const lines = wrap(text, columns - indent).map(paint);
    const title = head(name);
    const [first = '', ...rest] = isBelow ? ['', ...lines] : lines;
    const pad = ' '.repeat(width - widthOf(name));
    return [first === '' ? title : title + pad + first, ...rest.map((line) => ' '.repeat(indent) + line)];
  });
}
