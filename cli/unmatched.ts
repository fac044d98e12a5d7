import type { Client } from './client.ts';
import { part } from './relay/list.ts';
import { preview, type Event, type PreviewRoute } from './relay/shapes.ts';

/**
 * Explains for each route of the source why it did not match, by the configuration in force now. Empty if the
 * relay cannot know: the source is gone, or keeps no payloads.
 */
export async function whyUnmatched(
  client: Client,
  { state, stored, source, payload, headers, query }: Event,
): Promise<readonly PreviewRoute[]> {
  if (state !== 'unmatched' || !stored) return [];
  const input = { payload, ...(headers !== null && { headers }), ...(query !== null && { query }) };
  const answer = await client.post(`/sources/${part(source)}/preview`, preview, input);
  return answer.ok ? answer.value.data.routes : [];
}
