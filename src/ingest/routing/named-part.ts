import type { CompiledText } from '../../template/text.ts';

/** The keys that texts name: those whose whole value is used, and those that only lead to others. */
export interface Named {
  readonly whole: ReadonlySet<string>;
  readonly through: ReadonlySet<string>;
}

const LISTS: ReadonlySet<string> = new Set(['firing', 'new', 'resolved']);
const COMPUTED: ReadonlySet<string> = new Set(['size', 'first', 'last']);
/**
 * Matches the text between braces; the second pattern allows for braces in quotes, which a comment need not close.
 */
const EXPRESSIONS = [/\{[{%]-?([^]*?)-?[}%]\}/g, /\{[{%]-?((?:"[^"]*"|'[^']*'|[^"'])*?)-?[}%]\}/g];
/** Finds the elements of a list by the name that a loop gives them. */
const LOOP = /\bfor\s+([\w-]+)\s+in\s+(?:firing|new|resolved)\b/g;
/** Filters are not names. A quoted text may be a path, as in `map: "labels.name"`. */
const TOKEN = /\|\s*[\w-]+|"[^"]*"|'[^']*'|[\w\-\u0080-\uffff]+|\S/g;

/**
 * Returns the keys of an item that texts may read; null for all, because an item is printed, walked or looked up by a
 * variable. It returns too many keys rather than too few.
 */
export function namedIn(texts: readonly CompiledText[]): Named | null {
  const whole = new Set<string>();
  const through = new Set<string>();
  for (const { source } of texts) {
    const elements = new Set([...LISTS, 'item', 'payload', 'first', 'last']);
    for (const [, name = ''] of source.matchAll(LOOP)) elements.add(name);
    const expressions = EXPRESSIONS.flatMap((pattern) => [...source.matchAll(pattern)]);
    for (const { path, isWalked } of expressions.flatMap(([, inner = '']) => pathsIn(inner))) {
      if (path.includes(VARIABLE)) return null;
      const last = path.pop() ?? '';
      const before = path.at(-1) ?? '';
      const isOfList = path.length === 1 && last === 'size' && LISTS.has(before);
      const isLoop = path.length === 0 && isWalked && LISTS.has(last);
      if (!isLoop && elements.has(last)) return null;
      if (!isOfList && COMPUTED.has(last)) {
        if (elements.has(before)) return null;
        whole.add(before);
      }
      whole.add(last);
      for (const name of path) through.add(name);
    }
  }
  return { whole, through };
}

/** Stands for a name that is known only when the template is rendered. */
const VARIABLE = '[';

interface Path {
  readonly path: string[];
  /** True if it stands after `in`: a loop walks it. */
  readonly isWalked: boolean;
}

function pathsIn(expression: string): readonly Path[] {
  const paths: Path[] = [];
  let before = '';
  for (const token of expression.match(TOKEN) ?? []) {
    const name = /^["']/.test(token) ? token.slice(1, -1) : token;
    const last = paths.at(-1)?.path;
    if (before === '[') {
      if (name !== token) last?.push(name);
      else if (!/^-?\d+$/.test(token)) last?.push(VARIABLE);
    } else if (name !== token) {
      paths.push({ path: /\[/.test(name) ? [VARIABLE] : name.split('.'), isWalked: false });
    } else if (/^[\w\-\u0080-\uffff]/.test(token)) {
      if (before === '.') last?.push(token);
      else if (before !== 'for') paths.push({ path: [token], isWalked: before === 'in' });
    }
    before = token;
  }
  return paths;
}

/** Returns only the named keys of a value, at any depth; lists keep their length. */
export function namedPart(value: unknown, named: Named): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => namedPart(element, named));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (named.whole.has(key)) return [[key, inner]];
    return named.through.has(key) ? [[key, namedPart(inner, named)]] : [];
  });
  return Object.fromEntries(kept) as unknown;
}
