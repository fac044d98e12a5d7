import { inQuotes } from './quote.ts';

/**
 * A map or list on one line (`{ kind: text, message: {{ payload.x }} }`) with quotes around the texts that have
 * templates; null when it is none, or has no such text.
 */
export function fixFlow(value: string): string | null {
  if (!/^(\[|\{(?![{%]))/.test(value)) return null;
  let result = '';
  let from = 0;
  let depth = 0;
  const close = (to: number): void => {
    result += fixEntry(value.slice(from, to));
    from = to;
  };
  for (let at = 0; at < value.length; at += 1) {
    const skipped = skip(value, at, value.slice(from, at).trim() === '');
    if (skipped > at) at = skipped - 1;
    else if ('[{'.includes(value[at] ?? '') || (value[at] === ':' && /\s/.test(value[at + 1] ?? ''))) {
      if (value[at] !== ':') depth += 1;
      result += value.slice(from, at + 1);
      from = at + 1;
    } else if (',]}'.includes(value[at] ?? '')) {
      close(at);
      result += value[at];
      from = at + 1;
      if (value[at] !== ',') depth -= 1;
      // What follows the end is no part of it: then it was a text that only begins with a bracket.
      if (depth === 0 && /[^ \t]/.test(value.slice(from))) return null;
    }
  }
  return depth === 0 && result !== value ? result : null;
}

/** The end of a template or of a quoted text that begins here; the same offset when none does. */
function skip(value: string, at: number, isStart: boolean): number {
  const pattern = isStart
    ? /\{\{.*?\}\}|\{%.*?%\}|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/y
    : /\{\{.*?\}\}|\{%.*?%\}/y;
  pattern.lastIndex = at;
  return pattern.test(value) ? pattern.lastIndex : at;
}

function fixEntry(entry: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(entry) ?? [];
  return /^["']/.test(text) || !/\{[{%]/.test(text) ? entry : `${before}${inQuotes(text)}${after}`;
}
