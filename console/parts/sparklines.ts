import { getEach, withQuery } from '../api/client.ts';
import type { Series } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';

const MAX = 60;
const HOUR_MS = 3_600_000;

export const HOURS = 24;

/** The last 24 hours until a time (ms), as whole hours: bars do not change their height from minute to minute. */
export function lastDay(now: number) {
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const from = new Date(to - HOURS * HOUR_MS).toISOString();
  return { from, to: new Date(to).toISOString(), step: '1h' };
}

export const valuesOf = ({ points }: Series): readonly number[] => points.map(({ value }) => value);

/** By name, of the first names; by hours, oldest first. */
export function useSparklines(
  metric: 'events' | 'sent',
  by: 'source' | 'account',
  names: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const shown = names.slice(0, MAX);
  const { value } = useLoad(`sparklines ${metric} ${shown.join(' ')}`, async (signal) => {
    const span = lastDay(Date.now());
    const pathOf = (name: string): string => withQuery('/stats/series', { metric, [by]: name, ...span });
    const found = await getEach<Record<string, Series>>(
      Object.fromEntries(shown.map((name) => [name, pathOf(name)])),
      signal,
    );
    return new Map(
      Object.entries(found).map(([name, series]) => [name, series === null ? [] : valuesOf(series)]),
    );
  });
  return value ?? new Map();
}
