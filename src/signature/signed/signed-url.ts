import type { SignedRequest } from '../basics/request.ts';
import type { SignedOptions } from './signed-options.ts';

/**
 * Returns the texts that the sender may have signed as the address, at least one: the configured one, or else the
 * request's own. `hashName`: the query parameter that proves the body, if there is one.
 */
export function signedUrls(
  scheme: Pick<SignedOptions, 'url' | 'url_form'>,
  request: SignedRequest,
  hashName?: string,
): readonly string[] {
  const given = scheme.url ?? request.registeredUrl;
  const own = request.sentUrl ?? request.url.href;
  const urls = spellings(given === null ? own : withBodyHash(given, hashName, request));
  if (scheme.url_form === 'percent_decoded') return [...new Set(urls.map(decodeSome))];
  return scheme.url_form === 'any_port' ? [...new Set(urls.flatMap(withAndWithoutPort))] : urls;
}

/** The escapes of ASCII characters that mean nothing in an address: programs differ in which of them they escape. */
const OPTIONAL = /%(?:2[01278A9]|3[CE]|5[BDE]|60|7[B-E])/gi;
/** The escapes of characters beyond ASCII. Programs that show addresses do not escape them. */
const BEYOND_ASCII = /(?:%[89A-F][\dA-F])+/gi;

/**
 * Returns the spellings of one address: a sender may sign the address that it was given, and post to the one that its
 * program makes of that, or the other way round. The first is the same for all of them, since `signed_once` needs one
 * text for an address.
 */
function spellings(given: string): readonly string[] {
  const { href } = new URL(given);
  const readable = href.replace(OPTIONAL, unescapeText);
  return [
    ...new Set([
      readable.replace(BEYOND_ASCII, unescapeText),
      href,
      readable,
      href.replace(BEYOND_ASCII, unescapeText),
      given,
    ]),
  ];
}

function unescapeText(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/**
 * The sender adds the hash to the address that it was given. The hash must be in the signed text, or it would prove
 * nothing.
 */
function withBodyHash(given: string, name: string | undefined, { url }: SignedRequest): string {
  if (name === undefined) return given;
  return `${given}${given.includes('?') ? '&' : '?'}${name}=${url.searchParams.get(name) ?? ''}`;
}

/** The escapes that HubSpot decodes before it signs; the rest stays encoded. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

const decodeSome = (url: string): string => url.replace(DECODED, decodeURIComponent);

/** Scheme with user and host, then port, then the rest; the host may be an IPv6 address in brackets. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d*)?(.*)$/is;

/** Twilio signs the default port for some requests and leaves it out for others. */
function withAndWithoutPort(url: string): readonly string[] {
  const [, origin, port, rest = ''] = PARTS.exec(url) ?? [];
  if (origin === undefined) return [url];
  const defaultPort = /^https:/i.test(origin) ? ':443' : ':80';
  return [`${origin}${rest}`, `${origin}${port ?? defaultPort}${rest}`];
}
