import type { RecipientsDocument } from './recipients-schema.ts';

type People = NonNullable<RecipientsDocument['people']>;

/** The people of a list that have a phone, with its number. */
export const phonesOf = (people: People): readonly (readonly [name: string, digits: string])[] =>
  Object.entries(people).flatMap(([name, person]) => {
    const phone = typeof person === 'string' ? person : person.phone;
    return phone === undefined ? [] : [[name, phone] as const];
  });
