import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of hookbell: of the repository, or of the package in `node_modules`. Both have their files at the same places. */
export const ROOT = join(import.meta.dirname, '..');

/** True in the repository; the package has no sources. */
export const isRepository = (): boolean => existsSync(join(ROOT, 'src', 'index.ts'));

/** Built files, relative to {@link ROOT}: the Worker, the Workers around it on this machine, and how they run. */
export const WORKER_FILE = 'dist/worker/index.js';
export const RUNTIME_FOLDER = 'dist/runtime';
export const RUNTIME_SETTINGS = `${RUNTIME_FOLDER}/settings.json`;

export const startCommand = (): string => (isRepository() ? 'npm start' : 'npx hookbell dev');
