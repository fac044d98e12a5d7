import { diffArrays } from 'diff';
import type { Paint } from '../output.ts';
import { oneLine } from '../text.ts';

/** A line of a difference: in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** With more added and removed lines than this, two texts are shown whole, one after the other. */
const MAX_CHANGES = 1_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(a, b, { maxEditLength: MAX_CHANGES }) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  return parts.flatMap(({ removed, added, value }) =>
    value.map((text) => ({ kind: removed ? 'old' : added ? 'new' : 'same', text }) as const),
  );
}

// Without an empty line for the line break at the end.
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

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
