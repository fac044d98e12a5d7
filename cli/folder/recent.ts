import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { unknownVariables } from '../fixtures/variables.ts';
import type { SourceVariables } from './variables.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import type { VerifiedRequest } from '../../src/ingest/request/event.ts';
import { asVerified } from '../../src/ingest/request/verify.ts';
import { event, eventList, type Event } from '../relay/shapes.ts';

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

/** Enough to see every kind of a busy source, and few enough to be read before a person gets impatient. */
const MAX_EVENTS = 10;

/** The latest events of a source, as far as the relay has stored them. */
async function recentWebhooks(
  client: Client,
  source: Source,
): Promise<CommandResult<readonly VerifiedRequest[]>> {
  const page = await client.get('/events', eventList, { source: source.id, limit: MAX_EVENTS });
  if (!page.ok) return page;
  const details = await Promise.all(
    page.value.data.items.map(({ id }) => client.get(`/events/${encodeURIComponent(id)}`, event)),
  );
  const stored = details.flatMap((one) => (one.ok && one.value.data.stored ? [one.value.data] : []));
  return ok(stored.map((one) => asReceivedOnce(source, one)));
}

function asReceivedOnce(source: Source, { payload, headers, query, received_at }: Event): VerifiedRequest {
  const url = new URL(`https://event.invalid/hooks/${encodeURIComponent(source.id)}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const arrival = {
    source,
    method: 'POST',
    url,
    headers: new Headers({ ...headers }),
    pathToken: undefined,
    registeredUrl: source.url,
    secrets: [],
    receivedAt: Date.parse(received_at),
  };
  return asVerified(arrival, payload);
}
