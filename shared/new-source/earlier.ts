import { asObject } from '../as-object.ts';
import { readDocumentNumber } from '../../src/template/filters/document-number.ts';
import { ownValue } from '../../src/lib/json.ts';
import type { Existing } from './plan.ts';
import { isPlace } from './zone.ts';

/** Settings of earlier sources in the folder: the likely answers for the next one. */
export interface Earlier {
  readonly country?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly lists: Readonly<Record<string, unknown>>;
  /** The numbers of these lists, or else of the folder's first one, as the gateway's digits. */
  readonly numbersOf: (lists: readonly string[]) => readonly string[];
  /** The addresses of these lists at a gateway, or else of the first list that has some. */
  readonly addressesOf: (lists: readonly string[], gateway: string) => readonly string[];
}

export function earlierAnswers({ sources, recipients }: Existing): Earlier {
  const values = (key: string): readonly string[] =>
    Object.values(sources)
      .map((source) => ownValue(source, key))
      .filter((value) => typeof value === 'string');
  const [country, locale] = [
    mostOf(values('country')),
    mostOf(values('locale').filter((tag) => !tag.includes('{'))),
  ];
  const timezone = mostOf(values('timezone').filter(isPlace));
  return {
    ...(country !== undefined && { country }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    lists: recipients,
    numbersOf: (lists) => {
      const known = lists.filter((name) => Object.hasOwn(recipients, name));
      const names = known.length > 0 ? known : Object.keys(recipients).slice(0, 1);
      return [...new Set(names.flatMap((name) => numbersIn(recipients[name])))];
    },
    addressesOf: (lists, gateway) => {
      const of = (name: string): readonly string[] => addressesIn(recipients[name], gateway);
      const named = [...new Set(lists.flatMap(of))];
      return named.length > 0
        ? named
        : (Object.keys(recipients)
            .map(of)
            .find((all) => all.length > 0) ?? []);
    },
  };
}

export function addressesIn(list: unknown, gateway: string): readonly string[] {
  const people = ownValue(list, 'people');
  return Object.values(asObject(people))
    .map((person) => ownValue(ownValue(person, 'address'), gateway))
    .filter((address) => typeof address === 'string');
}

/** The numbers of a list and of its people, as the gateway's digits. */
export function numbersIn(list: unknown): readonly string[] {
  const [numbers, people] = [ownValue(list, 'numbers'), ownValue(list, 'people')];
  const ofPeople = Object.values(asObject(people))
    .map((person) => (typeof person === 'string' ? person : ownValue(person, 'phone')))
    .filter((phone) => typeof phone === 'string');
  return [...(Array.isArray(numbers) ? numbers.map(String) : []), ...ofPeople].map((written) => {
    const read = readDocumentNumber(written);
    return read.ok ? read.value : written;
  });
}

/** The value that most have; of several such values, the first. */
function mostOf(values: readonly string[]): string | undefined {
  const times = (value: string): number => values.filter((other) => other === value).length;
  return values.toSorted((a, b) => times(b) - times(a))[0];
}
