import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { PreviewWarning } from './warnings.ts';

/** How many keys a warning shows, and how much of each (UTF-16 units). */
const MAX_KEYS = 3;
const MAX_SHOWN = 80;

/**
 * For each sample, warnings of ends that no firing sample has a beginning for: the keys probably say something that
 * differs between the two, such as the time.
 */
export function unmetEnds(
  samples: readonly (readonly RouteResult[])[],
): readonly (readonly PreviewWarning[])[] {
  const begun = Map.groupBy(
    samples
      .flatMap((results) => results.flatMap(({ items = [] }) => items))
      .filter((item) => !item.isResolved),
    ({ route }) => route,
  );
  return samples.map((results) =>
    results.flatMap(({ route, items = [] }): PreviewWarning[] => {
      const firing = begun.get(route);
      const ends = items.flatMap(({ isResolved, key }) => (isResolved && key !== null ? [key] : []));
      if (firing === undefined || ends.length === 0 || firing.some(({ key }) => ends.includes(key ?? '')))
        return [];
      const keys = ends.slice(0, MAX_KEYS).map((key) => `\`${key.slice(0, MAX_SHOWN)}\``);
      const message = `${keys.join(', ')} ends nothing: no sample begins an incident of this key. It has to be the same when it fires and when it is resolved`;
      return [{ route, parameter: 'incident.key', message }];
    }),
  );
}
