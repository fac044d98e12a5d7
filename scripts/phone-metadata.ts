import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';
import { shorterPattern } from './digit-patterns.ts';

const TARGET = join(dirname(import.meta.dirname), 'src/template/filters/phone-metadata.json');

/**
 * The places of a country's pattern, lengths, number formats, and patterns of each kind of number in the library's
 * metadata.
 */
const PATTERN = 2;
const LENGTHS = 3;
const FORMATS = 4;
const KINDS = 11;

/** Metadata as arrays of whatever the library needs, by country. */
type Places = Record<string, unknown[]>;

interface Stripped {
  readonly version: number;
  readonly countries: Places;
  readonly nonGeographic: Places;
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
}

/**
 * `npm run phone-metadata`: the library's metadata without what hookbell does not use, in a form that compresses well;
 * `phone-library.ts` reads it. Run it when the library changes.
 *
 * - Messages go to plain digits, so number formats are left out: a quarter of the whole.
 * - Only validity matters, not the kind of a number: the kinds become one, without lengths, which only save a match of
 *   the pattern.
 * - The pattern of that one kind is rewritten where that is shorter, and matches exactly the same numbers.
 * - Countries are written by column, those of one calling code or with numbers of one length next to each other, so
 *   that similar data is adjacent. Those of one code keep their order, so that the list of codes can be derived.
 */
function main(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
  const { country_calling_codes: codes, ...stripped } = structuredClone(metadata) as unknown as Stripped;
  for (const places of [stripped.countries, stripped.nonGeographic]) {
    for (const place of Object.values(places)) {
      place[FORMATS] = [];
      if (typeof place[PATTERN] === 'string') place[PATTERN] = withoutMarks(place[PATTERN]);
      place[KINDS] = oneKind(place[KINDS]);
    }
  }
  const { countries, nonGeographic, version } = stripped;
  const lengthsOf = ([first = '']: readonly string[]): string => JSON.stringify(countries[first]?.[LENGTHS]);
  const names = Object.values(codes)
    .filter(([first = '']) => first in countries)
    .toSorted(
      (one, other) => Number(lengthsOf(one) > lengthsOf(other)) - Number(lengthsOf(one) < lengthsOf(other)),
    )
    .flat();
  const places = names.map((country) => countries[country] ?? []);
  const columns = Array.from({ length: Math.max(...places.map(({ length }) => length)) }, (_, column) =>
    places.map((place) => place[column] ?? 0),
  );
  const packed = JSON.stringify({ version, nonGeographic, countries: names, columns });
  writeFileSync(TARGET, `${packed.replaceAll(String.raw`\\d`, 'd')}\n`);
}

/** A number is valid if it is one of any kind. A kind is its pattern and its lengths, or 0. */
function oneKind(kinds: unknown): unknown {
  if (!Array.isArray(kinds)) return kinds;
  const patterns = kinds.flatMap((kind: unknown) => (Array.isArray(kind) ? [String(kind[0])] : []));
  const all = [...new Set(patterns)].filter((pattern) => pattern !== '').join('|');
  return [[all === '' ? all : shortened(withoutMarks(all))]];
}

const shortened = (pattern: string): string =>
  shorterPattern(pattern.replaceAll(String.raw`\d`, 'd')).replaceAll('d', String.raw`\d`);

/** Nothing reads the groups of a pattern, so they need not be non-capturing. */
const withoutMarks = (pattern: string): string => pattern.replaceAll('(?:', '(');

main();
