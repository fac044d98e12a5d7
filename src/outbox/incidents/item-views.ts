import { parseOwnJson } from '../../lib/own-json.ts';
import { messageId } from '../state/message.ts';
import type { Outcome } from '../state/states.ts';
import type { ItemReference } from './arrivals.ts';
import type { Board, ItemWait } from './board.ts';
import { fateOf, type Fate } from './incident.ts';
import { idOfName, incidentId } from './incident-id.ts';
import { readIncident } from './store.ts';

/** An item and its outcome for one receiver, as the admin API shows it. `index`: its place in the event, from 1. */
export interface ItemView {
  readonly route: string;
  readonly index: number;
  readonly phone?: string;
  readonly key?: string;
  readonly outcome: Outcome;
  /** While it waits. */
  readonly waits?: ItemWait;
  /** The message that notified of it, or summarized it. */
  readonly message?: string;
  readonly silence?: string;
  /** Its incident; of an inhibited one, the incident that was open. */
  readonly incident?: string;
}

interface ItemContext {
  readonly sql: SqlStorage;
  readonly tag: string;
  readonly board?: Pick<Board, 'waitOf'>;
}

/** An event's items. `json`: as its row has them. */
export function itemViews(
  { sql, tag, board }: ItemContext,
  event: { readonly id: string; readonly source: string; readonly items: string },
): readonly ItemView[] {
  return parseOwnJson<readonly ItemReference[]>(event.items).map(([route, index, key, phone, n, silence]) => {
    const { source } = event;
    const about = {
      route,
      index,
      ...(phone !== null && { phone }),
      ...(key !== null && { key, incident: incidentId({ source, route, key }) }),
    };
    if (silence !== undefined) return { ...about, outcome: 'silenced', silence };
    const place = { source, route, key: key ?? `${event.id}:${index}`, phone: phone ?? '' };
    const incident = readIncident(sql, place);
    const fate = incident === null ? null : fateOf(incident, n);
    const waits = fate === null ? board?.waitOf(place) : null;
    return { ...about, ...outcomeView(fate, n, tag), ...(waits && { waits }) };
  });
}

function outcomeView(
  fate: Fate | null,
  n: number,
  tag: string,
): Pick<ItemView, 'outcome' | 'message' | 'silence' | 'incident'> {
  const outcome = outcomeOf(fate, n);
  if (fate === null) return { outcome };
  return {
    outcome,
    ...(fate.seq !== undefined && { message: messageId(fate.seq, tag) }),
    ...(fate.fate === 'silenced' && { silence: fate.by ?? '' }),
    ...(fate.fate === 'inhibited' && { incident: idOfName(fate.by ?? '') }),
  };
}

/** The outcome of an incident's item, by the fate of the items that it came with. */
export function outcomeOf(fate: Fate | null, n: number): Outcome {
  if (fate === null) return 'waiting';
  if (fate.told === n) return 'notified';
  return fate.fate === 'counted' ? 'summarized' : fate.fate;
}
