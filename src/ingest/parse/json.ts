import { endOfString, parseExactJson } from '../../lib/json.ts';
import { ok } from '../../lib/result.ts';
import { malformed, MAX_DEPTH, placeOf, tooDeep, type Parsed } from './text.ts';

/**
 * See {@link parseExactJson}. `what` names the text in a refusal. Nothing is ever merged into another object, so
 * `__proto__` is a plain key. A byte-order mark (RFC 8259 §8.1) and half a character are left out.
 */
export function parseJson(sent: string, what: string): Parsed {
  const text = sent.replace(/^\ufeff/, '');
  const deep = offsetBelowMaxDepth(text);
  if (deep !== null) return tooDeep(what, placeOf(text, deep));
  try {
    const value = parseExactJson(text);
    return ok(HALF.test(text) ? parseExactJson(withoutHalves(text)) : value);
  } catch {
    return malformed(`${what} is not valid JSON: ${explain(text)}`);
  }
}

const HALF = /\\ud[89a-f]/i;
/** An escape of JSON: that of a whole pair of surrogates, or of a lone one, or any other. */
const ESCAPE = /\\(?:u(?:d[89ab]..\\ud[c-f]..|(d[89a-f]..))|[^])/gi;

/**
 * Leaves out each escape of half a character, which a program writes that cuts texts by UTF-16 units. It is valid JSON
 * (RFC 8259 §8.2), but no text: a gateway would get a replacement character, or refuse the call.
 */
const withoutHalves = (text: string): string =>
  text.replaceAll(ESCAPE, (escape: string, half?: string) => (half === undefined ? escape : ''));

/** JSON.parse's own message quotes the body, and does not always say where. */
function explain(text: string): string {
  if (text.trim() === '') return 'it is empty. Send a value, such as `{}`.';
  const { offset, wanted } = findJsonFault(text) ?? { offset: text.length, wanted: 'nothing more' };
  return `at ${placeOf(text, offset)}, ${found(text, offset)} where ${wanted} should be.`;
}

function found(text: string, offset: number): string {
  const character = text[offset];
  if (character === undefined) return 'it ends';
  const isVisibleAscii = /[!-_a-~]/.test(character);
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `there is ${isVisibleAscii ? `\`${character}\`` : `the character U+${code}`}`;
}

/** Returns the offset of the first bracket that is nested deeper than {@link MAX_DEPTH}, or null. Uses no recursion. */
function offsetBelowMaxDepth(text: string): number | null {
  let depth = 0;
  // Outside of strings only brackets count; a string is skipped as a whole.
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      depth += 1;
      if (depth > MAX_DEPTH) return i;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth -= 1;
  }
  return null;
}

const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = Array.from('"[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** The place where a text stops being JSON (an offset in UTF-16 units), and the tokens that are valid there. */
type JsonFault = Readonly<{ offset: number; wanted: string }>;

const WANTED = {
  value: 'a value',
  'first element': 'a value or `]`',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or `}`',
  colon: '`:`',
  'comma or end': '`,` or a closing bracket',
} as const;
type Expected = keyof typeof WANTED;

const MAY_CLOSE: ReadonlySet<Expected> = new Set(['first element', 'first key', 'comma or end']);

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** RFC 8259 §7: all but control characters, the quote and the backslash. */
const PLAIN_CHARACTERS = /[ !#-[\]-\uffff]*/y;
const VALID_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first fault by RFC 8259, which JSON.parse does not say; null for valid JSON. Depth uses no stack. */
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

/** What may follow the token that begins with `character`; `closing` closes the innermost open bracket. */
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
    const end = skip(VALID_ESCAPE, text, at);
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
