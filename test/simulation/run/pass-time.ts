import type { Platform } from '../platform/platform.ts';

/** The real time that the simulation runs before it lets Node's own events in, in ms. */
const TURN_MS = 200;

/** Lets the simulated time pass until `until` (ms), or until something is found. */
export function passTime(
  platform: Platform,
  until: number,
  onTurn: () => void = () => undefined,
): Promise<void> {
  const { scheduler } = platform;
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      const endOfTurn = performance.now() + TURN_MS;
      try {
        for (let steps = 0; platform.failure === null; steps += 1) {
          if (!scheduler.step(until)) {
            scheduler.passTo(until);
            return resolve();
          }
          if (steps % 256 === 255 && performance.now() > endOfTurn) break;
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
