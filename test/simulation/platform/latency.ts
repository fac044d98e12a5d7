import type { Random } from '../simulation.ts';

/** The time that something takes on its way, in ms: mostly short, sometimes long. */
const LATENCY_MS = { usual: 6, rare: 80, rarely: 0.02 };

/** Draws how long each thing takes on its way (ms). */
export const latencyFrom = (random: Random) => (): number =>
  random.next() * (random.chance(LATENCY_MS.rarely) ? LATENCY_MS.rare : LATENCY_MS.usual);
