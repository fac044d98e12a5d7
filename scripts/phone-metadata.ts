import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';

const TARGET = join(dirname(import.meta.dirname), 'src/template/phone-metadata.json');

/** Where a country's list of ways to write its numbers stands, in the library's own metadata. */
const FORMATS = 4;

/** Metadata as arrays of whatever the library needs, by country. */
type Places = Record<string, unknown[]>;

/**
 * `npm run phone-metadata`: the library's metadata without the ways to write numbers. Messages go to digits, which are
 * written in one way only, and the ways are a quarter of what would be deployed. To be run when the library changes.
 */
function main(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
  const stripped = structuredClone(metadata) as unknown as { countries: Places; nonGeographic: Places };
  for (const places of [stripped.countries, stripped.nonGeographic]) {
    for (const place of Object.values(places)) place[FORMATS] = [];
  }
  writeFileSync(TARGET, `${JSON.stringify(stripped)}\n`);
}

main();
