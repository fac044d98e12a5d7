const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY };

/** The next such instant after `now`, both in ms since the epoch. */
type Moment = (now: number) => number;

/** Ten seconds before something changes, so that tests see both sides of it. */
const before = (changeAt: number): number => changeAt - 10_000;

const next = (now: number, monthLater: (months: number) => number): number => {
  for (let months = 0; ; months += 1) {
    const at = before(monthLater(months));
    if (at > now) return at;
  }
};

/** The moment when Europe/Berlin changes its clock in a month (0 to 11): its last Sunday, 01:00 UTC. */
function clockChange(month: number): Moment {
  return (now) =>
    next(now, (years) => {
      const lastOfMonth = new Date(Date.UTC(new Date(now).getUTCFullYear() + years, month + 1, 0, 1));
      return lastOfMonth.getTime() - lastOfMonth.getUTCDay() * DAY;
    });
}

/** 23:59:50 UTC on the last of a month. */
const monthEnd: Moment = (now) => {
  const date = new Date(now);
  return next(now, (months) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + months));
};

/** Instants that have a name. */
export const MOMENTS: Readonly<Record<string, Moment>> = {
  'month-end': monthEnd,
  'far-month-end': (now) => monthEnd(now + 400 * DAY),
  'spring-change': clockChange(2),
  'autumn-change': clockChange(9),
};

/**
 * The number of ms that the clock of the tests is ahead of the real one, `now`. `clock` is the value of `TEST_CLOCK`:
 * an offset (`+1d`, `-90m`), the name of a moment, or an instant in ISO 8601; undefined or '' is the real clock. Throws
 * at anything else.
 */
export function offsetOf(clock: string | undefined, now: number): number {
  if (clock === undefined || clock === '') return 0;
  const [, sign, count, unit = ''] = /^([+-])(\d+)([smhd])$/.exec(clock) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * Number(count) * (UNITS[unit] ?? 0);
  const at = Object.hasOwn(MOMENTS, clock) ? MOMENTS[clock]?.(now) : instant(clock);
  if (at !== undefined) return at - now;
  const names = Object.keys(MOMENTS).join(', ');
  throw new Error(
    `TEST_CLOCK is ${clock}: give an offset (+400d), an instant of ISO 8601 with its zone, or one of ${names}`,
  );
}

function instant(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
