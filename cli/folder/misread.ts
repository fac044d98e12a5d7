import { isCollection, isMap, isPair, isScalar, visit, type Document, type Scalar } from 'yaml';
import { isTextKey } from './line.ts';

/** What YAML does not read as its author meant, and where. */
export interface Misread {
  readonly offset: number;
  readonly message: string;
}

/** What is valid YAML, but never what its author meant: it is refused. */
export function misreadings(tree: Document, text: string): readonly Misread[] {
  const found: Misread[] = tree.warnings.map(({ pos, message }) => ({ offset: pos[0], message }));
  visit(tree, {
    Alias: (_, alias) => {
      if (alias.resolve(tree) !== undefined) return;
      const message = `\`*${alias.source}\` repeats a value that \`&${alias.source}\` would name, and nothing has that name`;
      found.push({ offset: alias.range?.[0] ?? 0, message });
    },
    Pair: (_, pair, path) => {
      if (isCollection(pair.key)) {
        const parent = path.at(-1);
        const braces = isMap(parent) && parent.flow === true ? parent : pair.key;
        found.push({ offset: startOf(braces) ?? 0, message: 'a key must be a word' });
        return visit.SKIP;
      }
      if (isNothing(pair.key))
        found.push({ offset: startOf(pair.key) ?? 0, message: 'there is no key before this colon' });
      if (!isScalar(pair.key) || typeof pair.key.value !== 'string') return undefined;
      const key = pair.key.value;
      if (key.startsWith('\u00a0'))
        found.push({ offset: startOf(pair.key) ?? 0, message: 'a key begins with a no-break space' });
      const hash = isTextKey(key) && isNothing(pair.value) ? commentAfter(pair.key, text) : null;
      if (hash !== null) found.push({ offset: hash, message: '`#` begins a comment, so there is no text' });
      return undefined;
    },
    Scalar: (_, scalar) => {
      const start = startOf(scalar) ?? 0;
      if (scalar.tag === '!')
        found.push({ offset: text.lastIndexOf('!', start), message: '`!` is no part of the text' });
      if (isPlainText(scalar) && /^-[^\s-]/.test(scalar.value) && isFirstOfLine(text, start))
        found.push({ offset: start, message: 'there is no blank after the `-` of a list' });
    },
  });
  const { contents } = tree;
  if (isScalar(contents) && isPlainText(contents) && /^[\w-]+:\S/.test(contents.value))
    found.push({ offset: startOf(contents) ?? 0, message: 'there is no blank after the colon of a key' });
  return found;
}

/** Texts that may be cut, or lack their first word, without an error. */
export function doubtfulReadings(
  tree: Document,
  text: string,
): readonly (Misread & { readonly key: string })[] {
  const found: (Misread & { readonly key: string })[] = [];
  const used = aliasesOf(tree);
  visit(tree, {
    Scalar: (_, scalar, path) => {
      const pair = path.findLast(isPair);
      const key = isScalar(pair?.key) ? String(pair.key.value) : '';
      if (pair?.key === scalar) return;
      const offset = startOf(scalar) ?? 0;
      const { anchor } = scalar;
      if (anchor !== undefined && !used.has(anchor)) {
        const start = text.lastIndexOf(`&${anchor}`, offset);
        const message = `\`&${anchor}\` names this text for later and is no part of it: is it meant as text?`;
        found.push({ offset: start, message, key });
      }
      const rest = /^[ \t]+#.*/.exec(text.slice(scalar.range?.[1] ?? offset))?.[0];
      if (rest === undefined || !isPlainText(scalar) || !looksCut(scalar.value, rest.trim(), key)) return;
      const message = `the text ends before \` #\`, which begins a comment: is it meant as text?`;
      found.push({ offset: (scalar.range?.[1] ?? offset) + rest.indexOf('#'), message, key });
    },
  });
  return found;
}

/** In a text for people any `#` may be meant; elsewhere one that no blank follows, or with a template at it. */
const looksCut = (value: string, comment: string, key: string): boolean =>
  isTextKey(key) || /^#[^\s#]/.test(comment) || comment.includes('}}') || /\{\{(?!.*\}\})/.test(value);

function aliasesOf(tree: Document): ReadonlySet<string> {
  const names = new Set<string>();
  visit(tree, { Alias: (_, { source }) => void names.add(source) });
  return names;
}

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

const startOf = (node: unknown): number | null =>
  isScalar(node) || isCollection(node) || isMap(node) ? (node.range?.[0] ?? null) : null;
