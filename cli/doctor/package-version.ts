import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../built.ts';

/** The version of this hookbell. */
export const packageVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
    .version;

/** The changes of each version. */
export const packageChangelog = (): string => readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
