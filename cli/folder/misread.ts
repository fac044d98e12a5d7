import { isCollection, isMap, isPair, isScalar, visit, type Document, type Scalar } from 'yaml';
import { MESSAGE_KINDS } from '../../src/gateway/kinds.ts';
import { BRACE, NO_BLANK_AFTER_COLON, NO_BLANK_AFTER_DASH, NO_BREAK_SPACE, startsWith } from './advice.ts';
import { ownValue } from '../../src/lib/json.ts';

/** YAML that parses differently from what its author meant, with its position. */
export interface Misread {
  readonly offset: number;
  readonly message: string;
}

/** Finds valid YAML that never parses as its author meant: it is refused. */
export function misreadings(tree: Document, text: string): readonly Misread[] {
  const found: Misread[] = tree.warnings.map(({ pos: [offset], message }) => ({
    offset,
    message: message.startsWith('Anchor')
      ? startsWith('&')
      : text[offset] === '!'
        ? startsWith('!')
        : message,
  }));
  const refuse = (node: unknown, message: string): void => {
    found.push({ offset: startOf(node), message });
  };
  visit(tree, {
    Alias: (_, alias) => {
      if (alias.resolve(tree) === undefined) refuse(alias, startsWith('*'));
    },
    Pair: (_, pair, path) => {
      const parent = path.at(-1);
      if (isCollection(pair.key)) {
        refuse(isMap(parent) && parent.flow === true ? parent : pair.key, BRACE);
        return visit.SKIP;
      }
      if (isNothing(pair.key))
        refuse(pair.key, 'there is no key before this colon: write one, or put the text in quotes');
      if (!isScalar(pair.key) || typeof pair.key.value !== 'string') return undefined;
      if (pair.key.value.startsWith('\u00a0')) refuse(pair.key, NO_BREAK_SPACE);
      const hash =
        TEXT_KEYS.has(pair.key.value) && isNothing(pair.value) ? commentAfter(pair.key, text) : null;
      if (hash !== null) found.push({ offset: hash, message: startsWith('#') });
      return undefined;
    },
    Scalar: (_, scalar) => {
      const start = startOf(scalar);
      if (scalar.tag === '!') found.push({ offset: text.lastIndexOf('!', start), message: startsWith('!') });
      if (isPlainText(scalar) && /^-[^\s-]/.test(scalar.value) && isFirstOfLine(text, start))
        refuse(scalar, NO_BLANK_AFTER_DASH);
    },
  });
  const { contents } = tree;
  if (isScalar(contents) && isPlainText(contents) && /^[\w-]+:\S/.test(contents.value))
    refuse(contents, NO_BLANK_AFTER_COLON);
  return found;
}

/** Texts that may be cut, or lack their first word, without an error. */
export function suspectReadings(tree: Document, text: string): readonly Misread[] {
  const found: Misread[] = [];
  const used = new Set<string>();
  visit(tree, { Alias: (_, { source }) => void used.add(source) });
  visit(tree, {
    Scalar: (_, scalar, path) => {
      const pair = path.findLast(isPair);
      if (pair?.key === scalar) return;
      const { anchor, range } = scalar;
      if (anchor !== undefined && !used.has(anchor))
        found.push({
          offset: text.lastIndexOf(`&${anchor}`, startOf(scalar)),
          message: `\`&${anchor}\` is read as a name (an anchor of YAML), not as part of this text: to keep it, put the text in quotes`,
        });
      const end = range?.[1] ?? 0;
      const rest = /^[ \t]+#.*/.exec(text.slice(end))?.[0];
      const key = isScalar(pair?.key) ? String(pair.key.value) : '';
      if (rest === undefined || !isPlainText(scalar) || !looksCut(scalar.value, rest.trim(), key)) return;
      found.push({
        offset: end + rest.indexOf('#'),
        message: 'the text ends before ` #`, which begins a comment: if it goes on, put the text in quotes',
      });
    },
  });
  return found;
}

/** True if `#` was perhaps meant as text: in a text for people, without a blank after it, or near a template. */
const looksCut = (value: string, comment: string, key: string): boolean =>
  TEXT_KEYS.has(key) || /^#[^\s#]/.test(comment) || comment.includes('}}') || /\{\{(?!.*\}\})/.test(value);

/** The keys of documents that hold texts for people. */
const TEXT_KEYS: ReadonlySet<string> = new Set(
  Object.values(MESSAGE_KINDS)
    .flatMap(({ params }) => Object.entries(params))
    .flatMap(([name, { holds }]) => (holds === 'list' ? [] : [name])),
);

const isPlainText = (node: Scalar): node is Scalar<string> =>
  node.type === 'PLAIN' && typeof node.value === 'string';

const isNothing = (node: unknown): boolean =>
  node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '');

function commentAfter(key: Scalar, text: string): number | null {
  const end = key.range?.[1] ?? 0;
  const match = /^[ \t]*:[ \t]+(?=#)/.exec(text.slice(end));
  return match === null ? null : end + match[0].length;
}

const isFirstOfLine = (text: string, at: number): boolean =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';

/** The place of a node in its text; null if it was not written. */
export const offsetOf = (node: unknown): number | null => {
  const range = ownValue(node, 'range');
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : null;
};

const startOf = (node: unknown): number => offsetOf(node) ?? 0;
