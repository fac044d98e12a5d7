/** A parsed `Content-Type`: type and parameter names in lower case, values as they came. */
export interface MediaType {
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** RFC 9110 §5.6.2: a token in a header. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`);
const PARAMETER = new RegExp(`;\\s*(${TOKEN})=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;"\\s]*))`, 'g');
/** Longer than any real one, in UTF-16 units; it bounds the work of the pattern above. */
const MAX_LENGTH = 512;

/**
 * Parses a `Content-Type` (RFC 9110 §8.3); null for any other text. If a parameter is repeated, the first one counts.
 */
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
