import { isCollection, isScalar } from 'yaml';
import { gatewayDigits } from '../../src/schema/parts.ts';
import { isTextKey } from './line.ts';
import { inQuotes } from './quote.ts';

/** A line as it is, and as it should be. */
export interface Fix {
  readonly written: string;
  readonly fixed: string;
}

/**
 * The line of a value that should be text, with quotes around it: YAML reads `+49151…`, `0151` and `true` as other
 * types. Null when quotes are not what it lacks.
 */
export function fixNode(node: unknown, message: string, path: string, text: string): Fix | null {
  const [start, end] = (isScalar(node) || isCollection(node) ? node.range : null) ?? [0, 0];
  const source = text.slice(start, end).trimEnd();
  if (source === '' || source.includes('\n')) return null;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', start);
  const after = text.slice(start + source.length, to < 0 ? text.length : to).replace(/[ \t\r]+$/, '');
  // In a text for people, what follows a `#` was hardly meant as a comment.
  const isText = isTextKey(path.slice(path.lastIndexOf('.') + 1)) && after.trimStart().startsWith('#');
  const [value, rest] = isText ? [source + after, ''] : [source, after];
  const wanted = wantedText(node, message, path, value);
  if (wanted === null) return null;
  return {
    written: text.slice(from, start) + source + after,
    fixed: text.slice(from, start) + wanted + rest,
  };
}

/** What should be there in place of a value; null: that is not known. */
function wantedText(node: unknown, message: string, path: string, source: string): string | null {
  if (/^numbers\b/.test(path) && isScalar(node)) {
    const digits = source.replace(/^["']?(\+|00)?/, '').replaceAll(/["' ()/.-]/g, '');
    return gatewayDigits.test(digits) ? `'${digits}'` : null;
  }
  const isOtherType =
    (isScalar(node) && node.type === 'PLAIN' && typeof node.value !== 'string') || isCollection(node);
  return isOtherType && /\b(text|quotes|name|number in)\b/.test(message) ? inQuotes(source) : null;
}
