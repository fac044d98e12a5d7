import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { recentWebhooks } from '../fixtures/recent.ts';
import { unknownVariables } from '../fixtures/variables.ts';
import type { SourceVariables } from './variables.ts';

/** Each takes one call for a list, and one for each event. */
const MAX_SOURCES = 10;

/**
 * Adds the last events of the relay to the known webhooks of two kinds of sources: those with a variable that no
 * webhook has, and those without any known webhook.
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
