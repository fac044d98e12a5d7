import type { Fault } from '../../lib/problem.ts';
import { suggest } from '../../lib/suggest.ts';

/** The maximum number of names in an error. A longer list would hide the error. */
const MAX_LISTED = 12;

/** An error for the name of a recipients list where an address is expected: sent there, a message could reach anybody. */
export const isAList = (name: string): Fault => [
  'receiver',
  `\`${name}\` is a recipients list: name one receiver`,
  { name },
];

export function noSuch(what: string, name: string, known: readonly string[], more = ''): Fault {
  const near = suggest(name, known);
  return [
    'unknown-name',
    unknownName(what, name, known) + more,
    { what, name, ...(near !== null && { near }) },
  ];
}

/** A sentence on an unknown name, with a suggestion: the closest name, or all names. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const missing = `there is no ${what} \`${name}\``;
  const close = suggest(name, known);
  if (close !== null) return `${missing}; did you mean \`${close}\`?`;
  if (known.length === 0) return `${missing}; there are none yet`;
  const listed = known.slice(0, MAX_LISTED).join(', ');
  return `${missing}; there ${known.length === 1 ? 'is' : 'are'} ${listed}${known.length > MAX_LISTED ? ' …' : ''}`;
}
