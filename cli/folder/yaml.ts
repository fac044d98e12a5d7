import { isDeepStrictEqual } from 'node:util';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  type Document,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { findJsonFault } from '../../src/ingest/parse/json-fault.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { misreadings } from './misread.ts';
import { doubtsIn, mistakesIn, type TextFault } from './mistakes.ts';

/** A file's text, read as a document. */
export interface ReadText {
  readonly value: unknown;
  /** The text as a tree, to find places in it; null when it could not be parsed. */
  readonly tree: Document | null;
  readonly lines: LineCounter;
  /** What is valid, but perhaps not what its author meant. */
  readonly doubts: readonly TextFault[];
}

/** Reads YAML, or JSON. The error is the first mistake, with those after it. */
export function readText(
  text: string,
  isJson: boolean,
): Result<ReadText, TextFault & { readonly more?: readonly TextFault[] }> {
  const lines = new LineCounter();
  const tree = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (isJson) {
    const json = readJson(text);
    if (!json.ok) return json;
    return ok({ value: json.value, tree: tree.errors.length === 0 ? tree : null, lines, doubts: [] });
  }
  const isRead = tree.errors.length === 0 && misreadings(tree, text).length === 0;
  const [first, ...more] = isRead ? [] : mistakesIn(text);
  if (first !== undefined) return err({ ...first, more });
  try {
    const value: unknown = tree.toJS();
    return ok({ value, tree, lines, doubts: doubtsIn(tree, text, lines) });
  } catch (thrown) {
    // Aliases that would expand to too much.
    const message = thrown instanceof Error ? thrown.message : 'cannot be read';
    return err({ line: 1, column: 1, message });
  }
}

function readJson(text: string): Result<unknown, TextFault> {
  const fault = findJsonFault(text);
  if (fault === null) return ok(parseOwnJson<unknown>(text));
  const before = text.slice(0, fault.offset).split('\n');
  const message = `is not JSON here: ${fault.wanted} is expected`;
  return err({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message });
}

/** Single quotes, texts of several lines in blocks, and no line breaks in long lines. */
const STYLE = { lineWidth: 0, singleQuote: true } as const;

/** A document as a person would write it. */
export const writeYaml = (value: unknown): string =>
  stringify(value, { ...STYLE, aliasDuplicateObjects: false });

/** The text of a document with a new value. Parts that are the same stay as they were written, with their comments. */
export function rewriteYaml(text: string, value: unknown): string {
  const tree = parseDocument(text);
  if (tree.errors.length > 0 || !isMap(tree.contents) || !isObject(value)) return writeYaml(value);
  fillMap(tree, tree.contents, value);
  return isSame(tree.toJS(), value) ? tree.toString(STYLE) : writeYaml(value);
}

function fillMap(tree: Document, map: YAMLMap, value: Readonly<Record<string, unknown>>): void {
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, String(isScalar(key) ? key.value : key)));
  for (const [key, inner] of Object.entries(value)) {
    const node: unknown = map.get(key, true);
    if (!fill(tree, node, inner)) map.set(key, tree.createNode(inner));
  }
}

function fillList(tree: Document, list: YAMLSeq, value: readonly unknown[]): void {
  list.items = list.items.slice(0, value.length);
  for (const [at, inner] of value.entries()) {
    if (!fill(tree, list.items[at], inner)) list.set(at, tree.createNode(inner));
  }
}

/** Puts a value into an existing node; false when it needs another node. */
function fill(tree: Document, node: unknown, value: unknown): boolean {
  if (isMap(node) && isObject(value)) fillMap(tree, node, value);
  else if (isSeq(node) && Array.isArray(value)) fillList(tree, node, value);
  else if (isAlias(node)) return isSame(node.toJS(tree), value);
  else return isScalar(node) && node.value === value;
  return true;
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
