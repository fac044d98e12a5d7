import type { LoadedConfig } from '../config/config.ts';
import { log } from '../lib/log.ts';
import { personName } from '../lib/person-name.ts';
import { incidentOf } from './incidents/incident-id.ts';
import { rulesOf } from './incidents/rules.ts';
import { whoHasMessages } from './incidents/who-has.ts';
import { linkedIncidents } from './links/incidents-of.ts';
import type { OutboxParts } from './parts.ts';
import { readIncidents } from './read/incidents.ts';

/**
 * A person acknowledges an incident, or resolves it. Returns false if it is not open here, and null if it is not known.
 * `by`: the person who asked.
 */
export function changeIncident(
  parts: OutboxParts,
  change: 'acknowledged' | 'resolved',
  id: string,
  by: string,
  config: LoadedConfig | null = null,
): boolean | null {
  const { account, incidents, loop, read } = parts;
  const name = incidentOf(id);
  if (name === null || readIncidents(read(), [id], { limit: 1, isWhole: false }).length === 0) return null;
  const isChanged = loop.now(() => {
    if (change === 'resolved') return incidents.close(name, by);
    const before = linkedIncidents(read(), name, [name.key]);
    const isOpen = incidents.acknowledge(name, by);
    if (isOpen && config !== null && before.every(({ acknowledged }) => acknowledged === null))
      notifyOthers(parts, config, { name, before, by });
    return isOpen;
  });
  const { source, route } = name;
  if (isChanged) log('info', `incident.${change}`, { incident: id, source, route, account: account(), by });
  return isChanged;
}

/** Notifies everybody who was, or may have been, notified of the incident that somebody has it. */
function notifyOthers(
  { clock, messages }: OutboxParts,
  config: LoadedConfig,
  {
    name: { source, route },
    before,
    by,
  }: {
    readonly name: { readonly source: string; readonly route: string };
    readonly before: ReturnType<typeof linkedIncidents>;
    readonly by: string;
  },
): void {
  const rules = rulesOf(config, { source, route, phone: '' }, clock());
  const drafts = whoHasMessages(before, {
    route,
    who: personName(by),
    not: null,
    isBack: false,
    only: null,
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
