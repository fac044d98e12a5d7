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

const VALUE = /["[{]|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** What may come next: in words, and the pattern of its token; that of a text is its first quote. */
const EXPECTED = {
  value: ['a value', VALUE],
  'first element': ['a value or `]`', VALUE],
  key: ['a key in double quotes', /"/y],
  'first key': ['a key in double quotes or `}`', /"/y],
  colon: ['`:`', /:/y],
  'comma or end': ['`,` or a closing bracket', /,/y],
} as const;
type Expected = keyof typeof EXPECTED;

const MAY_CLOSE: ReadonlySet<Expected> = new Set(['first element', 'first key', 'comma or end']);

const SPACE = /[ \t\n\r]*/y;
/** Of a string, RFC 8259 §7: all but control characters, the quote and the backslash; or an escape. */
const CHARACTERS = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The first fault by RFC 8259, which JSON.parse does not say: its offset (UTF-16 units), and the tokens that are valid
 * there; null for valid JSON. Depth uses no stack.
 */
export function findJsonFault(text: string): Readonly<{ offset: number; wanted: string }> | null {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = skip(SPACE, text, 0); ; at = skip(SPACE, text, at)) {
    const isDone = expected === 'comma or end' && open.length === 0;
    if (isDone) return at === text.length ? null : { offset: at, wanted: 'the end' };
    const character = text.charAt(at);
    const closes = character === open.at(-1) && MAY_CLOSE.has(expected);
    const [wanted, token]: (typeof EXPECTED)[Expected] = EXPECTED[expected];
    const end = closes ? at + 1 : skip(token, text, at);
    if (end === at) return { offset: at, wanted };
    at = end;
    if (character === '"') {
      for (let next = skip(CHARACTERS, text, at); next > at; next = skip(CHARACTERS, text, at)) at = next;
      if (at === text.length) return { offset: at, wanted: 'the closing quote of a string' };
      // A wrong escape, or a control character that needs one.
      if (text.charAt(at) !== '"') return { offset: at, wanted: 'an escape such as `\\n`' };
      at += 1;
    }
    if (closes) open.pop();
    if (character === '{') open.push('}');
    if (character === '[') open.push(']');
    expected = following(expected, character, open.at(-1));
  }
}

/** What may follow the token that begins with `character`; `closing` closes the innermost open bracket. */
function following(expected: Expected, character: string, closing: string | undefined): Expected {
  if (character === '"' && (expected === 'key' || expected === 'first key')) return 'colon';
  if (character === ',' && closing === '}') return 'key';
  if (character === ',' || character === ':') return 'value';
  if (character === '{') return 'first key';
  return character === '[' ? 'first element' : 'comma or end';
}

/** Returns the offset after the match of a sticky pattern at `at`; `at` itself if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
