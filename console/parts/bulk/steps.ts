import type { StepAnswer } from '../../api/types.ts';

export type ListFilter = Readonly<Record<string, string>>;

const DURATION_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The filters of a list as something is done to all that it shows: those that are set, and of these the ones it knows.
 * `2h` becomes a moment, so that every step means the same. `now`: ms.
 */
export function bulkFilter(
  query: Readonly<Record<string, string>>,
  names: readonly string[],
  now: number,
): ListFilter {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name] ?? '';
      if (value === '') return [];
      return [[name, name === 'since' || name === 'until' ? moment(value, now) : value]];
    }),
  );
}

function moment(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = DURATION_MS[unit];
  return count === undefined || ms === undefined ? text : new Date(now - Number(count) * ms).toISOString();
}

export const NOTHING_YET = {
  done: 0,
  messages: 0,
  skipped: {} as Readonly<Record<string, number>>,
  events: [] as readonly string[],
  /** The receivers who would get something, each once. */
  phones: new Set() as ReadonlySet<string>,
  next: null as string | null,
};

export type BulkSum = Readonly<typeof NOTHING_YET>;

/** More than these would be a list that nobody reads. */
const MAX_EVENTS = 20;

export function plus(sum: BulkSum, step: StepAnswer): BulkSum {
  const skipped: Record<string, number> = { ...sum.skipped };
  const left = { ...step.skipped, ...(step.in_flight !== undefined && { in_flight: step.in_flight }) };
  for (const [reason, count = 0] of Object.entries(left))
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
  return {
    done: sum.done + (step.replayed ?? step.retried ?? step.cancelled ?? 0),
    messages: sum.messages + (step.messages ?? 0),
    skipped,
    events: [...sum.events, ...(step.events ?? []).map(({ event }) => event)].slice(0, MAX_EVENTS),
    phones: step.phones === undefined ? sum.phones : new Set([...sum.phones, ...step.phones]),
    next: step.next_cursor,
  };
}

interface Run {
  readonly ask: (cursor: string | null) => Promise<StepAnswer>;
  readonly from: BulkSum;
  readonly onStep: (sum: BulkSum) => void;
  readonly signal: AbortSignal;
}

/** Step after step until nothing is left, or somebody stops it: then it ends after the step that is under way. */
export async function runSteps({ ask, from, onStep, signal }: Run): Promise<BulkSum> {
  let sum = from;
  do {
    sum = plus(sum, await ask(sum.next));
    onStep(sum);
  } while (sum.next !== null && !signal.aborted);
  return sum;
}
