import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';

/** The file that `src/config/phone-plans.ts` and `cli/phone-plans.ts` read. */
export const PLANS_FILE = join(dirname(import.meta.dirname), 'assets/phones/plans.json');

/** The places of a country's properties that only writing a number for people needs; others of these come last. */
const FORMATS = 4;
const PREFIX_FORMAT = 6;
const PREFIX_IS_OPTIONAL = 9;
const LAST = 11;

/**
 * The library's metadata of all kinds of numbers as it is, without the ways to write them: messages go to digits. Lines of
 * one country each, so that what an update changes can be seen.
 */
export function plansText(): string {
  const { version, country_calling_codes, countries, nonGeographic } = metadata;
  const parts = {
    version,
    country_calling_codes,
    countries: plansOf(countries),
    nonGeographic: plansOf(nonGeographic),
  };
  return `${JSON.stringify(parts).replaceAll(/(?<=[\]}],)(?="[A-Z]{2}":)/g, '\n')}\n`;
}

/** `countries`: the library's types know what is where, and not that all of it is a list. */
const plansOf = (countries: object | undefined): object =>
  Object.fromEntries(
    Object.entries(countries ?? {}).map(([name, places]: [string, unknown]) => {
      if (!Array.isArray(places)) throw new Error(`${name} has another form`);
      return [
        name,
        places.slice(0, LAST + 1).map((value: unknown, place) => (isOfWriting(place) ? 0 : value)),
      ];
    }),
  );

const isOfWriting = (place: number): boolean => [FORMATS, PREFIX_FORMAT, PREFIX_IS_OPTIONAL].includes(place);

/** `npm run phone-metadata`: run it when the library changes. */
if (process.argv[1] === import.meta.filename) {
  mkdirSync(dirname(PLANS_FILE), { recursive: true });
  writeFileSync(PLANS_FILE, plansText());
}
