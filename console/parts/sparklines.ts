import { many } from '../api/many.ts';
import { useLoad } from '../lib/load.ts';

/** The series of one request: the relay answers no more at once. */
const MAX = 12;
const HOUR_MS = 3_600_000;
const SPAN_MS = 24 * HOUR_MS;

interface Points {
  readonly points: readonly { readonly value: number }[];
}

/** The counts of the last 24 hours by name, of the first names: by hours, oldest first. */
export function useSparklines(
  metric: 'events' | 'sent',
  by: 'source' | 'account',
  names: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const shown = names.slice(0, MAX);
  const { value } = useLoad(`sparklines ${metric} ${shown.join(' ')}`, async (signal) => {
    if (shown.length === 0) return new Map<string, readonly number[]>();
    const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    const span = { from: new Date(to - SPAN_MS).toISOString(), to: new Date(to).toISOString(), step: '1h' };
    const paths = Object.fromEntries(
      shown.map((name) => [
        name,
        `/stats/series?${new URLSearchParams({ metric, [by]: name, ...span }).toString()}`,
      ]),
    );
    const found = await many<Record<string, Points>>(paths, signal);
    return new Map(
      Object.entries(found).map(([name, series]) => [name, series?.points.map((point) => point.value) ?? []]),
    );
  });
  return value ?? new Map();
}
