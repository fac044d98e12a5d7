import { goesOn } from '../../../src/outbox/state/states.ts';
import type { IncidentAnswer } from '../../api/types.ts';
import { visibleText } from '../../api/client.ts';

type Named = Pick<IncidentAnswer, 'title' | 'key' | 'source' | 'route'>;

export const nameOf = ({ title, key, source, route }: Named): string =>
  visibleText(title) ?? visibleText(key) ?? `${source} · ${route}`;

/** The name of a link, from its path in the alert: `runbook` of `annotations.runbook_url`. */
export const linkName = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replace(/[_-]?(url|link|href|\d+)$/i, '').replaceAll('_', ' '))
    .findLast((part) => part !== '') ?? path;

/** Returns the number of receivers who know that it is open, and are notified when it resolves. */
export const knowing = ({ receivers }: Pick<IncidentAnswer, 'receivers'>): number =>
  receivers.filter(
    ({ state, message }) => state === 'notified' || (state !== 'done' && message !== undefined),
  ).length;

/** The reason why it is held back for all of its receivers; null: it is not. */
export function heldBy({
  receivers,
  state,
}: Pick<IncidentAnswer, 'receivers' | 'state'>): 'silenced' | 'inhibited' | null {
  if (!goesOn(state) || receivers.length === 0) return null;
  if (receivers.every(({ silence }) => silence !== undefined)) return 'silenced';
  return receivers.every(({ inhibited_by: by }) => by !== undefined) ? 'inhibited' : null;
}
