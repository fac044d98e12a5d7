const REDACTED = '[redacted]';

/**
 * From this length on a secret is redacted wherever it stands, also inside a longer word. A shorter one only
 * where it stands alone: everywhere, it would shred the text, and not at all, it would leak.
 */
const MIN_LENGTH_INSIDE_WORDS = 4;

/** Fewer characters in hex or base64 may well be a part of anything. */
const MIN_ENCODED = 8;

/**
 * `text` with each secret replaced by `[redacted]`, in each form in which a program may echo it: as it is, percent-
 * or form-encoded, escaped for JSON or HTML (any of its characters, since every library escapes others), in hex, in
 * base64 or base64url, on its own or together with what stood around it. Case does not count, since a server may
 * lower-case an e-mail address. Undefined and empty secrets are skipped.
 *
 * Redact first and cut afterwards: half a secret is not recognised. A text that was cut before it came here is
 * `cutOff`; what may be the beginning of a secret is then redacted at its end, too.
 */
export function redact(text: string, secrets: readonly (string | undefined)[], cutOff = false): string {
  // Longest first: a secret that contains another must go as a whole.
  const given = [...new Set(secrets)].flatMap((secret) => (secret ? pieces(secret) : []));
  if (given.length === 0) return text;
  const patterns = patternsOf(given.toSorted((a, b) => b.length - a.length));
  const redacted = text.replace(patterns.whole, REDACTED);
  return cutOff ? redacted.replace(patterns.tail, REDACTED) : redacted;
}

/** A key in PEM has some thousand characters, and a pattern must not become as large as that allows. */
const MAX_PIECE = 64;

/** A long secret in pieces, each of which is looked for; none of them is short. */
function pieces(secret: string): readonly string[] {
  if (secret.length < 2 * MAX_PIECE) return [secret];
  return [secret.slice(0, MAX_PIECE), ...pieces(secret.slice(MAX_PIECE))];
}

/** What is looked for. Compiling takes longer than searching does, so it is done once, and for what is asked for. */
class Patterns {
  readonly #forms: readonly Form[];
  #whole: RegExp | undefined;
  #tail: RegExp | undefined;

  constructor(secrets: readonly string[]) {
    this.#forms = secrets.flatMap(formsOf);
  }

  /** Every secret, whole. */
  get whole(): RegExp {
    return (this.#whole ??= new RegExp(this.#forms.map(wholePattern).join('|'), 'giu'));
  }

  /** The beginning of a secret, at the end of a text. */
  get tail(): RegExp {
    const forms = this.#forms.filter(({ length }) => length > MIN_LENGTH_INSIDE_WORDS);
    // Without any, a pattern that nothing fits.
    return (this.#tail ??= new RegExp(forms.length === 0 ? '(?!)' : forms.map(tailPattern).join('|'), 'iu'));
  }
}

/** There is one set of secrets for each account, and that of the log. */
const compiled = new Map<string, Patterns>();
const MAX_COMPILED = 50;

function patternsOf(secrets: readonly string[]): Patterns {
  const key = JSON.stringify(secrets);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const patterns = new Patterns(secrets);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, patterns);
  return patterns;
}

/** A way to write a secret: a pattern for each of its characters, in all the ways in which that one may be written. */
type Form = readonly string[];

function formsOf(secretText: string): readonly Form[] {
  // Half a surrogate pair has no bytes.
  const secret = secretText.toWellFormed();
  const bytes = new TextEncoder().encode(secret);
  const encoded = [
    [...bytes].map(hex).join('').split(''),
    ...[0, 1, 2].map((offset) => base64(bytes, offset)),
  ];
  return [Array.from(secret, escapes), ...encoded.filter(({ length }) => length >= MIN_ENCODED)];
}

const wholePattern = (form: Form): string =>
  form.length < MIN_LENGTH_INSIDE_WORDS
    ? `(?<![\\p{L}\\p{N}])${form.join('')}(?![\\p{L}\\p{N}])`
    : form.join('');

/** What an escape looks like that was cut. */
const HALF_ESCAPE = '(?:\\\\+u?[0-9a-f]{0,3}|%[0-9a-f]?|&[#a-z0-9]{0,6})?';

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

/** After the backslash. Behind more than one where JSON stands in a text of JSON. */
const JSON_SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '\\/',
  '\\': '\\\\',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

const jsonEscape = (unit: string): string => `\\\\+u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A character as it is, and as URLs, forms, JSON and HTML may write it. */
function escapes(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES[character];
  const short = JSON_SHORT[character];
  const ways = [
    literal(character),
    [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte)}`).join(''),
    character.split('').map(jsonEscape).join(''),
    `&#(?:0*${code}|x0*${code.toString(16)});`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(short === undefined ? [] : [`\\\\+${short}`]),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${ways.join('|')})`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** What stays the same of a secret's base64 when it begins at such an offset of what is encoded, in both alphabets. */
function base64(bytes: Uint8Array, offset: number): Form {
  const inner = bytes.subarray((3 - offset) % 3);
  const whole = inner.subarray(0, inner.length - (inner.length % 3));
  const characters = btoa(String.fromCharCode(...whole)).split('');
  if (characters.length === 0) return [];
  // And the last ones, which have bits of what follows.
  return [...characters.map((one) => (one === '+' ? '[+-]' : one === '/' ? '[/_]' : one)), '[\\w+/-]{0,3}'];
}
