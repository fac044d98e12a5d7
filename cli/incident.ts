import { namedBy } from '../src/outbox/incidents/entries.ts';
import { ok } from '../src/lib/result.ts';
import { failed, type CommandResult } from './failure.ts';
import type { Event, IncidentAnswer, Message } from './relay/shapes.ts';
import { itemWaitText } from './waits.ts';

/** Checks an incident that a person names by its id or as source/route/key. */
export function readIncident(given: string): CommandResult<string> {
  if (/^inc_[0-9a-z]+$/.test(given) || namedBy(given) !== null) return ok(given);
  return failed(
    `\`${given}\` is not an incident: give its id (inc_…), or source/route/key such as alerts/on-call/disk`,
  );
}

/** The number of items by outcome: `1 notified, 2 summarized`. */
export const outcomesText = (items: IncidentAnswer['receivers'][number]['items']): string =>
  Object.entries(items)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', ');

/** The content of a notification: `2 new, 1 resolved, 3 open`. */
export const aboutText = ({ form, new: opened, resolved, firing }: AboutIncidents): string =>
  `${form === 'digest' ? 'a digest: ' : ''}${opened} new, ${resolved} resolved, ${firing} open`;

type AboutIncidents = Omit<NonNullable<Message['about']>, 'incidents' | 'why'>;

type Item = NonNullable<Event['items']>[number];

export function outcomeText({ outcome, message, silence, incident, waits }: Item): string {
  switch (outcome) {
    case 'notified':
    case 'summarized':
      return `${outcome} in ${message ?? 'an earlier message'}`;
    case 'resolved':
      return 'resolved before anybody was notified';
    case 'silenced':
      return `silenced by ${silence ?? 'a silence'}`;
    case 'inhibited':
      return `inhibited by ${incident ?? 'an incident'}`;
    case 'outdated':
      return 'outdated: something newer was known';
    case 'waiting':
      return itemWaitText(waits);
    default:
      return outcome;
  }
}
