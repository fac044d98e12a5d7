import { suggest } from '../../lib/suggest.ts';

/** The maximum number of names in an error. A longer list would hide the error. */
const MAX_LISTED = 12;

/** An error for the name of a recipients list where an address is expected: sent there, a message could reach anybody. */
export const isAList = (name: string): string => `\`${name}\` is a recipients list: name one receiver`;

/** An error for an unknown name, with a suggestion: the closest name, or all names. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const missing = `there is no ${what} \`${name}\``;
  const close = suggest(name, known);
  if (close !== null) return `${missing}; did you mean \`${close}\`?`;
  if (known.length === 0) return `${missing}; there are none yet`;
  const listed = known.slice(0, MAX_LISTED).join(', ');
  return `${missing}; there ${known.length === 1 ? 'is' : 'are'} ${listed}${known.length > MAX_LISTED ? ' …' : ''}`;
}
