import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from '../../scripts/bundle-worker.ts';

/** The bundle as it is deployed, but with its names and its lines. */
export async function readableBundle(folder: string): Promise<string> {
  await bundleWorker('src/index.ts', folder, false);
  return readFileSync(join(folder, 'index.js'), 'utf8');
}

/** The source file of each line of a bundle: esbuild begins each module with a comment that has its path. */
export function filesOfLines(bundle: string): readonly string[] {
  let file = '';
  return bundle.split('\n').map((line) => {
    file = /^ *\/\/ ((?:src|node_modules|test)\/\S+)$/.exec(line)?.[1] ?? file;
    return file;
  });
}
