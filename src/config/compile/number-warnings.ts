import { type FieldError, fieldError } from '../../lib/problem.ts';
import { readDocumentNumber } from '../../template/filters/document-number.ts';
import { knownPlans, readNumber } from '../../template/filters/phone-library.ts';
import { glimpse } from '../../template/basics/print.ts';
import { rightOnes, type SetDocuments } from '../documents/check.ts';
import type { RecipientsDocument } from '../documents/recipients-schema.ts';

/** The maximum number of warnings for one list. Somebody who pasted the wrong column sees that from a few. */
const MAX_SHOWN = 10;

/** Warns of numbers in documents that no phone can have, by the numbering plans. Without the plans, warns of none. */
export function numberDoubts({ recipients, sources }: SetDocuments): readonly FieldError[] {
  if (knownPlans() === null) return [];
  const ofLists = rightOnes(recipients).flatMap(([name, { numbers = [], people = {} }]) =>
    bounded(`recipients.${name}`, [
      ...numbers.map((digits, at) => [`recipients.${name}.numbers[${at}]`, digits] as const),
      ...phonesOf(people).map(([who, digits]) => [`recipients.${name}.people.${who}`, digits] as const),
    ]),
  );
  const doubtsIn = (path: string, to: string | readonly string[]): readonly FieldError[] => {
    const entries = [to]
      .flat()
      .map((entry, at) => [typeof to === 'string' ? path : `${path}[${at}]`, entry] as const);
    const numbers = entries.flatMap(([place, entry]) => {
      const number = recipients.has(entry) ? null : readDocumentNumber(entry);
      return number?.ok === true ? [[place, number.value] as const] : [];
    });
    return bounded(path, numbers);
  };
  const ofRoutes = rightOnes(sources).flatMap(([id, { routes = [] }]) =>
    routes.flatMap(({ to = [], escalate = [] }, route) => {
      const path = `sources.${id}.routes[${route}]`;
      const steps = escalate.flatMap((step, at) => doubtsIn(`${path}.escalate[${at}].to`, step.to));
      return [...doubtsIn(`${path}.to`, to), ...steps];
    }),
  );
  return [...ofLists, ...ofRoutes];
}

type People = NonNullable<RecipientsDocument['people']>;

/** The people of a list who have a phone, with its number. */
const phonesOf = (people: People): readonly (readonly [name: string, digits: string])[] =>
  Object.entries(people).flatMap(([name, person]) => {
    const phone = typeof person === 'string' ? person : person.phone;
    return phone === undefined ? [] : [[name, phone] as const];
  });

function bounded(path: string, numbers: readonly (readonly [string, string])[]): readonly FieldError[] {
  const found = numbers.flatMap(([place, digits]) => {
    const message = doubtOf(digits);
    return message === null ? [] : [fieldError(place, 'number', message)];
  });
  if (found.length <= MAX_SHOWN) return found;
  const left = found.length - MAX_SHOWN;
  return [
    ...found.slice(0, MAX_SHOWN),
    fieldError(path, 'more', `and ${left} more such numbers`, { left: String(left) }),
  ];
}

/** The reason why no phone can have this number; null if a phone can. */
function doubtOf(digits: string): string | null {
  const shown = glimpse(`+${digits}`);
  const number = readNumber(digits);
  if (number === undefined) return `${shown} does not begin with a country code: check it`;
  const code = `+${number.countryCallingCode}`;
  if (number.isValid())
    return number.number === `+${digits}`
      ? null
      : `${shown} has a 0 after ${code} that is not dialled from abroad: leave it out`;
  return `${shown} is not a valid number: the digits after ${code}, or how many there are, cannot be right`;
}
