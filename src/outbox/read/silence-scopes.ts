import type { SilenceOf } from '../../config/documents/alerting-schema.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Answered } from '../../schema/api-parts.ts';
import type { IncidentParts } from '../incidents/entries.ts';

/** What an incident can be silenced with, the narrowest first: alone, with its group, with its source. */
export function silenceScopes(
  { source, route, key }: IncidentParts,
  grouped: string | null,
): readonly Answered<SilenceOf>[] {
  const group = parseOwnJson<string[]>(grouped ?? '[]');
  return [
    { source, route, keys: [key] },
    ...(group.length === 0 ? [] : [{ source, route, group }]),
    { source },
  ];
}
