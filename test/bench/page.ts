import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSections, type Sections } from '../../scripts/page-section.ts';

const PAGE = join(import.meta.dirname, '../../docs/performance/figures.md');

/** Replaces sections of `docs/performance/figures.md`. */
export async function writePage(sections: Sections): Promise<void> {
  writeFileSync(PAGE, await withSections(PAGE, readFileSync(PAGE, 'utf8'), sections));
}
