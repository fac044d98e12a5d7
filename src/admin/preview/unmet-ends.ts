import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { PreviewWarning } from './warnings.ts';

/** How much of a key is shown (UTF-16 units). */
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
      const ends = items.filter(({ isResolved, key }) => isResolved && key !== null);
      const [end] = ends;
      if (firing === undefined || end === undefined) return [];
      if (firing.some(({ key }) => ends.some((one) => one.key === key))) return [];
      const message = `\`${end.key?.slice(0, MAX_SHOWN)}\` ends nothing: no sample fires with this key`;
      return [{ route, parameter: 'incident.key', message }];
    }),
  );
}
