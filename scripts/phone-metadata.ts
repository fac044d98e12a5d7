import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';

const TARGET = join(dirname(import.meta.dirname), 'src/template/phone-metadata.json');

/** Where a country's pattern, lengths, ways to write numbers, and patterns of each kind of number stand in the library's metadata. */
const PATTERN = 2;
const LENGTHS = 3;
const FORMATS = 4;
const KINDS = 11;

/** Metadata as arrays of whatever the library needs, by country. */
type Places = Record<string, unknown[]>;

/**
 * `npm run phone-metadata`: the library's metadata without what nobody asks for here, in a form that is small once compressed. Messages go
 * to digits, which are written in one way only, so the ways to write numbers go, a quarter of it all. Whether a number is
 * valid is asked, not of which kind it is, so the kinds become one, without lengths, which only spare a look at its pattern.
 * Countries are written by column, those with numbers of one length side by side, so that what is alike stands together. `phone-library.ts` reads it. To be run when the
 * library changes.
 */
function main(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
  const stripped = structuredClone(metadata) as unknown as { countries: Places; nonGeographic: Places };
  for (const places of [stripped.countries, stripped.nonGeographic]) {
    for (const place of Object.values(places)) {
      place[FORMATS] = [];
      place[PATTERN] = withoutMarks(place[PATTERN]);
      place[KINDS] = oneKind(place[KINDS]);
    }
  }
  const { countries, ...rest } = stripped;
  const sorted = Object.entries(countries).toSorted(byLengths);
  const places = sorted.map(([, place]) => place);
  const columns = Array.from({ length: Math.max(...places.map(({ length }) => length)) }, (_, column) =>
    places.map((place) => place[column] ?? 0),
  );
  const packed = { ...rest, countries: sorted.map(([country]) => country), columns };
  writeFileSync(TARGET, `${JSON.stringify(packed).replaceAll(String.raw`\\d`, 'd')}\n`);
}

type Entry = readonly [country: string, place: readonly unknown[]];

function byLengths([, one]: Entry, [, other]: Entry): number {
  const [a, b] = [one, other].map((place) => JSON.stringify(place[LENGTHS]));
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}

/** A number is valid if it is one of any kind. A kind is its pattern and its lengths, or 0. */
function oneKind(kinds: unknown): unknown {
  if (!Array.isArray(kinds)) return kinds;
  const patterns = kinds.flatMap((kind: unknown) => (Array.isArray(kind) ? [String(kind[0])] : []));
  return [[[...new Set(patterns)].filter((pattern) => pattern !== '').join('|')].map(withoutMarks)];
}

/** Nobody looks at the groups of a pattern, so that they need not be marked as not looked at. */
const withoutMarks = (pattern: unknown): unknown =>
  typeof pattern === 'string' ? pattern.replaceAll('(?:', '(') : pattern;

main();
