import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fixedWork } from './shared.ts';
import { formatted, withSections, type Sections } from '../../scripts/docs/page.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Replaces sections of a page of `docs`. */
export async function writePage(sections: Sections, page = 'performance/figures.md'): Promise<void> {
  const path = join(DOCS, page);
  writeFileSync(path, await formatted(path, withSections(readFileSync(path, 'utf8'), sections)));
}

/**
 * The machine, for a section's first line. Call it before the first run: it also says how long a fixed piece of work takes
 * there, and if the machine had other work then, since a reader must not take such times for those of a quiet one.
 */
export function machineNow(): string {
  const [cores, load] = [availableParallelism(), loadavg()[0] ?? 0];
  const busy = load > cores / 4 ? `, **not quiet: load ${load.toFixed(1)}**` : '';
  const before = process.cpuUsage();
  for (let round = 0; round < 20; round += 1) fixedWork();
  const { user, system } = process.cpuUsage(before);
  const work = `${((user + system) / 1_000).toFixed(0)} ms of CPU for a fixed piece of work`;
  return `${cores} cores (${cpus()[0]?.model.trim() ?? 'unknown'}; ${work})${busy}`;
}
