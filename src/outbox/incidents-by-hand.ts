import type { LoadedConfig } from '../config/compiled/config.ts';
import { log } from '../lib/log.ts';
import { personName } from '../lib/person-name.ts';
import { nameOf, type IncidentParts } from './incidents/entries.ts';
import { incidentId } from './incidents/store.ts';
import { rulesOf } from './incidents/rules.ts';
import { whoHasMessages } from './incidents/who-has.ts';
import { linkedIncidents } from './links/read-link.ts';
import type { OutboxParts } from './parts.ts';
import { readIncidents } from './read/incidents.ts';
import type { IncidentChange } from './state/acceptance.ts';

/**
 * A person acknowledges incidents, or resolves them; `isDryRun`: only looks. Returns for each whether it was open here,
 * and null if it is not known here. Who was notified of several hears of them in one message. `by`: the person who
 * asked.
 */
export function changeIncidents(
  parts: OutboxParts,
  change: IncidentChange['change'],
  {
    names,
    by,
    isDryRun,
    config,
  }: {
    readonly names: readonly IncidentParts[];
    readonly by: string;
    readonly isDryRun: boolean;
    readonly config: LoadedConfig;
  },
): readonly (boolean | null)[] {
  const { account, incidents, loop, read, sql } = parts;
  const known = names.flatMap((name) => {
    const isKnown = readIncidents(read(), [name], { limit: 1, isWhole: false }).length > 0;
    return isKnown ? [{ name, before: incidents.open.openOne(nameOf(name)) }] : [];
  });
  const open = known.filter(({ before }) => before !== null);
  const news = open.flatMap(({ name, before }) =>
    change === 'acknowledged' && before?.acknowledged === null ? [name] : [],
  );
  const apply = (): void => {
    for (const { name } of open) {
      if (change === 'resolved') incidents.close(name, by);
      else incidents.acknowledge(name, by);
      const { source, route } = name;
      log('info', `incident.${change}`, {
        incident: incidentId(sql, name),
        source,
        route,
        account: account(),
        by,
      });
    }
    const byRoute = Map.groupBy(news, ({ source, route }) => `${source}/${route}`);
    for (const some of byRoute.values()) notifyOthers(parts, config, some, by);
  };
  if (!isDryRun && open.length > 0) loop.now(apply);
  const isOpen = new Map(known.map(({ name, before }) => [nameOf(name), before !== null]));
  return names.map((name) => isOpen.get(nameOf(name)) ?? null);
}

/** Notifies everybody who was, or may have been, notified of incidents of a route that somebody has them. */
function notifyOthers(
  { clock, messages, read }: OutboxParts,
  config: LoadedConfig,
  names: readonly IncidentParts[],
  by: string,
): void {
  const [first] = names;
  if (first === undefined) return;
  const { source, route } = first;
  const rules = rulesOf(config, { source, route, phone: '' }, clock());
  const keys = names.map(({ key }) => key);
  const drafts = whoHasMessages(linkedIncidents(read(), first, keys), {
    route,
    who: personName(by),
    isBack: false,
    locale: rules.locale.locale,
    maxLength: rules.route?.maxLength,
    priority: rules.priority,
    forget: rules.source?.store === 'metadata',
  });
  if (drafts.length === 0) return;
  const isOpen = rules.source?.isOpen;
  const origin = { event: null, source, since: clock(), configVersion: config.version, isOpen };
  messages.queue({ drafts, origin });
}
