import { join } from 'node:path';
import { expect } from 'vitest';
import { drawn } from './terminal.ts';

const FOLDER = join(import.meta.dirname, 'screens');

/** Compares a screen with the one that is kept in `file`; `--update` keeps this one. */
export async function keepScreen(file: string, screen: string): Promise<void> {
  // Broken over lines last, so that no id or time is.
  const seen = await drawn(screen);
  await expect.soft(`${seen.replaceAll(/ +$/gm, '')}\n`).toMatchFileSnapshot(join(FOLDER, file));
}
