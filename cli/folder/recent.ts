import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { recentWebhooks } from '../fixtures/recent.ts';
import { unknownVariables } from '../fixtures/variables.ts';
import type { SourceVariables } from './variables.ts';

/** Each is a call for a list, and one for each event. */
const MAX_SOURCES = 10;

/**
 * The same with the last events of the relay among what is known: of sources with a variable that nothing has, and of
 * those of which nothing is known at all.
 */
export async function withRecent(
  client: Client,
  sources: readonly SourceVariables[],
): Promise<CommandResult<readonly SourceVariables[]>> {
  const found: SourceVariables[] = [];
  let asked = 0;
  for (const one of sources) {
    const { source, known, unknown } = one;
    if ((known.requests.length > 0 && unknown.length === 0) || asked === MAX_SOURCES) {
      found.push(one);
      continue;
    }
    asked += 1;
    const recent = await recentWebhooks(client, source);
    if (!recent.ok) return recent;
    if (recent.value.length === 0) {
      found.push(one);
      continue;
    }
    const requests = [...known.requests, ...recent.value];
    const last = `none of the latest events of ${source.id} (${recent.value.length})`;
    const none = known.none === '' ? last : `${known.none} and ${last}`;
    found.push({ source, known: { requests, none }, unknown: unknownVariables(source, requests) });
  }
  return ok(found);
}
