import { err, ok, type Result } from '../../lib/result.ts';

/** Invalid bytes are an error, and a byte-order mark at the start of a body is left out; in a part of it, it is text. */
const STRICT = { fatal: true, ignoreBOM: false };
const STRICT_PART = { fatal: true, ignoreBOM: true };

/** A header's value that may be shown: whole or not at all, since redaction does not recognise a part of a secret. */
const CHARSET_NAME = /^[\w.:-]{1,40}$/;

/** The decoder of a `charset`, which must be one that the platform knows. It accepts only valid text. */
export function decoderFor(charset: string, options = STRICT_PART): Parsed<TextDecoder> {
  try {
    return ok(new TextDecoder(charset, options));
  } catch {
    const name = CHARSET_NAME.test(charset) ? ` \`${charset}\`` : '';
    return unsupported(`The charset${name} is not supported. Send the body in UTF-8.`);
  }
}

/** Reused for each body, but not after a fault: it could still hold part of a character. */
let utf8 = new TextDecoder('utf-8', STRICT);

/** Without a byte-order mark. Invalid bytes are refused: a replacement character would hide them. */
export function decodeText(bytes: Uint8Array, charset?: string): Parsed<string> {
  const decoder = charset === undefined ? ok(utf8) : decoderFor(charset, STRICT);
  if (!decoder.ok) return decoder;
  try {
    return ok(decoder.value.decode(bytes));
  } catch {
    utf8 = new TextDecoder('utf-8', STRICT);
    const { encoding } = decoder.value;
    const place = firstInvalidByte(bytes, encoding);
    return malformed(`The body is not valid ${encoding}: byte ${place + 1} of ${bytes.length} is invalid.`);
  }
}

/** The decoder does not say where it failed, so a binary search finds the longest valid beginning. */
function firstInvalidByte(bytes: Uint8Array, encoding: string): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    try {
      // A beginning may end within a character; that is not a fault.
      new TextDecoder(encoding, STRICT).decode(bytes.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return valid;
}

/** `detail` says what is wrong, where, and how to fix it; it shows at most one character of the body. */
export type ParseRefusal = Readonly<{ status: 400 | 415; detail: string }>;

/** What a body means, or why it is refused. */
export type Parsed<Value = unknown> = Result<Value, ParseRefusal>;

export const malformed = (detail: string) => err<ParseRefusal>({ status: 400, detail });

export const unsupported = (detail: string) => err<ParseRefusal>({ status: 415, detail });

/** The most levels of JSON and XML: whatever walks a payload later recurses, and a MiB could have half a million. */
export const MAX_DEPTH = 100;

export const tooDeep = (what: string, place: string) =>
  malformed(
    `${what} is nested too deeply: ${place} is more than ${MAX_DEPTH} levels deep. Send flatter data.`,
  );

/** The place of an offset (UTF-16 units) in a text, for a person: `line 3, column 7`. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - lineStart + 1}`;
}

/** A parsed `Content-Type`: type and parameter names in lower case, values as they came. */
export type MediaType = Readonly<{ essence: string; parameters: ReadonlyMap<string, string> }>;

/** RFC 9110 §5.6.2: a token in a header. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})(?:\\s*,\\s*\\1)*\\s*(?:;|$)`);
const PARAMETER = new RegExp(`;\\s*(${TOKEN})=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;"\\s]*))`, 'g');
/** Longer than any real one, in UTF-16 units; it bounds the work of the pattern above. */
const MAX_LENGTH = 512;

/** Parses a `Content-Type` (RFC 9110 §8.3), also one that was sent twice; null for any other text. Of a repeated parameter the first counts. */
export function parseMediaType(text: string): MediaType | null {
  const essence = text.length > MAX_LENGTH ? undefined : ESSENCE.exec(text)?.[1];
  return essence === undefined ? null : { essence: essence.toLowerCase(), parameters: parametersOf(text) };
}

/** `text/json` was never registered, but senders use it. */
const JSON_TYPE = /^(?:(?:application|text)\/json|[^/]+\/[^/]+\+json)$/;

export const isJsonType = ({ essence }: MediaType): boolean => JSON_TYPE.test(essence);

/** Returns the parameters of a header; only quotes and backslashes may be escaped. */
export function parametersOf(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? plain);
  }
  return parameters;
}
