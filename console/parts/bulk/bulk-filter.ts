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
