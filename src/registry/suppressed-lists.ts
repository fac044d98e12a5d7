import { documentsOf, rightOnes } from '../config/documents/check.ts';
import type { PersonDocument } from '../config/documents/recipients-schema.ts';
import type { ConfigSet } from '../config/documents/schema.ts';
import { isSuppressed } from '../config/compiled/suppressed.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';

/** The maximum number of receivers of one list that are named: a list of customers may have many. */
const MAX_SHOWN = 3;

/**
 * Warns of receivers in lists who have opted out. `json`: all receivers who have, as the registry keeps them; undefined
 * if nobody has.
 */
export function suppressedInLists(set: ConfigSet, json: string | undefined): readonly FieldError[] {
  if (json === undefined) return [];
  const by = { suppressions: parseOwnJson<string>(json) };
  return rightOnes(documentsOf(set).recipients).flatMap(([name, { numbers = [], people = {} }]) => {
    const path = `recipients.${name}`;
    const found = [
      ...numbers.map((phone, at) => ({ path: `${path}.numbers[${at}]`, receiver: phone })),
      ...Object.entries(people).flatMap(([who, person]) =>
        receiversOf(person).map((receiver) => ({ path: `${path}.people.${who}`, receiver })),
      ),
    ].filter(({ receiver }) => isSuppressed(by, receiver));
    const shown = found
      .slice(0, MAX_SHOWN)
      .map(({ receiver, ...at }) => fieldError(at.path, 'opted-out', said(receiver)));
    const left = found.length - shown.length;
    return left === 0
      ? shown
      : [...shown, fieldError(path, 'more', `and ${left} more who have opted out`, { left: String(left) })];
  });
}

/** Returns the number and the addresses of a person. */
const receiversOf = (person: PersonDocument): readonly string[] =>
  typeof person === 'string'
    ? [person]
    : [...(person.phone === undefined ? [] : [person.phone]), ...Object.values(person.address ?? {})];

const said = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;
