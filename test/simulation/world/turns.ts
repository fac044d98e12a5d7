/** The turns of those on call: a day each, and the last one has a shift of some hours. Hours are of UTC. */
export interface Turns {
  /** The hour of each day at which the next one begins. */
  readonly hour: number;
  readonly shift: { readonly from: number; readonly to: number } | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Before any run begins. */
const FIRST_DAY = Date.UTC(2025, 0, 1);

/** Returns who of these is on call at a time (ms). */
export function onCallAt({ hour, shift }: Turns, order: readonly string[], at: number): string {
  const hourNow = Math.floor(at / HOUR_MS) % 24;
  const isShift =
    shift !== null &&
    (shift.from < shift.to
      ? hourNow >= shift.from && hourNow < shift.to
      : hourNow >= shift.from || hourNow < shift.to);
  const day = Math.floor((at - FIRST_DAY - hour * HOUR_MS) / DAY_MS);
  const one = isShift ? order.at(-1) : order[day % order.length];
  if (one === undefined) throw new Error('nobody is on call');
  return one;
}

/** Longer turns than this are taken for no end (ms). */
const MOST_MS = 7 * DAY_MS;

/** Since when whoever is on call at a time is, by this order (ms); -Infinity: for longer than is looked at. */
export function onCallSince(turns: Turns, order: readonly string[], at: number): number {
  const one = onCallAt(turns, order, at);
  let since = at - (at % HOUR_MS);
  while (onCallAt(turns, order, since - 1) === one) {
    if (since < at - MOST_MS) return -Infinity;
    since -= HOUR_MS;
  }
  return since;
}

const two = (hour: number): string => String(hour).padStart(2, '0');

/** The turns, as a list says them; `names`: of those on call, in order. */
export const rotationOf = ({ hour, shift }: Turns, names: readonly string[]): object => ({
  order: names,
  every: '1d',
  from: `2025-01-01T${two(hour)}:00`,
  timezone: 'UTC',
  ...(shift !== null && {
    shifts: [{ order: names.slice(-1), from: `${two(shift.from)}:00`, to: `${two(shift.to)}:00` }],
  }),
});
