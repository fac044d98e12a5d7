import { diffArrays } from 'diff';

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
    value.map((text) => ({ kind: kindOf(removed, added), text })),
  );
}

// Without an empty line for the line break at the end.
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function kindOf(removed: boolean, added: boolean): DiffLine['kind'] {
  if (removed) return 'old';
  return added ? 'new' : 'same';
}
