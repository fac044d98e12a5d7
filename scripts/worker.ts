import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ROOT, RUNTIME_FOLDER, RUNTIME_SETTINGS, WORKER_FILE } from '../cli/built.ts';
import { readRootConfig } from '../cli/tenant/wrangler.ts';
import { bundleWorker } from './bundle-worker.ts';
import { ifStale } from './files.ts';

/** The sources of the Worker, and of the Workers that `hookbell dev` runs beside it. */
const SOURCES = [
  'src/**/*.ts',
  'cli/dev/workerd/*.ts',
  'scripts/{worker,bundle-worker}.ts',
  'package.json',
  'package-lock.json',
  'wrangler.toml',
];

const configSchema = z.object({
  compatibility_date: z.string(),
  assets: z.object({ run_worker_first: z.array(z.string()) }),
});

async function buildAll(): Promise<void> {
  const worker = join(ROOT, dirname(WORKER_FILE));
  const fresh = `${worker}.${process.pid}`;
  try {
    await bundleWorker(join(ROOT, 'src/index.ts'), fresh);
    rmSync(worker, { recursive: true, force: true });
    putInPlace(fresh, worker);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  for (const name of ['front', 'assets', 'kv'])
    await bundleWorker(`cli/dev/workerd/${name}-worker.ts`, RUNTIME_FOLDER, { name });
  const config = await readRootConfig();
  if (!config.ok) throw new Error(config.error.message);
  const { compatibility_date, assets } = configSchema.parse(config.value);
  const settings = { compatibilityDate: compatibility_date, workerFirst: assets.run_worker_first };
  mkdirSync(join(ROOT, RUNTIME_FOLDER), { recursive: true });
  // Last: it says that all are there.
  writeFileSync(join(ROOT, RUNTIME_SETTINGS), `${JSON.stringify(settings)}\n`);
}

/** Two commands may build at once, as tests do. Both build the same, so the first one to finish is enough. */
function putInPlace(fresh: string, worker: string): void {
  try {
    renameSync(fresh, worker);
  } catch (thrown) {
    if (!existsSync(worker)) throw thrown;
  }
}

await ifStale(ROOT, { made: RUNTIME_SETTINGS, sources: SOURCES }, buildAll);
