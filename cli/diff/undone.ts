import { ok } from '../../src/lib/result.ts';
import { KINDS } from '../../src/config/documents/name.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { idText, type DocumentId } from '../folder/kinds.ts';
import { readConfig, readVersion, type RemoteConfig } from '../relay/config.ts';
import type { Version } from '../relay/shapes.ts';
import { publishedBy } from '../show-version.ts';

/** The versions that are compared. A folder that is older than these has more to lose than one sentence says. */
const VERSIONS_BACK = 5;

/** A version whose change a push takes back, and the documents that become what they were before it. */
export interface Undone {
  readonly version: Version;
  readonly documents: readonly DocumentId[];
}

/**
 * Returns the newest versions whose changes a publish of `set` takes back, newest first. A document is taken back if the
 * version changed it, and the folder has it as it was before that version. So nothing has to be kept in the folder.
 */
export async function undoneBy(
  client: Client,
  changes: readonly DocumentId[],
  { set, base }: { readonly set: ConfigSet; readonly base: RemoteConfig },
): Promise<CommandResult<readonly Undone[]>> {
  const undone: Undone[] = [];
  let left = changes;
  let after = base.set;
  for (let number = base.version; number > 1 && base.version - number < VERSIONS_BACK; number -= 1) {
    if (left.length === 0) break;
    const before = await readConfig(client, number - 1);
    if (!before.ok) return before;
    const older = before.value.set;
    const documents = isMadeFrom(older, set)
      ? left.filter((id) => differs(id, older, after) && !differs(id, older, set))
      : [];
    if (documents.length > 0) {
      const version = await readVersion(client, number);
      if (!version.ok) return version;
      if (version.value !== null) undone.push({ version: version.value, documents });
      left = left.filter((id) => !documents.includes(id));
    }
    after = older;
  }
  return ok(undone);
}

/** False if the folder has no document of the version: then it lacks what a later one added for another reason. */
const isMadeFrom = (older: ConfigSet, set: ConfigSet): boolean =>
  KINDS.some((kind) =>
    Object.keys(set[kind]).some(
      (name) => Object.hasOwn(older[kind], name) && sameDocument(set[kind][name], older[kind][name]),
    ),
  );

/** A sentence for each version. */
export const undoneText = (undone: readonly Undone[]): readonly string[] =>
  undone.map(
    ({ version, documents }) => `This undoes ${publishedBy(version)}: ${documents.map(idText).join(', ')}.`,
  );

/** True if the document is in one set only, or differs. */
const differs = ({ kind, name }: DocumentId, one: ConfigSet, other: ConfigSet): boolean =>
  Object.hasOwn(one[kind], name) !== Object.hasOwn(other[kind], name) ||
  !sameDocument(one[kind][name] ?? null, other[kind][name] ?? null);
