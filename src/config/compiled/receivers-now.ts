import type { Receiver, RotationTurn, RotationTurns } from './config.ts';
import { onCallAt, type Rotation } from './rotation.ts';

type OfDocument = Extract<Receiver, { from: 'document' }>;

/** The turns of people. `numbers`: the number of each person, by name. */
export function turnsOf(rotation: Rotation, numbers: ReadonlyMap<string, string>): RotationTurns {
  let last: RotationTurn | null = null;
  return {
    rotation,
    at: (now) => {
      // Every item of a webhook asks for it, mostly within the same turn.
      if (last !== null && (last.since ?? now) <= now && now < (last.until ?? Infinity)) return last;
      const { person, ...times } = onCallAt(rotation, now);
      last = { number: numbers.get(person) ?? '', ...times };
      return last;
    },
  };
}

/** The numbers of a list or a route that are receivers at a time (ms): all of them, or the one whose turn it is. */
export const numbersAt = ({ numbers, turns }: OfDocument, now: number): readonly string[] =>
  turns === undefined ? numbers : [turns.at(now).number];
