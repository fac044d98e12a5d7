import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Failure } from './failure.ts';
import { fieldLines, type PrintedField, tableLines, type Column, type ListColumn } from './table.ts';
import type { Io, Stream } from './io.ts';
import { clip, escaped, safe, STANDARD_COLUMNS, wrap, wrapSentence } from './text.ts';

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

export type Output = ReturnType<typeof createOutput>;

/** The columns of a list; false: one that this list does not have. */
type Shape<T> = readonly (ListColumn<T> | false)[];

/** The beginning of a problem, and its colour. */
const PROBLEMS = { error: ['error    ', 'red'], warning: ['warning  ', 'yellow'] } as const;

const INDENT = '  ';

const FAILED = 'hookbell:';

/** The first line of a problem broken at spaces; those below are lines of a file, whole. */
function problemLines(text: string, columns: number): readonly string[] {
  const [head = '', ...below] = safe(text).split('\n');
  const [first = '', ...more] = wrapSentence(head, columns - INDENT.length);
  return [first, ...more.map((one) => INDENT + one), ...below];
}

/** A narrower terminal is written to as if it had this many columns. */
const LEAST_COLUMNS = 20;

/** The widest line. Some terminals say 0. */
const widthFor = ({ isTTY, columns = 0 }: Stream): number =>
  isTTY === true ? Math.max(LEAST_COLUMNS, columns > 0 ? columns : STANDARD_COLUMNS) : Infinity;

/** True if a stream is written to in colours: a terminal that has them, or whatever `FORCE_COLOR` and `NO_COLOR` say. */
const isColoured = ({ isTTY }: Stream, env: Io['env']): boolean =>
  (env['FORCE_COLOR'] !== undefined || isTTY === true) && WriteStream.prototype.getColorDepth(env) > 2;

/** All that the command line writes: results on stdout, everything else on stderr. */
export function createOutput(
  { stdout, stderr, env }: Pick<Io, 'stdout' | 'stderr' | 'env'>,
  isJson: boolean,
) {
  let hasProgress = false;
  const columns = widthFor(stdout);
  const paint = (stream: Stream): Paint =>
    isColoured(stream, env)
      ? (style, text) => styleText(style, text, { validateStream: false })
      : (_, text) => text;
  const style = paint(stdout);
  const styleNote = paint(stderr);
  const dim = (text: string): string => style('dim', text);

  const progressDone = (): void => {
    if (hasProgress) stderr.write('\r\u001b[K');
    hasProgress = false;
  };
  const line = (text = ''): void => {
    progressDone();
    stdout.write(`${text}\n`);
  };
  const note = (text: string): void => {
    progressDone();
    stderr.write(`${text}\n`);
  };
  const table = (shape: readonly Column[], rows: readonly (readonly string[])[]): void =>
    tableLines(shape, rows, columns, dim).forEach((text) => line(text));
  const list = <T>(items: readonly T[], shape: Shape<T>): void => {
    const shown = shape.filter((column) => column !== false);
    table(
      shown.map(([title, , layout]) => ({ title, ...layout })),
      items.map((one) => shown.map(([, cell]) => cell(one))),
    );
  };
  const json = (value: unknown, indent?: number): void => line(safeJson(JSON.stringify(value, null, indent)));

  return {
    /** True: results are JSON, for programs. */
    isJson,
    /** The widest line: `Infinity` in a pipe, where a line is a record. */
    columns,
    /** Prints a result: as JSON with `--json`, else by `human`. */
    show: (value: unknown, human: () => void): void => (isJson ? json(value, 2) : human()),
    json: (value: unknown): void => json(value, 2),
    jsonLine: (value: unknown): void => json(value),
    line,
    /** A line that says what was done. */
    done: (text: string): void => line(`${style('green', '✓')} ${text}`),
    /** A text in lines that fit, for people. */
    wrapped: (text: string): void => wrap(text, columns).forEach((part) => line(part)),
    /** Names and values, one under the other; those without a value are left out. */
    fields: (fields: readonly PrintedField[]): void =>
      fieldLines(fields, columns, dim).forEach((text) => line(text)),
    table,
    list,
    /** A page of a list, and how to get the next one. `none`: said of an empty page. */
    page: <T>(
      { items, next_cursor: cursor }: { readonly items: readonly T[]; readonly next_cursor: string | null },
      none: string,
      shape: Shape<T>,
    ): void => {
      if (items.length === 0) line(none);
      else list(items, shape);
      if (cursor !== null) note(styleNote('dim', `more: --cursor ${cursor}`));
    },
    /** A line on stderr: a hint or a warning that is not part of the result. */
    note,
    /** A problem with a document, on stderr. */
    problem: (kind: keyof typeof PROBLEMS, text: string): void => {
      const [label, colour] = PROBLEMS[kind];
      const [first = '', ...more] = problemLines(label + text, widthFor(stderr));
      note(styleNote(colour, kind) + first.slice(kind.length));
      for (const part of more) note(part);
    },
    /** A line on stderr that the next one overwrites; only on a terminal. */
    progress: (text: string): void => {
      if (stderr.isTTY !== true) return;
      stderr.write(`\r\u001b[K${clip(safe(text), (stderr.columns ?? STANDARD_COLUMNS) - 1)}`);
      hasProgress = true;
    },
    /** Removes the last line of progress. */
    progressDone,
    fail: ({ message, details = [] }: Failure): void => {
      // Other failures have commands in them, to be pasted.
      const [first = '', ...more] = message.includes('\n')
        ? problemLines(`${FAILED} ${message}`, widthFor(stderr))
        : [`${FAILED} ${safe(message)}`];
      note(styleNote('red', FAILED) + first.slice(FAILED.length));
      for (const part of more) note(part);
      for (const detail of details) note(`  ${safe(detail)}`);
    },
    /** `text` in a colour, where the result goes to a terminal. */
    style,
    styleNote,
  };
}

/** JSON with the control characters escaped that JSON allows in a text and a terminal obeys. */
const safeJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (control) => escaped(control));
