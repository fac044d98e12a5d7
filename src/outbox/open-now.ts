import type { SilenceDocument } from '../config/documents/alerting-schema.ts';
import { compileSilence } from '../config/compile/silences.ts';
import type { LoadedConfig } from '../config/compiled/config.ts';
import { silencedBy } from '../config/compiled/silenced.ts';
import { silenceable } from './incidents/elements.ts';
import type { IncidentParts } from './incidents/entries.ts';
import { localeOf, placeIn } from './incidents/rules.ts';
import type { OutboxParts } from './parts.ts';
import { readIncidents as readRows, type IncidentView } from './read/incidents.ts';
import {
  listIncidents as listPlaced,
  type IncidentFilter,
  type PlacedIncident,
} from './read/list-incidents.ts';
import type { Page } from './read/read.ts';
import {
  matching,
  openSummary,
  type Matched,
  type OpenOfSource,
  type SummaryContext,
} from './read/open-summary.ts';
import { unknownFields, type FieldCheck } from './read/unknown-fields.ts';

/** The incidents that a silence would hold back now. */
export interface SilenceLook extends Matched {
  readonly fields: FieldCheck;
}

/** See {@link readRows}. If it is called for the incidents alone, each has the silence that matches it now. */
export async function readIncidents(
  parts: OutboxParts,
  incidents: readonly IncidentParts[],
  options: { readonly limit: number; readonly isWhole: boolean },
): Promise<readonly IncidentView[]> {
  const config = await configOf(parts);
  const read = parts.read();
  const views = readRows({ ...read, config }, incidents, options);
  if (config === null || !options.isWhole) return views;
  const context = { sql: read.sql, open: parts.incidents.open, config, now: parts.clock() };
  return views.map((view) => withSilence(view, context));
}

/**
 * A receiver who was notified is looked at again only when a repeat is due, but a silence counts from its first moment.
 */
function withSilence(
  view: IncidentView,
  { sql, open, config, now }: SummaryContext & { readonly config: LoadedConfig },
): IncidentView {
  const { incident, receiver } = view;
  const entry = open.get({ ...incident, phone: receiver.phone ?? '' });
  if (entry === null || entry.incident.resolvedAt !== null || receiver.silence !== undefined) return view;
  const locale = localeOf(placeIn(config, incident));
  const silence = silencedBy(config.silences, silenceable(sql, entry), locale, now);
  return silence === null ? view : { ...view, receiver: { ...receiver, silence: silence.id } };
}

/** See {@link listPlaced}. */
export const listIncidents = async (
  parts: OutboxParts,
  filter: IncidentFilter,
): Promise<Page<PlacedIncident>> => listPlaced({ ...parts.read(), config: await configOf(parts) }, filter);

/** See {@link openSummary}. */
export const summarizeIncidents = async (parts: OutboxParts): Promise<readonly OpenOfSource[]> =>
  openSummary(await readingOf(parts));

/**
 * Counts the open incidents that a silence would match, and finds fields that nobody has. Null if its condition is
 * wrong.
 */
export async function lookAtSilence(
  parts: OutboxParts,
  document: Pick<SilenceDocument, 'of' | 'when'>,
): Promise<SilenceLook | null> {
  const silence = compileSilence('', document, () => undefined);
  if (silence === null) return null;
  const reading = await readingOf(parts);
  const fields = unknownFields(reading.sql, reading.config, silence.when);
  return { ...matching(reading, silence), fields };
}

const readingOf = async (parts: OutboxParts) => ({
  sql: parts.read().sql,
  open: parts.incidents.open,
  config: await configOf(parts),
  now: parts.clock(),
});

/** Null if it cannot be read now. */
const configOf = async ({ config }: OutboxParts): Promise<LoadedConfig | null> =>
  config.known ?? (await config.read().catch(() => null));
