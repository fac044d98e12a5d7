import { parseDocument } from 'yaml';
import { isBlockHeader, isTextKey, type Line } from './line.ts';
import { fixFlow } from './fix-flow.ts';
import { misreadings } from './misread.ts';
import { inQuotes, readsAs } from './quote.ts';

/** A value that YAML does not read as it was meant, and the same as it should be written. */
export interface FixedValue {
  readonly why: string;
  readonly value: string;
  /** Whether the place of the mistake is the value's start; otherwise where YAML stumbles. */
  readonly isAtStart?: boolean;
}

/** Whether a value would be misread even if it were alone. */
export function isSuspicious({ name, value }: Pick<Line, 'name' | 'value'>): boolean {
  if (value === '' || isBlockHeader(value)) return false;
  if (value.startsWith('#')) return isTextKey(name);
  if (/^[|>]/.test(value)) return true;
  const text = `k: ${value}`;
  const tree = parseDocument(text, { prettyErrors: false });
  return tree.errors.length > 0 || misreadings(tree, text).length > 0;
}

/** How a value that is misread should be written. */
export function fixValue({ name, value }: Pick<Line, 'name' | 'value'>): FixedValue {
  const quote = value[0];
  if (quote === '"' || quote === "'") return fixQuoted(value, quote);
  const { text, comment } = isTextKey(name) ? { text: value, comment: '' } : withoutComment(value);
  const flow = isTextKey(name) ? null : fixFlow(text);
  if (flow !== null) return { why: BRACES, value: `${flow}${comment}` };
  const isAtStart = /^[^\w\s]/.test(text) && !/:(\s|$)/.test(text);
  return { why: whyNotPlain(text), value: `${inQuotes(text)}${comment}`, isAtStart };
}

const BRACES = 'YAML reads `{` at the start of a value as a map: put the text in quotes';

function whyNotPlain(text: string): string {
  const first = text[0] ?? '';
  if (first === '{' || first === '[')
    return first === '{'
      ? BRACES
      : 'YAML reads `[` at the start of a value as a list: put the text in quotes';
  const start = STARTS[first];
  const shown = first === '`' ? 'a backtick' : `\`${first}\``;
  if (start !== undefined) return `a text cannot begin with ${shown}, ${start}: put it in quotes`;
  if (/:(\s|$)/.test(text))
    return 'a colon and a blank inside a text begin another key: put the text in quotes';
  return 'YAML reads this as something else than a text: put it in quotes';
}

/** What these characters mean to YAML at the start of a value. */
const STARTS: Readonly<Record<string, string>> = {
  '@': 'which YAML keeps for itself',
  '`': 'which YAML keeps for itself',
  '%': 'which begins a directive of YAML',
  '*': 'which repeats a value that `&` named',
  '&': 'which gives a value a name for later',
  '!': 'which names a type',
  '|': 'which begins a block of text on the lines below',
  '>': 'which begins a block of text on the lines below',
  '-': 'which begins a list',
  '?': 'which begins a key',
  ',': 'which separates the elements of a list',
  ']': 'which ends a list',
  '}': 'which ends a map',
  '#': 'which begins a comment',
};

/** A comment begins with `#` and a blank, unless a template is open before it. */
function withoutComment(value: string): { text: string; comment: string } {
  const [, text, comment] = /^(.*?[^ \t])([ \t]+#(?: .*)?)$/.exec(value) ?? [];
  if (text === undefined || comment === undefined || comment.includes('}}'))
    return { text: value, comment: '' };
  return { text, comment };
}

function fixQuoted(value: string, quote: string): FixedValue {
  const end = closingQuote(value, quote);
  if (end === null) {
    const inner = value.slice(1);
    const closed = `${value}${quote}`;
    const why = `the quote ${quote} is not closed`;
    return { why, value: readsAs(closed, inner) ? closed : inQuotes(inner), isAtStart: true };
  }
  if (end === value.length - 1)
    return {
      why: 'in double quotes `\\` begins a character that has no key: write `\\\\`, or use single quotes',
      value: inQuotes(value.slice(1, -1)),
    };
  const isOuter = value.endsWith(quote) && !endsWord(value, end);
  return isOuter
    ? {
        why: `the quote ${quote} inside the text ends it: use the other quotes around it`,
        value: inQuotes(value.slice(1, -1)),
      }
    : {
        why: `the text goes on after the quote ${quote} that ends it: put quotes around all of it`,
        value: inQuotes(value),
      };
}

/** Where a text in quotes ends; null: it does not. */
function closingQuote(value: string, quote: string): number | null {
  for (let at = 1; at < value.length; at += 1) {
    if (quote === '"' && value[at] === '\\') at += 1;
    else if (quote === "'" && value[at] === quote && value[at + 1] === quote) at += 1;
    else if (value[at] === quote) return at;
  }
  return null;
}

/** Whether a quote closes a quoted word, as in `"a" == b`; in `"say "hello" twice"` it opens one. */
const endsWord = (value: string, at: number): boolean =>
  /\S/.test(value[at - 1] ?? '') && /[\s.,;)]/.test(value[at + 1] ?? ' ');
