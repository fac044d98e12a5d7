import { isCollection, isMap, isScalar, isSeq, type Pair } from 'yaml';
import { shownKey } from '../../src/schema/parts.ts';
import { offsetOf } from './misread.ts';
import type { FolderProblem, PlacedError } from './problem.ts';
import type { LocalDocument } from './read.ts';
import { columnOf } from './yaml.ts';

/** The place of an error in the files. Its path is followed as far as possible, since a missing key has no place. */
export function locate(
  { path: whole, message, ...coded }: PlacedError,
  documents: readonly LocalDocument[],
): FolderProblem {
  const document = documents.find((one) => restOf(whole, one) !== null);
  if (document === undefined) return { file: whole, message, ...coded };
  const path = restOf(whole, document) ?? '';
  const { file } = document;
  const shown = { file, ...(path !== '' && { path }), message, ...coded };
  const found = follow(document, path, coded.code === 'unknown-key');
  if (found === null) return shown;
  const inText = insideText(found.node, message, document);
  if (inText !== null) return { ...shown, ...inText };
  const { line, column: col } = placeIn(document, found.offset);
  const isQuotable = !file.endsWith('.json') && isWritten(found.node) && shown.message === 'must be text';
  return { ...shown, line, column: col, ...(isQuotable && { message: 'must be text: put it in quotes' }) };
}

function placeIn({ text, lines }: Pick<LocalDocument, 'text' | 'lines'>, offset: number) {
  const { line, col } = lines.linePos(offset);
  return { line, column: columnOf(text.slice(offset - col + 1, offset), col) };
}

/** True if a line has a value: `[Shop]` and `~` become texts by quotes, nothing does not. */
const isWritten = (node: unknown): boolean =>
  (isScalar(node) && node.source !== '') || (isCollection(node) && node.flow === true);

/** The rest of a path after its document: `routes[0].to`; null when the path is about another document. */
function restOf(path: string, { kind, name }: LocalDocument): string | null {
  const start = `${kind}.${shownKey(name)}`;
  if (!path.startsWith(start)) return null;
  const rest = path.slice(start.length);
  if (rest === '' || rest.startsWith('[')) return rest;
  return rest.startsWith('.') ? rest.slice(1) : null;
}

/** The node at the end of a path, as far as there are nodes, and its place. */
function follow({ tree }: LocalDocument, path: string, isAboutKey: boolean) {
  let node: unknown = tree?.contents;
  let offset = offsetOf(node);
  if (offset === null) return null;
  for (let rest = path; rest !== '';) {
    const step = isSeq(node) ? intoList(node.items, rest) : isMap(node) ? intoMap(node.items, rest) : null;
    if (step === null) break;
    rest = step.rest;
    node = step.node;
    offset = (isAboutKey && rest === '' ? step.key : null) ?? offsetOf(node) ?? step.key ?? offset;
  }
  return { node, offset };
}

interface PathStep {
  readonly node: unknown;
  readonly rest: string;
  /** The offset of the key; null in a list. */
  readonly key: number | null;
}

function intoList(items: readonly unknown[], rest: string): PathStep | null {
  const match = /^\[(\d+)\]\.?/.exec(rest);
  const node = items[Number(match?.[1])];
  return match === null || node === undefined ? null : { node, rest: rest.slice(match[0].length), key: null };
}

/** Keys may contain dots, so only the document shows where a key in the path ends. */
function intoMap(items: readonly Pair[], rest: string): PathStep | null {
  for (const { key, value } of items) {
    const name = shownKey(String(isScalar(key) ? key.value : key));
    const after = rest.slice(name.length);
    if (rest.startsWith(name) && /^($|\.|\[)/.test(after))
      return { node: value, rest: after.replace(/^\./, ''), key: offsetOf(key) };
  }
  return null;
}

/** Liquid's form of an error's place in a text. */
const IN_TEXT = /^(?:line (\d+), )?column (\d+): /;

/**
 * The place in the file of an error in a Liquid text, if the file has the text unchanged: in a block (`|`), or on one
 * line. Otherwise (escapes, folded lines) the message keeps its own line and column.
 */
function insideText(node: unknown, message: string, { text, lines }: LocalDocument) {
  const match = IN_TEXT.exec(message);
  if (match === null || !isScalar(node)) return null;
  const start = offsetOf(node);
  if (start === null || typeof node.value !== 'string') return null;
  const rest = message.slice(match[0].length);
  const [line, column] = [Number(match[1] ?? 1), Number(match[2])];
  const at = placeIn({ text, lines }, start);
  if (node.type === 'BLOCK_LITERAL') {
    const first = text.split('\n').find((other, index) => index >= at.line && other.trim() !== '') ?? '';
    const indent = /^ */.exec(first)?.[0].length ?? 0;
    return { line: at.line + line, column: indent + column, message: rest };
  }
  if (node.value.includes('\n') || node.type === 'BLOCK_FOLDED') return null;
  const quote = node.type === 'PLAIN' ? 0 : 1;
  const written = text.slice(start + quote, start + quote + node.value.length);
  return written === node.value
    ? { line: at.line, column: at.column + quote + column - 1, message: rest }
    : null;
}
