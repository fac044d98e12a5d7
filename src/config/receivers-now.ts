import type { Receiver, RotationTurn, RotationTurns } from './config.ts';
import { onCallAt, type Rotation } from './rotation.ts';

type OfDocument = Extract<Receiver, { from: 'document' }>;

/** The turns of people. `numbers`: of all of them, by their names. */
export function turnsOf(rotation: Rotation, numbers: ReadonlyMap<string, string>): RotationTurns {
  let last: RotationTurn | null = null;
  return {
    rotation,
    at: (now) => {
      // Each item of a webhook asks, mostly within the same turn.
      if (last !== null && (last.since ?? now) <= now && now < (last.until ?? Infinity)) return last;
      const { person, ...times } = onCallAt(rotation, now);
      last = { number: numbers.get(person) ?? '', ...times };
      return last;
    },
  };
}

/** The numbers of a list or of a route's own that are receivers at a time (ms): all, or the one whose turn it is. */
export const numbersAt = ({ numbers, turns }: OfDocument, now: number): readonly string[] =>
  turns === undefined ? numbers : [turns.at(now).number];
