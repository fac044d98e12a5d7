/**
 * Returns the network of an address: a household has one IPv4 address, or the 2^64 IPv6 addresses that begin with the
 * same four groups. An IPv4 address in the form of an IPv6 one stays as it is.
 */
export function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = '', after] = address.toLowerCase().split('::', 2);
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const gap = after === undefined ? 0 : Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0));
  const groups = [...(head ?? []), ...Array.from({ length: gap }, () => '0'), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
