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
 * `npm run phone-metadata`: the library's metadata without the ways to write numbers. Messages go to digits, which are
 * written in one way only, and the ways are a quarter of what would be deployed. Without the lengths of each kind either: they
 * only spare the library a look at the kind's pattern, which says the same. To be run when the library changes.
 */
function main(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
  const stripped = structuredClone(metadata) as unknown as { countries: Places; nonGeographic: Places };
  for (const places of [stripped.countries, stripped.nonGeographic]) {
    for (const place of Object.values(places)) {
      place[FORMATS] = [];
      const kinds = place[KINDS];
      if (Array.isArray(kinds))
        place[KINDS] = kinds.map((kind: unknown) => (Array.isArray(kind) ? kind.slice(0, 1) : kind));
    }
  }
  writeFileSync(TARGET, `${JSON.stringify(stripped)}\n`);
}

main();
