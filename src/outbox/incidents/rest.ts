/** How long a receiver rests after a message that is dead (ms), longer each time. */
const REST_MS = 5 * 60_000;
const MOST_REST_MS = 6 * 3_600_000;

/** What a message that was not sent said stays due, but not at once. An incident that opens or is resolved ends the rest. */
export interface Rest {
  /** When the message ended (ms). */
  readonly since: number;
  /** How it ended; `over`: something has changed since. */
  readonly after: 'dead' | 'expired' | 'cancelled' | 'over';
  /** How many ended so in a row. */
  readonly failures: number;
}

/** Until when a receiver rests (ms; Infinity: until something changes). `repeatMs`: as its route has it when this is asked. */
export function restsUntil({ since, after, failures }: Rest, repeatMs: number | null): number {
  if (after === 'over') return since;
  if (after === 'dead') return since + Math.min(MOST_REST_MS, REST_MS * 2 ** (failures - 1));
  // A person, or the route's `expires`, took it out of delivery: the next repeat or change says it.
  return repeatMs === null ? Infinity : since + repeatMs;
}
