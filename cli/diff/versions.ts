import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import type { Output } from '../output.ts';
import { readConfig, readKnownVersion } from '../relay/config.ts';
import { type Version, openIncidents } from '../relay/shapes.ts';
import { publishedBy } from '../show.ts';
import { diffSets, showChanges, summary, type DocumentChange } from './documents.ts';
import { losingIn, resolvedBy } from '../../shared/resolved-by.ts';
import { count } from '../text.ts';

export interface VersionComparison {
  readonly from: Version;
  readonly to: Version;
  readonly before: ConfigSet;
  readonly after: ConfigSet;
  readonly changes: readonly DocumentChange[];
}

/** Compares two versions that there are, without a number the one in force. */
export async function compareVersions(
  client: Client,
  older: number | undefined,
  newer: number | undefined,
): Promise<CommandResult<VersionComparison>> {
  const from = await readKnownVersion(client, older);
  if (!from.ok) return from;
  const to = await readKnownVersion(client, newer);
  if (!to.ok) return to;
  const before = await readConfig(client, from.value.version);
  if (!before.ok) return before;
  const after = await readConfig(client, to.value.version);
  if (!after.ok) return after;
  const [old, fresh] = [before.value.set, after.value.set];
  return ok({ from: from.value, to: to.value, before: old, after: fresh, changes: diffSets(old, fresh) });
}

export function showComparison(out: Output, { from, to, changes }: VersionComparison): void {
  out.fields([
    ['from', publishedBy(from)],
    ['to', publishedBy(to)],
  ]);
  out.line();
  showChanges(out, changes);
  out.line(changes.length === 0 ? 'their documents are the same' : `\n${summary(changes)}`);
}

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
