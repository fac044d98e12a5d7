import { diffArrays } from 'diff/lib/diff/array.js';

const NO_FILE = '/dev/null';

/**
 * The change of a file as a unified diff; null: there is no such file. It does not have git's header: with one,
 * `git apply` silently skips it in a folder of a repository.
 */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const old = before === null ? NO_FILE : `a/${path}`;
  const fresh = after === null ? NO_FILE : `b/${path}`;
  return `--- ${old}\n+++ ${fresh}\n${hunksOf(before ?? '', after ?? '')}`;
}

/** A line with its line end. */
interface Row {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Lines that stay are shown this many around a change. */
const AROUND = 3;

function hunksOf(before: string, after: string): string {
  const rows = diffArrays(linesOf(before), linesOf(after)).flatMap(({ added, removed, value }) =>
    value.map((text): Row => ({ mark: added ? '+' : removed ? '-' : ' ', text })),
  );
  const isNear = (at: number): boolean =>
    rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== ' ');
  let hunks = '';
  let from = 0;
  for (let at = 0; at <= rows.length; at += 1) {
    if (at < rows.length && isNear(at)) continue;
    if (at > from) hunks += hunkOf(rows.slice(0, from), rows.slice(from, at));
    from = at + 1;
  }
  return hunks;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

function hunkOf(above: readonly Row[], rows: readonly Row[]): string {
  const range = (other: Row['mark']): string => {
    const [start, length] = [above, rows].map((part) => part.filter(({ mark }) => mark !== other).length);
    // A range without lines names the line before it.
    return `${(start ?? 0) + (length === 0 ? 0 : 1)},${length}`;
  };
  const lines = rows.map(({ mark, text }) =>
    text.endsWith('\n') ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`,
  );
  return `@@ -${range('+')} +${range('-')} @@\n${lines.join('')}`;
}
