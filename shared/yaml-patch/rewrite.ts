import { Composer, Document, isMap, Parser, type ToStringOptions } from 'yaml';
import { isObject, parseOwnJson } from '../../src/lib/json.ts';
import { editTree } from './edit.ts';
import { mergeEdit } from './merge.ts';
import { sameDocument } from './same.ts';

/** Single quotes, texts of several lines in blocks, and no line breaks in long lines. */
const STYLE = { lineWidth: 0, singleQuote: true } as const;

export const writeYaml = (value: unknown): string =>
  new Document(value, { aliasDuplicateObjects: false }).toString(STYLE);

/** The one document of a text. Null if the text is not YAML, or has several documents. */
export function parseTree(text: string): Document | null {
  const [tree, ...others] = new Composer().compose(new Parser().parse(text), true);
  return tree === undefined || tree.errors.length > 0 || others.length > 0 ? null : tree;
}

/** Only the differences are written again. The rest stays, with its comments, order and form. */
export function rewriteYaml(text: string, value: unknown): string {
  const isCrlf = /\r\n/.test(text) && !/(?<!\r)\n/.test(text);
  const lines = isCrlf ? text.replaceAll('\r\n', '\n') : text;
  const written = edit(lines, value) ?? writeYaml(value);
  return isCrlf ? written.replaceAll('\n', '\r\n') : written;
}

/** Null if the text cannot be edited: it is not YAML, for example, or an alias would point to a value that is gone. */
function edit(text: string, value: unknown): string | null {
  const tree = parseTree(text);
  if (!isMap(tree?.contents) || !isObject(value)) return null;
  try {
    if (sameDocument(tree.toJS(), value)) return text;
    const style = styleOf(text, tree);
    const plain = tree.toString(style);
    editTree(tree, value);
    const edited = tree.toString(style);
    return [mergeEdit(text, plain, edited), edited].find((one) => says(one, value)) ?? null;
  } catch {
    return null;
  }
}

/** The options with which the library would write most of the lines as they are. */
function styleOf(text: string, tree: Document): ToStringOptions {
  const lines = new Set(text.split('\n'));
  const indents = new Set([2, 4, /^( +)[^\s#]/m.exec(text)?.[1]?.length ?? 2]);
  let best: { readonly style: ToStringOptions; readonly kept: number } = { style: STYLE, kept: -1 };
  for (const indent of indents)
    for (const indentSeq of [true, false])
      for (const flowCollectionPadding of [true, false]) {
        const style = { ...STYLE, indent, indentSeq, flowCollectionPadding };
        const plain = tree.toString(style);
        if (plain === text) return style;
        const kept = plain.split('\n').filter((line) => lines.has(line)).length;
        if (kept > best.kept) best = { style, kept };
      }
  return best.style;
}

function says(text: string, value: unknown): boolean {
  const tree = parseTree(text);
  return tree !== null && sameDocument(tree.toJS(), value);
}

/** The same for a JSON file. The text has to be valid JSON. */
export function rewriteJson(text: string, value: unknown): string {
  const indent = /^\s*[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n', 1) ? 2 : 0);
  const write = (one: unknown): string => `${JSON.stringify(one, null, indent)}\n`;
  const before = parseOwnJson<unknown>(text);
  if (sameDocument(before, value)) return text;
  const merged = mergeEdit(text, write(before), write(value));
  return isJsonOf(merged, value) ? merged : write(value);
}

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return sameDocument(parseOwnJson<unknown>(text), value);
  } catch {
    return false;
  }
}
