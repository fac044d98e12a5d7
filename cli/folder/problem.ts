/** Something wrong with a file, and where. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The place inside the document, such as `routes[0].to`. */
  readonly path?: string;
  readonly message: string;
  /** The line as it is, and as it should be, ready to paste. */
  readonly written?: string;
  readonly fixed?: string;
}

/**
 * A line in the form that editors and CI recognise: `file:line:column`. Below it, where it is known, the line as it is
 * written and how it should be; both as they stand in the file, to be pasted.
 */
export function showProblem({ file, line, column, path, message, written, fixed }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const head = `${place}: ${path === undefined || path === '' ? '' : `${path} `}${message}`;
  const is = written === undefined ? [] : [visibleTabs(written)];
  return [head, ...is, ...(fixed === undefined ? [] : ['  write:', fixed])].join('\n');
}

/** A terminal shows a tab in the indentation like blanks. */
const visibleTabs = (line: string): string => line.replace(/^\s+/, (blank) => blank.replaceAll('\t', '→ '));
