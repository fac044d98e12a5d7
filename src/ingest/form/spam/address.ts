import { DAY } from '../../../lib/duration.ts';
import { relayMac } from '../../../lib/relay-mac.ts';

const CODE_DIGITS = 32;

/**
 * Returns a code for the address that a form came from. It is the same for a day, differs for each source and each day,
 * and only this deployment can make it. Null if the platform does not give the address.
 */
export function addressCode(env: object, source: string, { headers }: Pick<Request, 'headers'>, now: number) {
  const address = headers.get('cf-connecting-ip');
  if (address === null || address === '') return null;
  const day = Math.floor(now / DAY);
  return relayMac(env, `form address ${day}`, `${source}\n${network(address)}`).slice(0, CODE_DIGITS);
}

/**
 * Returns the network of an address: a household has one IPv4 address, or the 2^64 IPv6 addresses that begin with the
 * same four groups.
 */
function network(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.toLowerCase().split('::', 2);
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const gap = after === undefined ? 0 : Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0));
  const groups = [...(head ?? []), ...Array.from({ length: gap }, () => '0'), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
