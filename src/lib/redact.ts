import { createCache } from './cache.ts';

const REDACTED = '[redacted]';

/** A shorter secret is redacted only as a separate word: everywhere, it would make the text unreadable. */
const MIN_LENGTH_INSIDE_WORDS = 4;

/** Fewer encoded characters could be part of any text. */
const MIN_ENCODED = 8;

/**
 * Replaces each secret in `text` by `[redacted]`, in each form in which a program may echo it: unchanged, percent- or
 * form-encoded, escaped for JSON or HTML (any of its characters, since every library escapes different ones), in hex,
 * in base64 or base64url, alone or encoded together with other text. Ignores case, since a server may lower-case an
 * e-mail address. Skips undefined and empty secrets.
 *
 * Redact before cutting: half a secret is not recognised. `cutOff`: the text was cut before. If its end may be the
 * beginning of a secret, that is redacted, too.
 */
export function redact(text: string, secrets: readonly (string | undefined)[], cutOff = false): string {
  // Longest first: a secret that contains another must be redacted as a whole.
  const given = [...new Set(secrets)].flatMap((secret) => (secret ? pieces(secret) : []));
  if (given.length === 0) return text;
  const sorted = given.toSorted((a, b) => b.length - a.length);
  const { whole, tail } = patterns(JSON.stringify(sorted), () => patternsOf(sorted.flatMap(formsOf)));
  const redacted = text.replace(whole, REDACTED);
  return cutOff ? redacted.replace(tail, REDACTED) : redacted;
}

/** The length of a piece. A PEM key has some thousand characters, which would make a pattern too large. */
const MAX_PIECE = 64;

/** Splits a long secret into pieces that are searched for one by one. No piece is short. */
function pieces(secret: string): readonly string[] {
  if (secret.length < 2 * MAX_PIECE) return [secret];
  return [secret.slice(0, MAX_PIECE), ...pieces(secret.slice(MAX_PIECE))];
}

/** Compiling takes longer than searching. There is one set of secrets for each account, and one for the log. */
const patterns = createCache<ReturnType<typeof patternsOf>>(50);

function patternsOf(forms: readonly Form[]) {
  const long = forms.filter(({ length }) => length > MIN_LENGTH_INSIDE_WORDS);
  return {
    whole: new RegExp(forms.map(wholePattern).join('|'), 'giu'),
    /** The beginning of a secret at the end of a text. Without any form, it never matches. */
    tail: new RegExp(long.length === 0 ? '(?!)' : long.map(tailPattern).join('|'), 'iu'),
  };
}

/** A way to write a secret: for each of its characters, a pattern for all spellings of that character. */
type Form = readonly string[];

function formsOf(secretText: string): readonly Form[] {
  // Half a surrogate pair cannot be encoded.
  const secret = secretText.toWellFormed();
  const bytes = new TextEncoder().encode(secret);
  const encoded = [
    [...bytes].map(hex).join('').split(''),
    ...[0, 1, 2].map((offset) => base64(bytes, offset)),
  ];
  const written = (secret.match(UNITS) ?? []).map((unit, at) =>
    unit.startsWith('\\') ? backslashes(unit.length) : escapes(unit, at === 0 ? ONE : SEVERAL),
  );
  return [written, ...encoded.filter(({ length }) => length >= MIN_ENCODED)];
}

/**
 * Splits a secret into its runs of backslashes and its other characters. An escape may have several backslashes, since
 * JSON inside a text of JSON doubles them. Before the first character, matching the last backslash is enough, so that a
 * search tries each backslash of a text once. The number is bounded, since a stranger can write a long run.
 */
const UNITS = /\\+|[^\\]/gsu;
const ONE = '\\\\';
const SEVERAL = '\\\\{1,16}';

const wholePattern = (form: Form): string =>
  form.length < MIN_LENGTH_INSIDE_WORDS
    ? `(?<![\\p{L}\\p{N}])${form.join('')}(?![\\p{L}\\p{N}])`
    : form.join('');

/** An escape that was cut off. */
const HALF_ESCAPE = '(?:\\\\{1,16}u?[0-9a-f]{0,3}|%[0-9a-f]?|&[#a-z0-9]{0,6})?';

function tailPattern(form: Form): string {
  const least = form.slice(0, MIN_LENGTH_INSIDE_WORDS).join('');
  const rest = form.slice(MIN_LENGTH_INSIDE_WORDS);
  return `${least}${rest.map((unit) => `(?:${unit}`).join('')}${')?'.repeat(rest.length)}${HALF_ESCAPE}$`;
}

const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** The characters after the backslash of an escape. There are several backslashes if JSON is inside a text of JSON. */
const JSON_SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '\\/',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

const jsonEscape = (unit: string): string => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A run of backslashes as one unit: as several, they could split a longer run in very many ways. */
const backslashes = (count: number): string =>
  `(?:\\\\{${count},${16 * count}}|(?:%5c){${count}}|(?:&#(?:92|x5c);){${count}}|(?:${SEVERAL}u005c){${count}})`;

/** Matches a character unchanged, and as URLs, forms, JSON and HTML may write it. */
function escapes(character: string, before: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES[character];
  const short = JSON_SHORT[character];
  const ways = [
    literal(character),
    [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte)}`).join(''),
    character
      .split('')
      .map((unit, at) => `${at === 0 ? before : SEVERAL}${jsonEscape(unit)}`)
      .join(''),
    `&#(?:0{0,8}${code}|x0{0,8}${code.toString(16)});`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(short === undefined ? [] : [`${before}${short}`]),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${ways.join('|')})`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** A secret's base64 at this offset (modulo 3), without what depends on the text around it. In both alphabets. */
function base64(bytes: Uint8Array, offset: number): Form {
  const inner = bytes.subarray((3 - offset) % 3);
  const whole = inner.subarray(0, inner.length - (inner.length % 3));
  const characters = btoa(String.fromCharCode(...whole)).split('');
  if (characters.length === 0) return [];
  // The last characters also contain bits of the text that follows.
  return [...characters.map((one) => (one === '+' ? '[+-]' : one === '/' ? '[/_]' : one)), '[\\w+/-]{0,3}'];
}
