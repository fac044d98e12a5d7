import { diffArrays } from 'diff/lib/diff/array.js';
import type { DocumentKind } from '../../src/config/documents/name.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parseJson, parseYaml, rewriteJson, rewriteYaml, says, writeYaml } from './rewrite.ts';
import { sameDocument } from './same.ts';

type PatchedDocument = Readonly<{ kind: DocumentKind; name: string }>;

/** A file of the folder, by its path in it. `text` is null if it does not exist yet. */
type PatchedFile = Readonly<{ path: string; text: string | null }>;

/** The file of a document among others; a document without one gets a YAML file. */
export const pathOf = ({ kind, name }: PatchedDocument, paths: readonly string[]): string =>
  ['yaml', 'yml', 'json'].map((ending) => `${kind}/${name}.${ending}`).find((path) => paths.includes(path)) ??
  `${kind}/${name}.yaml`;

/**
 * Returns the change of a document in its file as a unified diff for `git apply` or `patch -p1` in the folder; empty if
 * there is no change. The rest of the file stays as it is. If `before` is undefined, the patch makes the file; if
 * `after` is undefined, it deletes the file. Fails when the file does not have the document as it was before.
 */
export function patchOf(
  { path, text }: PatchedFile,
  { kind, name }: PatchedDocument,
  before: unknown,
  after: unknown,
): Result<string, string> {
  const what = `${kind}/${name}`;
  if (text === null && before !== undefined)
    return err(`there is no file of ${what} among those of the last push, so there is nothing to patch`);
  if (text !== null && !says(text, before, isJson(path) ? parseJson : parseYaml))
    return err(
      `${path} is not ${what} as it is in force: it was changed since the last push, or an earlier version is in force. Push its folder first`,
    );
  if (sameDocument(before, after) && (before === undefined) === (after === undefined)) return ok('');
  return ok(unifiedDiff(path, text, after === undefined ? null : rewritten(path, text, after)));
}

const isJson = (path: string): boolean => path.endsWith('.json');

function rewritten(path: string, text: string | null, value: unknown): string {
  if (isJson(path)) return rewriteJson(text ?? '{\n}', value);
  return text === null ? writeYaml(value) : rewriteYaml(text, value);
}

const NO_FILE = '/dev/null';

/** A unified diff without git's header, with which `git apply` silently skips it in a folder of a repository. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const old = before === null ? NO_FILE : `a/${path}`;
  const fresh = after === null ? NO_FILE : `b/${path}`;
  return `--- ${old}\n+++ ${fresh}\n${hunksOf(before ?? '', after ?? '')}`;
}

/** A line with its line end. */
type Row = Readonly<{ mark: ' ' | '-' | '+'; text: string }>;

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
