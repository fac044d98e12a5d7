import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';

const TARGET = join(dirname(import.meta.dirname), 'src/template/phone-metadata.json');

/** Where a country's ways to write its numbers stand, and the patterns of each kind of number, in the library's metadata. */
const FORMATS = 4;
const KINDS = 11;

/** Metadata as arrays of whatever the library needs, by country. */
type Places = Record<string, unknown[]>;

/**
 * `npm run phone-metadata`: the library's metadata without what nobody asks for here. Messages go to digits, which are written in
 * one way only, so the ways to write numbers go, a quarter of it all. Whether a number is valid is asked, not of which kind it is,
 * so the kinds become one, without lengths, which only spare a look at its pattern. To be run when the library changes.
 */
function main(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
  const stripped = structuredClone(metadata) as unknown as { countries: Places; nonGeographic: Places };
  for (const places of [stripped.countries, stripped.nonGeographic]) {
    for (const place of Object.values(places)) {
      place[FORMATS] = [];
      place[KINDS] = oneKind(place[KINDS]);
    }
  }
  writeFileSync(TARGET, `${JSON.stringify(stripped)}\n`);
}

/** A number is valid if it is one of any kind. A kind is its pattern and its lengths, or 0. */
function oneKind(kinds: unknown): unknown {
  if (!Array.isArray(kinds)) return kinds;
  const patterns = kinds.flatMap((kind: unknown) => (Array.isArray(kind) ? [String(kind[0])] : []));
  return [[[...new Set(patterns)].filter((pattern) => pattern !== '').join('|')]];
}

main();
