/** The place where a text stops being JSON (an offset in UTF-16 units), and the tokens that are valid there. */
interface JsonFault {
  readonly offset: number;
  readonly wanted: string;
}

const WANTED = {
  value: 'a value',
  'first element': 'a value or `]`',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or `}`',
  colon: '`:`',
  'comma or end': '`,` or a closing bracket',
} as const;
type Expected = keyof typeof WANTED;

/** The places where the innermost open bracket may be closed. */
const MAY_CLOSE: ReadonlySet<Expected> = new Set(['first element', 'first key', 'comma or end']);

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** RFC 8259 §7: all but control characters, the quote and the backslash. */
const PLAIN_CHARACTERS = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first fault of a text by RFC 8259; null for valid JSON. It makes no value; it gives a sender the details
 * that JSON.parse leaves out. Open brackets are kept in a list, so depth uses no stack.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  for (let at = skip(SPACE, text, 0); ; at = skip(SPACE, text, at)) {
    const character = text.charAt(at);
    const isDone = expected === 'comma or end' && open.length === 0;
    if (isDone) return character === '' ? null : { offset: at, wanted: 'the end' };
    if (character === open.at(-1) && MAY_CLOSE.has(expected)) {
      open.pop();
      expected = 'comma or end';
      at += 1;
      continue;
    }
    const token = readToken(text, at, expected);
    if ('wanted' in token) return token;
    if (character === '{') open.push('}');
    if (character === '[') open.push(']');
    expected = following(expected, character, open.at(-1));
    at = token.end;
  }
}

/**
 * Returns the tokens that may follow the one that begins with `character`; `closing` closes the innermost open bracket.
 */
function following(expected: Expected, character: string, closing: '}' | ']' | undefined): Expected {
  if (expected === 'key' || expected === 'first key') return 'colon';
  if (expected === 'colon') return 'value';
  if (expected === 'comma or end') return closing === '}' ? 'key' : 'value';
  if (character === '{') return 'first key';
  return character === '[' ? 'first element' : 'comma or end';
}

/** Returns the token at `at` if it is an expected one; `end` is the offset after it. */
function readToken(text: string, at: number, expected: Expected): { readonly end: number } | JsonFault {
  const character = text.charAt(at);
  const fault = { offset: at, wanted: WANTED[expected] };
  if (expected === 'colon') return character === ':' ? { end: at + 1 } : fault;
  if (expected === 'comma or end') return character === ',' ? { end: at + 1 } : fault;
  if (character === '"') return readString(text, at);
  if (expected === 'key' || expected === 'first key') return fault;
  if (character === '{' || character === '[') return { end: at + 1 };
  const end = skip(LITERAL, text, at);
  return end > at ? { end } : fault;
}

function readString(text: string, start: number): { readonly end: number } | JsonFault {
  for (let at = skip(PLAIN_CHARACTERS, text, start + 1); ; at = skip(PLAIN_CHARACTERS, text, at)) {
    const character = text.charAt(at);
    if (character === '"') return { end: at + 1 };
    if (character === '') return { offset: at, wanted: 'the closing quote of a string' };
    const end = skip(ESCAPE, text, at);
    // Neither a quote nor a plain character: a wrong escape, or a control character that needs one.
    if (end === at) return { offset: at, wanted: 'an escape such as `\\n`' };
    at = end;
  }
}

/** Returns the offset after the match of a sticky pattern at `at`; `at` itself if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
