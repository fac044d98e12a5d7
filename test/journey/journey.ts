import { afterAll, beforeAll, describe, it } from 'vitest';
import { openPlace, type Place } from './place.ts';

/** Adds a step to a journey. All steps of a journey work with the same place. */
type Step = (name: string, walk: (place: Place) => Promise<void>) => void;

/**
 * A journey of several steps, each of which goes on where the one before ended. After a step that failed the others are
 * skipped.
 */
export function journey(name: string, steps: (step: Step) => void): void {
  // `script` of util-linux and /proc.
  describe.runIf(process.platform === 'linux')(name, () => {
    let place: Place | undefined;
    let isLost = false;
    beforeAll(async () => {
      place = await openPlace();
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
  });
}
