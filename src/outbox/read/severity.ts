import type { LoadedConfig } from '../../config/compiled/config.ts';
import { ownValue } from '../../lib/json.ts';
import { CRITICAL } from '../../lib/severity.ts';
import type { Incident } from '../incidents/incident.ts';
import { placeIn } from '../incidents/rules.ts';

/** The paths in an item at which senders state the severity. */
const SEVERITY = ['labels.severity', 'severity', 'commonLabels.severity', 'priority', 'level'];

/** Returns the level of an incident: what its item says, or the highest on a route with `priority: high`. */
export const levelOf = (
  config: LoadedConfig | null | undefined,
  ref: Parameters<typeof placeIn>[1],
  { severity = 0 }: Pick<Incident, 'severity'>,
): number => (isUrgent(config, ref) ? CRITICAL : severity);

/** True if incidents of a route are critical, whatever their items say. */
const isUrgent = (config: LoadedConfig | null | undefined, ref: Parameters<typeof placeIn>[1]): boolean =>
  placeIn(config ?? null, ref).route?.delivery.priority === 'high';

/**
 * Returns the routes, each with its source, whose incidents are critical, whatever their items say. `source`: only
 * routes of this one.
 */
export const urgentRoutes = (
  config: LoadedConfig,
  source: string | undefined,
): readonly (readonly [source: string, route: string])[] =>
  (source === undefined ? [...config.outlines.keys()] : [source]).flatMap((id) =>
    (placeIn(config, { source: id, route: '' }).source?.routes ?? []).flatMap(({ name, delivery }) =>
      delivery.priority === 'high' ? [[id, name] as const] : [],
    ),
  );

/** The maximum length of a severity, in UTF-16 units. */
const MAX_SEVERITY = 24;

/** Returns the severity that an item states, in lower case; null if it states none. */
export function severityOf(item: unknown): string | null {
  for (const path of SEVERITY) {
    const value = ownValue(item, path);
    if (typeof value === 'string' && value !== '')
      return value.toLowerCase().slice(0, MAX_SEVERITY).toWellFormed();
  }
  return null;
}
