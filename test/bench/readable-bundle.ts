import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from '../../scripts/bundle-worker.ts';

/** The bundle as it is deployed, but with its names and its lines. */
export async function readableBundle(folder: string): Promise<string> {
  await bundleWorker('src/index.ts', folder, false);
  return readFileSync(join(folder, 'index.js'), 'utf8');
}
