import { diffLines } from 'diff/lib/diff/line.js';
import type { DocumentSet } from '../../api/types.ts';

/** The documents that are not the same in both, by name: `sources/stripe`. */
export function changesBetween(before: DocumentSet, after: DocumentSet) {
  const old = documentsOf(before);
  const now = documentsOf(after);
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    const lines = differences(was, is);
    return [
      { name, is: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed', lines } as const,
    ];
  });
}

const documentsOf = (set: DocumentSet): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(set).flatMap(([kind, documents]) =>
      Object.entries(documents).map(([name, document]) => [`${kind}/${name}`, readable(document)] as const),
    ),
  );

/** Writes a document as indented lines. A text of several lines, such as a template, keeps its lines. */
const readable = (document: unknown): string =>
  JSON.stringify(document, null, 2).replaceAll(/\\n/g, '\n      ');

const marked = (mark: '+' | '-' | ' ', text: string) => text.split('\n').map((text) => ({ mark, text }));

/** Lines that stay are shown this many around a change. */
const AROUND = 3;
/** Sets that differ in more than this are not compared to the end: the old is gone and the new is there. */
const MAX_DIFFERENCES = 2_000;

export function differences(old: string | undefined, now: string | undefined) {
  if (old === undefined || now === undefined) return marked(old === undefined ? '+' : '-', old ?? now ?? '');
  const parts = diffLines(old, now, { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) return [...marked('-', old), ...marked('+', now)];
  const lines = parts.flatMap(({ value, added, removed }) =>
    marked(added ? '+' : removed ? '-' : ' ', value.replace(/\n$/, '')),
  );
  return lines.filter((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ mark }) => mark !== ' '),
  );
}
