import { idOfName, incidentOf } from '../src/outbox/incidents/incident-id.ts';
import { nameOf } from '../src/outbox/incidents/board.ts';
import { ok } from '../src/lib/result.ts';
import { failed, type Outcome } from './failure.ts';
import type { Event, Incident, Message } from './relay/shapes.ts';
import { itemWaitText } from './waits.ts';

/** The id of an incident that a person names by its id or as source/route/key. */
export function readIncident(given: string): Outcome<string> {
  if (incidentOf(given) !== null) return ok(given);
  if (/^[^/]+\/[^/]+\/./s.test(given)) return ok(idOfName(given));
  return failed(
    `\`${given}\` is no incident: give its id (inc_…), or source/route/key such as alerts/on-call/disk`,
  );
}

/** An incident as people name it: source/route/key. */
export function incidentName(incident: string | Pick<Incident, 'source' | 'route' | 'key'>): string {
  if (typeof incident !== 'string') return nameOf(incident);
  const place = incidentOf(incident);
  return place === null ? incident : nameOf(place);
}

/** How many items have which fate: `1 told, 2 counted`. */
export const fatesText = (items: Incident['receivers'][number]['items']): string =>
  Object.entries(items)
    .map(([fate, n]) => `${n} ${fate}`)
    .join(', ');

/** What a message tells: `2 new, 1 ended, 3 open`. */
export const aboutText = ({ form, opened, ended, burning }: About): string =>
  `${form === 'digest' ? 'a digest: ' : ''}${opened} new, ${ended} ended, ${burning} open`;

/** What a message tells of incidents, in as few keys as the tail has. */
type About = Omit<NonNullable<Message['about']>, 'incidents'>;

type Item = NonNullable<Event['items']>[number];

/** What became of an item, in words. */
export function fateText({ fate, message, silence, incident, waits }: Item): string {
  switch (fate) {
    case 'told':
    case 'counted':
      return `${fate} in ${message ?? 'an earlier message'}`;
    case 'resolved':
      return 'resolved before it was told';
    case 'silenced':
      return `silenced by ${silence ?? 'a silence'}`;
    case 'inhibited':
      return `inhibited by ${incident === undefined ? 'an incident' : incidentName(incident)}`;
    case 'waiting':
      return itemWaitText(waits);
    default:
      return fate;
  }
}
