import { join } from 'node:path';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { idText } from '../folder/kinds.ts';
import { isFolder, readFolder } from '../folder/read.ts';
import type { Version } from '../relay/shapes.ts';
import { publishedBy } from '../show-version.ts';
import { count } from '../text.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import type { DocumentChange } from './documents.ts';

/** The demonstration of this package, where it has one. */
const DEMO = join(import.meta.dirname, '..', '..', 'examples', 'demo');

/** `npm start` puts the port of its page into the origins of the demonstration's form. */
const forAnyPage = (document: unknown): unknown =>
  typeof document === 'object' && document !== null ? { ...document, origins: null } : document;

/**
 * The documents that a publish of a folder removes, for the person to read before: the names, whether they are the demo, who
 * published them. Null: nothing.
 */
export function lossesOf(
  changes: readonly DocumentChange[],
  { folder, set, version }: { folder: string; set: ConfigSet; version: Version | undefined },
): string | null {
  const gone = changes.filter(({ change }) => change === 'removed');
  if (gone.length === 0) return null;
  const demo = isFolder(DEMO) ? readFolder(DEMO) : null;
  const isDemo = ({ kind, name }: DocumentChange): boolean =>
    demo?.ok === true &&
    sameDocument(forAnyPage(demo.value.set[kind][name] ?? null), forAnyPage(set[kind][name]));
  const ofDemo = gone.filter(isDemo).length;
  const share = ofDemo === gone.length ? 'the demo' : `${ofDemo} of them from the demo`;
  const names = gone.map(idText).join(', ');
  const since = version === undefined ? '' : ` Active: ${publishedBy(version)}.`;
  return `This removes ${count(gone.length, 'document')} that ${folder} does not have: ${names}${ofDemo === 0 ? '' : ` (${share})`}.${since}`;
}
