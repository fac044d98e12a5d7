import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse, type AnyNode } from 'acorn';

const ROOT = join(import.meta.dirname, '..');

/** A regular expression in the Worker's source. */
export interface FoundRegex {
  readonly file: string;
  /** As it is written: `/a+$/g`, or the arguments of `new RegExp`. */
  readonly text: string;
  /** Null: it is put together when the code runs. */
  readonly literal: { readonly pattern: string; readonly flags: string } | null;
}

/** All regular expressions in `src`, each once, in the order of their files; of `api-*.ts` the Worker has only types. */
export function findRegexes(): readonly FoundRegex[] {
  const found = new Map<string, FoundRegex>();
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/api-*.ts'] });
  for (const file of files.toSorted()) {
    const source = stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'));
    walk(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
      const one = regexOf(node, source);
      if (one !== null && !found.has(one.text)) found.set(one.text, { file, ...one });
    });
  }
  return [...found.values()];
}

function regexOf(node: AnyNode, source: string): Omit<FoundRegex, 'file'> | null {
  if (node.type === 'Literal' && node.regex) {
    const { pattern, flags } = node.regex;
    return { text: `/${pattern}/${flags}`, literal: { pattern, flags } };
  }
  if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp')
    return null;
  return { text: source.slice(node.start, node.end).replaceAll(/\s+/g, ' '), literal: null };
}

function walk(node: unknown, visit: (node: AnyNode) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (isNode(node)) {
    visit(node);
    for (const value of Object.values(node)) walk(value, visit);
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
