import { firstGraphemes } from '../../src/lib/text.ts';

/** Something wrong with a file, and where. Lines and columns count from 1. */
export interface FolderProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The place inside the document, such as `routes[0].to`. */
  readonly path?: string;
  readonly message: string;
  /** As the relay gives them. */
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly written?: string;
}

/** A line as editors and CI recognise it, `file:line:column`, and below it the line of the file. */
export function showProblem({ file, line, column, path, message, written }: FolderProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const head = `${place}: ${path === undefined || path === '' ? '' : `${path} `}${message}`;
  return written === undefined ? head : `${head}\n${visibleTabs(firstGraphemes(written, MAX_SHOWN))}`;
}

const MAX_SHOWN = 200;

/** A terminal shows a tab in the indentation like blanks. */
const visibleTabs = (line: string): string => line.replace(/^\s+/, (blank) => blank.replaceAll('\t', '→ '));

/** An error of the configuration, with its path in the set. */
export type PlacedError = Pick<FolderProblem, 'message' | 'code' | 'params'> & { readonly path: string };
