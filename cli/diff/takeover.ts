import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { idText } from '../folder/kinds.ts';
import { readConfig, type RemoteConfig } from '../relay/config.ts';
import { keepingText, type SetKeeping } from '../relay/keeping.ts';
import { count } from '../text.ts';
import { diffSets, type DocumentChange } from './documents.ts';

/** A managed push's report after a takeover. */
export interface AfterTakeover {
  /** The person who took the set over, and the changes since then that the push undoes. */
  readonly text: string;
  readonly isLossy: boolean;
}

/** Finds the changes since a takeover that a managed push of a folder undoes; null: nobody took the set over. */
export async function afterTakeover(
  client: Client,
  { takenOver }: SetKeeping,
  { changes, base }: { readonly changes: readonly DocumentChange[]; readonly base: RemoteConfig },
): Promise<CommandResult<AfterTakeover | null>> {
  if (takenOver === null) return ok(null);
  const before = await readConfig(client, takenOver.version);
  if (!before.ok) return before;
  const lost = diffSets(before.value.set, base.set)
    .map(idText)
    .filter((id) => changes.some((change) => idText(change) === id));
  const isLossy = lost.length > 0;
  const what = isLossy
    ? `The changes since then in ${count(lost.length, 'document')} would be lost: ${lost.join(', ')}.`
    : 'The folder has all changes since then.';
  return ok({
    text: `${keepingText({ managed: null, takenOver }) ?? ''}. ${what} With this push the configuration is managed in git again.`,
    isLossy,
  });
}
