import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { diffArrays } from 'diff/lib/diff/array.js';
import { sameDocument } from './same.ts';
import { isObject } from '../../src/lib/json.ts';

/** Changes a tree so that it says the new value. Unchanged parts keep their nodes, with their comments and style. */
export function editTree(tree: Document, value: unknown): void {
  tree.contents = edited(tree, tree.contents, value);
}

/** The node with the value: the given one, changed in place, or a new one where it has another form. */
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
interface Gap {
  readonly olds: number[];
  readonly news: number[];
}

/** In order: an old entry that was passed over is gone. */
function pairs(
  { olds, news }: Gap,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly number[] {
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
