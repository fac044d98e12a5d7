import { losingIn, resolvedBy } from '../../shared/resolved-by.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import type { Output } from '../output.ts';
import { openIncidents } from '../relay/shapes.ts';
import { count } from '../text.ts';

/** Shows how many open incidents a change of the documents resolves, if there are any. */
export async function showResolves(
  out: Output,
  client: Client,
  { before, after }: { readonly before: ConfigSet; readonly after: ConfigSet },
): Promise<CommandResult> {
  const losing = losingIn(before.sources, after.sources);
  if (losing.length === 0) return ok(undefined);
  const open = await client.get('/open-incidents', openIncidents);
  if (!open.ok) return open;
  const found = resolvedBy(losing, open.value.data.items);
  if (found.count === 0) return ok(undefined);
  const incidents = `${found.isExact ? '' : 'up to '}${count(found.count, 'open incident')}`;
  const names = found.sources.map((name) => `\`${name}\``).join(', ');
  const text = `This resolves ${incidents} of ${names}. Whoever was notified gets a message.`;
  out.wrapped(text);
  out.line();
  return ok(undefined);
}
