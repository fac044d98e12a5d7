import type { IncidentAnswer, Message } from '../../api/types.ts';

/** Many alerts of a source in a row, and the messages about them. Times in ms. */
export interface Storm {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly alerts: number;
  readonly messages: number;
}

/** Incidents that open within this time of each other are one storm. */
const GAP_MS = 300_000;
/** The fewest alerts of a storm, and how many of them a message has to stand for. */
const FEWEST = 10;
const EACH = 5;

type Opened = Pick<IncidentAnswer, 'id' | 'source' | 'started_at' | 'heard_at' | 'occurrences' | 'receivers'>;
type Sent = Pick<Message, 'id' | 'about'>;

/** Storms, oldest first: alerts that came together, and made few messages. */
export function stormsOf(incidents: readonly Opened[], messages: readonly Sent[]): readonly Storm[] {
  const rows: Opened[][] = [];
  const newest = new Map<string, Opened[]>();
  for (const one of incidents.toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))) {
    const row = newest.get(one.source);
    const last = row?.at(-1);
    if (row && last && Date.parse(one.started_at) - Date.parse(last.started_at) <= GAP_MS) row.push(one);
    else {
      const begun = [one];
      newest.set(one.source, begun);
      rows.push(begun);
    }
  }
  return rows
    .map((row) => stormOf(row, messages))
    .filter(({ alerts, messages: sent }) => alerts >= FEWEST && alerts >= EACH * sent);
}

function stormOf(row: readonly Opened[], messages: readonly Sent[]): Storm {
  const ids = new Set(row.map(({ id }) => id));
  // An incident names its last message; earlier ones name the incident.
  const sent = new Set([
    ...row.flatMap(({ receivers }) => receivers.flatMap(({ message }) => message ?? [])),
    ...messages.filter(({ about }) => about?.incidents.some((id) => ids.has(id))).map(({ id }) => id),
  ]);
  return {
    source: row[0]?.source ?? '',
    from: Math.min(...row.map(({ started_at }) => Date.parse(started_at))),
    to: Math.max(...row.map(({ heard_at }) => Date.parse(heard_at))),
    alerts: row.reduce((sum, { occurrences }) => sum + occurrences, 0),
    messages: sent.size,
  };
}
