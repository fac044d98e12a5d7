import type {
  GroupRule,
  IncidentRule,
  LoadedConfig,
  Quiet,
  Route,
  Source,
  Throttle,
} from '../../config/config.ts';
import { DAY } from '../../lib/duration.ts';
import type { Locale } from '../../template/basics/locale.ts';

/** How a receiver is told of a route, by the configuration in force. */
export interface Rules {
  /** Null: the source, or the route, is not there any more. What waits is told by the built-in text. */
  readonly source: Source | null;
  readonly route: Route | null;
  readonly incident: IncidentRule | null;
  readonly expiresMs: number;
  readonly repeatMs: number | null;
  readonly group: GroupRule | null;
  readonly throttle: readonly Throttle[];
  readonly quiets: readonly Quiet[];
  readonly priority: 'normal' | 'high';
  readonly locale: Locale;
}

const EXPIRES_MS = 7 * DAY;

/** Finds them. `phone`: empty for a `status`. */
export function rulesOf(
  config: LoadedConfig,
  teller: { readonly source: string; readonly route: string; readonly phone: string },
): Rules {
  const source = sourceOf(config, teller.source);
  const route = source?.routes.find(({ name }) => name === teller.route) ?? null;
  const alerting = route?.alerting ?? null;
  const lists = (route?.to ?? []).filter(
    (receiver) => receiver.from === 'document' && receiver.numbers.includes(teller.phone),
  );
  const ofLists = lists.flatMap((list) => (list.from === 'document' ? [list] : []));
  const priority = route?.delivery.priority ?? 'normal';
  const quiets = [alerting?.quiet, ...ofLists.map(({ quiet }) => quiet)].filter(
    (quiet) => quiet !== null && quiet !== undefined,
  );
  return {
    source,
    route,
    incident: alerting?.incident ?? null,
    expiresMs: alerting?.incident?.expiresMs ?? EXPIRES_MS,
    repeatMs: alerting?.incident?.repeatMs ?? null,
    group: alerting?.group ?? null,
    throttle: [...(alerting?.throttle ?? []), ...ofLists.flatMap(({ throttle }) => throttle)],
    quiets: priority === 'high' ? [] : quiets,
    priority,
    locale: source?.locale ?? { country: undefined, locale: 'en', timezone: 'UTC' },
  };
}

/** A deploy that does not understand the source tells what waits all the same. */
function sourceOf({ sources }: LoadedConfig, id: string): Source | null {
  try {
    return sources.get(id) ?? null;
  } catch {
    return null;
  }
}
