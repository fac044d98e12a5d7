import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { PreviewWarning } from './warnings.ts';

/** The longest part of a key that is shown, in UTF-16 units. */
const MAX_SHOWN = 80;

/**
 * For each sample, warnings of resolutions that no firing sample opens an incident for: the keys probably say something
 * that differs between the two, such as the time.
 */
export function unmetResolutions(
  samples: readonly (readonly RouteResult[])[],
): readonly (readonly PreviewWarning[])[] {
  const opened = Map.groupBy(
    samples
      .flatMap((results) => results.flatMap(({ items = [] }) => items))
      .filter((item) => !item.isResolved),
    ({ route }) => route,
  );
  return samples.map((results) =>
    results.flatMap(({ route, items = [] }): PreviewWarning[] => {
      const firing = opened.get(route);
      const resolutions = items.filter(({ isResolved, key }) => isResolved && key !== null);
      const [first] = resolutions;
      if (firing === undefined || first === undefined) return [];
      if (firing.some(({ key }) => resolutions.some((one) => one.key === key))) return [];
      const message = `\`${first.key?.slice(0, MAX_SHOWN)}\` resolves nothing: no firing sample has this key`;
      return [{ route, parameter: 'incident.key', message }];
    }),
  );
}
