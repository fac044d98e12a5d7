import {
  Composer,
  Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Parser,
  Scalar,
  type Node,
  type Pair,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { diffArrays } from 'diff/lib/diff/array.js';
import { isObject, parseOwnJson } from '../../src/lib/json.ts';
import { sameDocument } from './same.ts';

/** Single quotes, texts of several lines in blocks, and no line breaks in long lines. */
const STYLE = { lineWidth: 0, singleQuote: true } as const;

export const writeYaml = (value: unknown): string =>
  new Document(value, { aliasDuplicateObjects: false }).toString(STYLE);

/** The one document of a text. Null if the text is not YAML, or has several documents. */
function parseTree(text: string): Document | null {
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
    tree.contents = edited(tree, tree.contents, value);
    const rewritten = tree.toString(style);
    return [mergeEdit(text, plain, rewritten), rewritten].find((one) => says(one, value, parseYaml)) ?? null;
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

/** True if a file's text is this document. */
export function says(text: string, document: unknown, parse: (text: string) => unknown): boolean {
  try {
    return sameDocument(parse(text), document);
  } catch {
    return false;
  }
}

/** Throws if the text is not one document of YAML. */
export function parseYaml(text: string): unknown {
  const tree = parseTree(text);
  if (tree === null) throw new SyntaxError('not one document');
  return tree.toJS();
}

export const parseJson = (text: string): unknown => parseOwnJson<unknown>(text);

/** The same for a JSON file. The text has to be valid JSON. */
export function rewriteJson(text: string, value: unknown): string {
  const indent = /^\s*[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n', 1) ? 2 : 0);
  const write = (one: unknown): string => `${JSON.stringify(one, null, indent)}\n`;
  const before = parseJson(text);
  if (sameDocument(before, value)) return text;
  const merged = mergeEdit(text, write(before), write(value));
  return says(merged, value, parseJson) ? merged : write(value);
}

/**
 * The node with the value: the given one, changed in place, or a new one where it has another form. Unchanged parts keep
 * their nodes, with their comments and style.
 */
function edited(tree: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isObject(value)) return withKeys(tree, node, value);
  if (isSeq(node) && Array.isArray(value)) return withEntries(tree, node, value);
  if (isAlias(node) && sameDocument(node.toJS(tree), value)) return node;
  if (isScalar(node) && isText(value) === isText(node.value) && !isCollectionValue(value))
    return withScalar(node, value);
  const fresh = tree.createNode(value, { aliasDuplicateObjects: false });
  if (isScalar(node) || isCollection(node)) {
    fresh.commentBefore = node.commentBefore ?? null;
    fresh.spaceBefore = node.spaceBefore ?? false;
    if (isScalar(node) && isScalar(fresh)) fresh.comment = node.comment ?? null;
  }
  return inBlocks(fresh);
}

function withScalar(node: Scalar, value: unknown): Scalar {
  if (Object.is(node.value, value)) return node;
  node.value = value;
  // The old one may have a format of its own: `0x10`, `1.50`.
  delete node.format;
  delete node.minFractionDigits;
  delete node.source;
  return inBlocks(node);
}

function withKeys(tree: Document, map: YAMLMap, value: Readonly<Record<string, unknown>>): YAMLMap {
  if (map.items.length === 0 && Object.keys(value).length > 0) delete map.flow;
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, keyText(key)));
  let before = -1;
  for (const [key, inner] of Object.entries(value)) {
    const at = map.items.findIndex((pair) => keyText(pair.key) === key);
    const pair = map.items[at];
    if (pair === undefined) {
      // After the key that it follows in the new value.
      before = before === -1 ? map.items.length : before + 1;
      const added: Pair = tree.createPair(key, null);
      added.value = edited(tree, null, inner);
      map.items.splice(before, 0, added);
    } else {
      pair.value = edited(tree, pair.value, inner);
      before = at;
    }
  }
  return map;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

function withEntries(tree: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  if (list.items.length === 0 && value.length > 0) delete list.flow;
  const olds = list.items;
  const now: unknown = list.toJS(tree);
  const earlier = earlierEntries(Array.isArray(now) ? now : [], value);
  list.items = value.map((inner, index) => edited(tree, olds[earlier[index] ?? -1], inner));
  return list;
}

/** Texts of several lines in blocks, as a person writes a template. */
function inBlocks<N extends Node>(node: N): N {
  if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n') && !isBlock(node))
    node.type = Scalar.BLOCK_LITERAL;
  return node;
}

const isBlock = ({ type }: Scalar): boolean => type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;

const isText = (value: unknown): boolean => typeof value === 'string';
const isCollectionValue = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** With more changes than this, entries are compared by their places alone. */
const MAX_CHANGES = 1_000;

/**
 * Finds the earlier entry of each entry of a list: an equal one, or the one that was changed into it, which is found by
 * its `name`, or else by its place; -1 if the entry is new. Each earlier entry is used at most once, in order.
 */
export function earlierEntries(before: readonly unknown[], after: readonly unknown[]): readonly number[] {
  const found: number[] = [];
  let at = 0;
  let gap: Gap = { olds: [], news: [] };
  const close = (): void => {
    found.push(...pairs(gap, before, after));
    gap = { olds: [], news: [] };
  };
  let next = 0;
  const parts = diffArrays(before.map(asText), after.map(asText), { maxEditLength: MAX_CHANGES });
  if (parts === undefined) return after.map((_, index) => (index < before.length ? index : -1));
  for (const { added, removed, value } of parts) {
    if (removed) gap.olds.push(...value.map(() => at++));
    else if (added) gap.news.push(...value.map(() => next++));
    else {
      close();
      found.push(...value.map(() => at++));
      next += value.length;
    }
  }
  close();
  return found;
}

/** Neighbours that differ: their indexes before and after. */
type Gap = Readonly<{ olds: number[]; news: number[] }>;

/** In order: an old entry that was passed over is gone. */
function pairs({ olds, news }: Gap, before: readonly unknown[], after: readonly unknown[]) {
  const isLone = olds.length === 1 && news.length === 1;
  let left = olds;
  return news.map((index) => {
    const name = nameOf(after[index]);
    const at = isLone ? 0 : left.findIndex((old) => nameOf(before[old]) === name);
    const found = left[at];
    if (found === undefined) return -1;
    left = left.slice(at + 1);
    return found;
  });
}

const nameOf = (entry: unknown): string | null =>
  isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : null;

const asText = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** If more lines differ than this, the edited text is used as a whole. */
const MAX_LINES_CHANGED = 2_000;

/** Lines `from` to `to` (not included) of the plain text, and the lines in their place in another text. */
type Hunk = Readonly<{ from: number; to: number; lines: readonly string[]; isEdit: boolean }>;

/**
 * An edit of a text that was written by a person, made by a program that writes in its own style. `plain` is the text in
 * that style, `edited` the same with the edit. Lines that the edit did not touch stay as the person wrote them.
 */
export function mergeEdit(text: string, plain: string, edited: string): string {
  const base = plain.split('\n');
  const [own, edits] = [hunksOf(base, text, false)?.flatMap(byLine) ?? null, hunksOf(base, edited, true)];
  if (own === null || edits === null) return edited;
  const hunks = [...own, ...edits].toSorted((a, b) => a.from - b.from || a.to - b.to);
  const merged: string[] = [];
  let at = 0;
  for (const region of regionsOf(hunks)) {
    merged.push(...base.slice(at, region.from));
    const touching = region.hunks.filter(({ isEdit }) => isEdit);
    merged.push(...applied(base, region, touching.length > 0 ? touching : region.hunks));
    at = region.to;
  }
  return [...merged, ...base.slice(at)].join('\n');
}

function hunksOf(base: readonly string[], other: string, isEdit: boolean): readonly Hunk[] | null {
  const parts = diffArrays([...base], other.split('\n'), { maxEditLength: MAX_LINES_CHANGED });
  if (parts === undefined) return null;
  const hunks: Hunk[] = [];
  let at = 0;
  let from = 0;
  let lines: string[] = [];
  const close = (): void => {
    if (at > from || lines.length > 0) hunks.push({ from, to: at, lines, isEdit });
  };
  for (const { added, removed, value } of parts) {
    if (added) lines.push(...value);
    else if (removed) at += value.length;
    else {
      close();
      at += value.length;
      from = at;
      lines = [];
    }
  }
  close();
  return hunks;
}

/** If n lines replace n lines, each most likely replaces its own, so an edit of one leaves the next. */
const byLine = (hunk: Hunk): readonly Hunk[] =>
  hunk.lines.length === hunk.to - hunk.from
    ? hunk.lines.map((line, nth) => ({
        ...hunk,
        from: hunk.from + nth,
        to: hunk.from + nth + 1,
        lines: [line],
      }))
    : [hunk];

interface Region {
  readonly from: number;
  to: number;
  readonly hunks: Hunk[];
}

function regionsOf(hunks: readonly Hunk[]): readonly Region[] {
  const regions: Region[] = [];
  for (const hunk of hunks) {
    const last = regions.at(-1);
    if (last === undefined || hunk.from >= last.to)
      regions.push({ from: hunk.from, to: hunk.to, hunks: [hunk] });
    else {
      last.to = Math.max(last.to, hunk.to);
      last.hunks.push(hunk);
    }
  }
  return regions;
}

function applied(base: readonly string[], { from, to }: Region, hunks: readonly Hunk[]): readonly string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}
