import { endOfString, parseExactJson } from '../../lib/exact-json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { findJsonFault } from './json-fault.ts';
import { malformed, MAX_DEPTH, placeOf, tooDeep, type ParseRefusal } from './refusal.ts';

/**
 * Parses a JSON text; see {@link parseExactJson}. `what` names the text in a refusal, such as `The body`. `__proto__` is
 * a plain own key of the object that JSON.parse makes; nothing is ever merged into another object. A byte-order mark
 * before it is left out (RFC 8259 §8.1), as it is in a field of a form, and so is half a character.
 */
export function parseJson(sent: string, what: string): Result<unknown, ParseRefusal> {
  const text = sent.replace(/^\ufeff/, '');
  const deep = offsetBelowMaxDepth(text);
  if (deep !== null) return err(tooDeep(what, placeOf(text, deep)));
  try {
    const value = parseExactJson(text);
    return ok(HALF.test(text) ? parseExactJson(withoutHalves(text)) : value);
  } catch {
    return err(malformed(`${what} is not valid JSON: ${explain(text)}`));
  }
}

/** The escape of a surrogate, which may be a lone one. */
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

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
