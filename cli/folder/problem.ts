/** Something wrong with a file, and where. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The place inside the document, such as `routes[0].to`. */
  readonly path?: string;
  readonly message: string;
}

/** One line, in the form that editors and CI recognise: `file:line:column`. */
export function showProblem({ file, line, column, path, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${path === undefined || path === '' ? '' : `${path} `}${message}`;
}
