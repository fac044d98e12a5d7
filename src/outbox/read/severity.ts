import type { LoadedConfig } from '../../config/config.ts';
import { ownValue } from '../../lib/own-path.ts';
import { placeIn } from '../incidents/rules.ts';

/** The paths in an item at which senders state the severity. */
const SEVERITY = ['labels.severity', 'severity', 'commonLabels.severity', 'priority', 'level'];

/** The severities that cannot wait. */
const CRITICAL = new Set('critical crit page emergency fatal disaster urgent p1 sev1'.split(' '));

/** True if an item says that it cannot wait. */
export const isCritical = (item: unknown): boolean => CRITICAL.has(severityOf(item) ?? '');

/** True if incidents of a route are critical, whatever their items say. */
export const isUrgent = (
  config: LoadedConfig | null | undefined,
  ref: Parameters<typeof placeIn>[1],
): boolean => placeIn(config ?? null, ref).route?.delivery.priority === 'high';

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
