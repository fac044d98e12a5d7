import { join } from 'node:path';
import { expect } from 'vitest';
import type { Normalise } from './normal.ts';
import { drawn } from './terminal.ts';

const FOLDER = join(import.meta.dirname, 'screens');

/** Compares a screen with the one that is kept for a step; `--update` keeps this one. */
export async function keepScreen(
  journey: string,
  step: string,
  screen: string,
  normalise: Normalise,
): Promise<void> {
  // Broken over lines last, so that no id or time is.
  const seen = await drawn(normalise(screen));
  await expect
    .soft(`${seen.replaceAll(/ +$/gm, '')}\n`)
    .toMatchFileSnapshot(join(FOLDER, journey, `${step}.txt`));
}
