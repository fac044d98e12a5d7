import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { KINDS } from '../../src/config/documents/name.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { idText, type DocumentId } from '../folder/kinds.ts';
import { readConfig, readVersion, type RemoteConfig, keepingText, type SetKeeping } from '../relay/config.ts';
import type { Version } from '../relay/shapes.ts';
import { publishedBy } from '../show.ts';
import { count } from '../text.ts';
import { diffSets } from './documents.ts';
import { isFolder, readFolder } from '../folder/read.ts';

/** The versions that are compared. A folder that is older than these has more to lose than one sentence says. */
const VERSIONS_BACK = 5;

/** A version whose change a push takes back, and the documents that become what they were before it. */
interface Undone {
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

export const undoneText = (undone: readonly Undone[]): readonly string[] =>
  undone.map(
    ({ version, documents }) => `This undoes ${publishedBy(version)}: ${documents.map(idText).join(', ')}.`,
  );

/** True if the document is in one set only, or differs. */
const differs = ({ kind, name }: DocumentId, one: ConfigSet, other: ConfigSet): boolean =>
  Object.hasOwn(one[kind], name) !== Object.hasOwn(other[kind], name) ||
  !sameDocument(one[kind][name] ?? null, other[kind][name] ?? null);

/** The person who took a set over, and the changes since then that a managed push of a folder undoes; null: nobody did. */
export async function afterTakeover(
  client: Client,
  { taken_over: taken }: SetKeeping,
  changes: readonly DocumentId[],
  inForce: ConfigSet,
): Promise<CommandResult<{ readonly text: string; readonly isLossy: boolean } | null>> {
  if (taken === null) return ok(null);
  const before = await readConfig(client, taken.version);
  if (!before.ok) return before;
  const changed = new Set(changes.map(idText));
  const lost = diffSets(before.value.set, inForce)
    .map(idText)
    .filter((id) => changed.has(id));
  const isLossy = lost.length > 0;
  const what = isLossy
    ? `The changes since then in ${count(lost.length, 'document')} would be lost: ${lost.join(', ')}.`
    : 'The folder has all changes since then.';
  const text = `${keepingText({ managed: null, taken_over: taken }) ?? ''}. ${what} With this push the configuration is managed in git again.`;
  return ok({ text, isLossy });
}

/** The demonstration of this package, where it has one. */
const DEMO = join(import.meta.dirname, '..', '..', 'examples', 'demo');

/** `npm start` puts the port of its page into the origins of the demonstration's form. */
const forAnyPage = (document: unknown): unknown =>
  typeof document === 'object' && document !== null ? { ...document, origins: null } : document;

/** Says which documents a publish removes, and who published them. */
export function lossesOf(
  gone: readonly DocumentId[],
  { folder, set, version }: { folder: string; set: ConfigSet; version: Version | null },
): string {
  const demo = isFolder(DEMO) ? readFolder(DEMO) : null;
  const ofDemo = gone.filter(
    ({ kind, name }) =>
      demo?.ok === true &&
      sameDocument(forAnyPage(demo.value.set[kind][name] ?? null), forAnyPage(set[kind][name])),
  ).length;
  const share = ofDemo === gone.length ? 'the demo' : `${ofDemo} of them from the demo`;
  const names = gone.map(idText).join(', ');
  const since = version === null ? '' : ` Active: ${publishedBy(version)}.`;
  return `This removes ${count(gone.length, 'document')} that ${folder} does not have: ${names}${ofDemo === 0 ? '' : ` (${share})`}.${since}`;
}
