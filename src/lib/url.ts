import { truncateTo } from './text.ts';
import { err, ok, type Result } from './result.ts';

/** Programs read these differently: a browser takes a backslash for a slash, and drops tabs and line breaks. */
// oxlint-disable-next-line no-control-regex -- these are what is refused
const AMBIGUOUS = /[\\\u0000-\u001f\u007f-\u009f]/;

/** Programs may read a text as different addresses: pass on the `href`, which a check has seen, never the text. */
export function httpUrl(text: string): Result<URL, string> {
  const trimmed = text.trim();
  if (AMBIGUOUS.test(trimmed))
    return err('contains a backslash, a line break or another control character, which a URL must not');
  const url = URL.parse(trimmed);
  return url === null || !/^https?:$/.test(url.protocol) ? err('is not an http(s) URL') : ok(url);
}

/** True if a host, as {@link URL} writes it, is this machine. Requests to it do not cross a network. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const MAX_URL = 2_048;
/** The URL parser drops line breaks and trims spaces, so the checked address would differ from the written one. */
const PLAIN = /^[\x21-\x7e]+$/;

/** An address that a request names for us to call; null unless plain https and `host` matches its whole host. */
export function pinnedUrl(text: string, host: RegExp): URL | null {
  if (text.length > MAX_URL || !PLAIN.test(text) || text.includes('#')) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || !host.test(url.hostname)) return null;
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}

/** Matches a scheme and a whole host before the first part that a template fills in. */
const NAMED = /^\s*https?:\/\/[^\s/?#\\{}]+(?=[/?#]|\s*$)/i;

/** True if the template of a URL contains the whole host: `https://shop.example/{{ payload.id }}`. */
export const namesItsHost = (template: string): boolean => NAMED.test(template);

/*
 * Checks that an address is public. A stranger's link to any other address would make the gateway, or the phone, send a
 * request into its own network. Names are not looked up, since whoever follows the link resolves them later.
 */

/** Ranges of IPv4 that are not public (RFC 6890 and its registry): first address, length of the prefix, purpose. */
const IPV4_RANGES = [
  ['0.0.0.0', 8, 'this network, RFC 791'],
  ['10.0.0.0', 8, 'private, RFC 1918'],
  ['100.64.0.0', 10, 'carrier-grade NAT, RFC 6598'],
  ['127.0.0.0', 8, 'loopback, RFC 1122'],
  ['169.254.0.0', 16, 'link-local, RFC 3927'],
  ['172.16.0.0', 12, 'private, RFC 1918'],
  ['192.0.0.0', 24, 'IETF protocols, RFC 6890'],
  ['192.0.2.0', 24, 'documentation, RFC 5737'],
  ['192.88.99.0', 24, '6to4 relays, RFC 7526'],
  ['192.168.0.0', 16, 'private, RFC 1918'],
  ['198.18.0.0', 15, 'benchmarks, RFC 2544'],
  ['198.51.100.0', 24, 'documentation, RFC 5737'],
  ['203.0.113.0', 24, 'documentation, RFC 5737'],
  ['224.0.0.0', 4, 'multicast, RFC 5771'],
  ['240.0.0.0', 4, 'reserved, RFC 1112'],
] as const;

/** One machine or one network: RFC 6761, 6762, 8375, names that ICANN has reserved, and those without a dot. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|home\.arpa)$|^[^.]*$/;

/** No name is longer, but whatever a payload has for one comes here. */
const MAX_NAME = 253;

/** The reason why a host is not public; null if it is. `host`: a URL's `hostname`, normalized by the URL parser. */
export function whyNotPublic(host: string): string | null {
  if (/^\d+(?:\.\d+){3}$/.test(host)) return refusal(host, whyNotIpv4(ipv4Number(host)));
  if (host.startsWith('[')) return refusal(host, whyNotIpv6(groupsOf(host.slice(1, -1))));
  return LOCAL_NAME.test(host.replace(/\.$/, ''))
    ? `${truncateTo(host, MAX_NAME)} is not a public name`
    : null;
}

const refusal = (host: string, why: string | null): string | null =>
  why === null ? null : `${host} is not a public address (${why})`;

function whyNotIpv4(address: number): string | null {
  const range = IPV4_RANGES.find(([first, length]) => {
    const size = 2 ** (32 - length);
    return Math.floor(address / size) === Math.floor(ipv4Number(first) / size);
  });
  return range?.[2] ?? null;
}

const ipv4Number = (text: string): number =>
  text.split('.').reduce((address, byte) => address * 256 + Number(byte), 0);

type Groups = readonly number[];

/** Only 2000::/3 is allocated. An address that contains an IPv4 address is public if that one is. */
function whyNotIpv6(groups: Groups): string | null {
  const [a = 0, b = 0] = groups;
  const isMapped = startsWith(groups, [0, 0, 0, 0, 0, 0xffff]);
  const isNat64 = startsWith(groups, [0x64, 0xff9b, 0, 0, 0, 0]);
  if (isMapped || isNat64) return whyNotIpv4(ipv4At(groups, 6));
  // 6to4
  if (a === 0x2002) return whyNotIpv4(ipv4At(groups, 1));
  if (a < 0x2000 || a > 0x3fff) return 'not global unicast, RFC 4291';
  if (a === 0x2001 && b < 0x200) return 'IETF protocols, RFC 2928';
  if (a === 0x2001 && b === 0xdb8) return 'documentation, RFC 3849';
  return a === 0x3fff && b < 0x1000 ? 'documentation, RFC 9637' : null;
}

const startsWith = (groups: Groups, prefix: Groups): boolean =>
  prefix.every((group, place) => groups[place] === group);

const ipv4At = (groups: Groups, place: number): number =>
  (groups[place] ?? 0) * 65_536 + (groups[place + 1] ?? 0);

/** The eight groups of an address. The URL parser writes no dotted quad, and `::` at most once. */
function groupsOf(text: string): Groups {
  const [head = '', tail] = text.split('::');
  const before = parsed(head);
  if (tail === undefined) return before;
  const after = parsed(tail);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

const parsed = (part: string): number[] =>
  part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));

/**
 * Returns the network of an address: a household has one IPv4 address, or the 2^64 IPv6 addresses that begin with the
 * same four groups. An IPv4 address in the form of an IPv6 one stays as it is.
 */
export function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}
