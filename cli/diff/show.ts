import { idText } from '../folder/kinds.ts';
import type { Output, Paint } from '../output.ts';
import { count, oneLine } from '../text.ts';
import type { DocumentChange } from './documents.ts';
import type { DiffLine } from './lines.ts';

/** The unchanged lines that are shown before and after a change. */
const CONTEXT = 2;

/** A difference in the usual form: `-` old, `+` new, distant lines left out. */
export function diffText(lines: readonly DiffLine[], style: Paint, indent = '  '): readonly string[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - CONTEXT), Math.max(0, at + CONTEXT + 1)).some(({ kind }) => kind !== 'same');
  return lines.flatMap(({ kind, text }, at) => {
    const shown = oneLine(text);
    if (kind === 'old') return [style('red', `${indent}- ${shown}`)];
    if (kind === 'new') return [style('green', `${indent}+ ${shown}`)];
    if (isNear(at)) return [`${indent}  ${shown}`];
    // One `…` for all lines that are left out in one place.
    return at === 0 || isNear(at - 1) ? [style('dim', `${indent}  …`)] : [];
  });
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const COLOURS = { added: 'green', removed: 'red', changed: 'yellow' } as const;

/** Shows what would change, document by document. Of added and removed ones only the name. */
export function showChanges(out: Output, changes: readonly DocumentChange[]): void {
  for (const change of changes) {
    const { change: kind, lines, host } = change;
    out.line(`${out.style(COLOURS[kind], `${SIGNS[kind]} ${idText(change)}`)}  ${out.style('dim', kind)}`);
    if (kind === 'changed') for (const line of diffText(lines, out.style)) out.line(line);
    if (host !== undefined)
      out.line(
        out.style(
          'yellow',
          `  its secrets go to ${host.after}${host.before === null ? '' : `, before to ${host.before}`}`,
        ),
      );
  }
}

/** `3 documents (1 added, 2 changed)`. */
export const summary = (changes: readonly DocumentChange[]): string =>
  `${count(changes.length, 'document')} (${kindsOf(changes)})`;

/** The note of a version that a person gave none: `3 documents: 1 added, 2 changed`; of one document its name. */
export function noteOf(changes: readonly DocumentChange[]): string {
  const [only] = changes;
  return only !== undefined && changes.length === 1
    ? `${idText(only)} ${only.change}`
    : `${count(changes.length, 'document')}: ${kindsOf(changes)}`;
}

function kindsOf(changes: readonly DocumentChange[]): string {
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const n = changes.filter(({ change }) => change === kind).length;
    return n === 0 ? [] : [`${n} ${kind}`];
  });
  return parts.join(', ');
}
