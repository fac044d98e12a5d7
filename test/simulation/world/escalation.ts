import type { Step } from '../model/steps.ts';
import type { Random } from '../simulation.ts';

const MINUTE_MS = 60_000;

/** Whom the monitor's route calls while nobody has an incident. */
export interface Escalation {
  readonly steps: readonly { readonly afterMs: number; readonly list: StepList }[];
  readonly acknowledgedForMs: number;
}

/** Lists that only steps name. One person is in two. */
export const STEP_LISTS = {
  'second-line': ['4915142345604', '4915142345605'],
  managers: ['4915142345606'],
  board: ['4915142345607', '4915142345604'],
} as const;
type StepList = keyof typeof STEP_LISTS;

/** All whom a step may call. */
export const IN_STEPS: readonly string[] = [...new Set(Object.values(STEP_LISTS).flat())];

export function escalationOf(random: Random): Escalation | null {
  if (!random.chance(0.35)) return null;
  const lists = (['second-line', 'managers', 'board'] as const).slice(0, random.int(1, 3));
  let afterMs = 0;
  const steps = lists.map((list) => ({ list, afterMs: (afterMs += random.pick([10, 20, 45]) * MINUTE_MS) }));
  return { steps, acknowledgedForMs: random.pick([30, 60, 240]) * MINUTE_MS };
}

/** The same, as the model sees it. */
export const stepsOf = (escalation: Escalation | null): readonly Step[] =>
  (escalation?.steps ?? []).map(({ afterMs, list }) => ({ afterMs, phones: STEP_LISTS[list] }));

/** The keys of a route that escalates like this. */
export const escalatingOf = ({ steps, acknowledgedForMs }: Escalation): object => ({
  escalate: steps.map(({ afterMs, list }) => ({ after: `${afterMs / MINUTE_MS}m`, to: [list] })),
  acknowledged_for: `${acknowledgedForMs / MINUTE_MS}m`,
});
