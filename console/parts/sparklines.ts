import { getEach } from '../api/client.ts';
import type { Series } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';

/** The names after them have no sparkline. */
const MAX = 60;
const HOUR_MS = 3_600_000;
const SPAN_MS = 24 * HOUR_MS;

/** The counts of the last 24 hours by name, of the first names: by hours, oldest first. */
export function useSparklines(
  metric: 'events' | 'sent',
  by: 'source' | 'account',
  names: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const shown = names.slice(0, MAX);
  const { value } = useLoad(`sparklines ${metric} ${shown.join(' ')}`, async (signal) => {
    const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    const span = { from: new Date(to - SPAN_MS).toISOString(), to: new Date(to).toISOString(), step: '1h' };
    const pathOf = (name: string): string =>
      `/stats/series?${new URLSearchParams({ metric, [by]: name, ...span }).toString()}`;
    const found = await getEach<Record<string, Series>>(
      Object.fromEntries(shown.map((name) => [name, pathOf(name)])),
      signal,
    );
    return new Map(
      Object.entries(found).map(([name, series]) => [name, series?.points.map(({ value }) => value) ?? []]),
    );
  });
  return value ?? new Map();
}
