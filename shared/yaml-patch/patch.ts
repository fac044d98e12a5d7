import type { DocumentKind } from '../../src/config/documents/name.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parseTree, rewriteJson, rewriteYaml, writeYaml } from './rewrite.ts';
import { sameDocument } from './same.ts';
import { unifiedDiff } from './unified.ts';

/** The document that a patch is about. */
interface PatchedDocument {
  readonly kind: DocumentKind;
  readonly name: string;
}

/** A file of the folder, by its path in it. `text` is null if it does not exist yet. */
export interface PatchedFile {
  readonly path: string;
  readonly text: string | null;
}

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
  if (text !== null && !says(path, text, before))
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

/** True if a file's text is this document. */
function says(path: string, text: string, document: unknown): boolean {
  try {
    if (isJson(path)) return sameDocument(parseOwnJson<unknown>(text), document);
    const tree = parseTree(text);
    return tree !== null && sameDocument(tree.toJS(), document);
  } catch {
    return false;
  }
}
