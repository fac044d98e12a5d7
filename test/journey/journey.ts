import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from './place.ts';

/** Adds a step to a journey. All steps of a journey work with the same place. */
type Step = (name: string, walk: (place: Place) => Promise<void>) => void;

/**
 * A journey of several steps, each of which goes on where the one before ended. After a step that failed the others are
 * skipped. Its screens are kept in `screens/<folder>`.
 */
export function journey(name: string, folder: string, steps: (step: Step) => void): void {
  // `script` of util-linux and /proc.
  describe.runIf(process.platform === 'linux')(name, () => {
    let place: Place | undefined;
    let isLost = false;
    beforeAll(async () => {
      place = await openPlace(folder);
    });
    afterAll(() => place?.leave());
    steps((step, walk) => {
      it(step, async ({ skip }) => {
        if (isLost || place === undefined) return skip('a step before it failed');
        isLost = true;
        await walk(place);
        isLost = false;
      });
    });
    it('has no kept screen that no step shows', ({ skip }) => {
      if (isLost || place === undefined) return skip('a step failed');
      const screens = join(import.meta.dirname, 'screens', folder);
      const kept = existsSync(screens) ? readdirSync(screens) : [];
      expect(kept.filter((file) => !place?.kept.has(file))).toEqual([]);
    });
  });
}
