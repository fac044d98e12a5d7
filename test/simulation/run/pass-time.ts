import type { Platform } from '../platform/platform.ts';

/**
 * The number of steps before the simulation lets Node's own events in. Not a time: a slow machine would let them in
 * elsewhere, and a seed would not be the same run there.
 */
const TURN_STEPS = 4_096;

/** Lets the simulated time pass until `until` (ms), or until something is found. */
export function passTime(
  platform: Platform,
  until: number,
  onTurn: () => void = () => undefined,
): Promise<void> {
  const { scheduler } = platform;
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      try {
        for (let steps = 0; steps < TURN_STEPS && platform.failure === null; steps += 1)
          if (!scheduler.step(until)) {
            scheduler.passTo(until);
            return resolve();
          }
      } catch (thrown) {
        platform.fail(thrown, 'the platform');
      }
      if (platform.failure !== null)
        return reject(platform.failure instanceof Error ? platform.failure : new Error('failed'));
      onTurn();
      setImmediate(turn);
    };
    // In a macrotask of its own: the scheduler runs microtasks by itself.
    setImmediate(turn);
  });
}
