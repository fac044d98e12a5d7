import { diffArrays } from 'diff/lib/diff/array.js';

/** If more lines differ than this, the edited text is used as a whole. */
const MAX_CHANGES = 2_000;

/** Lines `from` to `to` (not included) of the plain text, and the lines in their place in another text. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly isEdit: boolean;
}

/**
 * An edit of a text that was written by a person, made by a program that writes in its own style. `plain` is the text in
 * that style, `edited` the same with the edit. Lines that the edit did not touch stay as the person wrote them.
 */
export function mergeEdit(text: string, plain: string, edited: string): string {
  const base = plain.split('\n');
  const [own, edits] = [hunksOf(base, text, false)?.flatMap(byLine) ?? null, hunksOf(base, edited, true)];
  if (own === null || edits === null) return edited;
  const hunks = [...own, ...edits].toSorted((a, b) => a.from - b.from || a.to - b.to);
  const merged: string[] = [];
  let at = 0;
  for (const region of regionsOf(hunks)) {
    merged.push(...base.slice(at, region.from));
    const touching = region.hunks.filter(({ isEdit }) => isEdit);
    merged.push(...applied(base, region, touching.length > 0 ? touching : region.hunks));
    at = region.to;
  }
  return [...merged, ...base.slice(at)].join('\n');
}

function hunksOf(base: readonly string[], other: string, isEdit: boolean): readonly Hunk[] | null {
  const parts = diffArrays([...base], other.split('\n'), { maxEditLength: MAX_CHANGES });
  if (parts === undefined) return null;
  const hunks: Hunk[] = [];
  let at = 0;
  let from = 0;
  let lines: string[] = [];
  const close = (): void => {
    if (at > from || lines.length > 0) hunks.push({ from, to: at, lines, isEdit });
  };
  for (const { added, removed, value } of parts) {
    if (added) lines.push(...value);
    else if (removed) at += value.length;
    else {
      close();
      at += value.length;
      from = at;
      lines = [];
    }
  }
  close();
  return hunks;
}

/** If n lines replace n lines, each most likely replaces its own, so an edit of one leaves the next. */
const byLine = (hunk: Hunk): readonly Hunk[] =>
  hunk.lines.length === hunk.to - hunk.from
    ? hunk.lines.map((line, nth) => ({
        ...hunk,
        from: hunk.from + nth,
        to: hunk.from + nth + 1,
        lines: [line],
      }))
    : [hunk];

interface Region {
  readonly from: number;
  to: number;
  readonly hunks: Hunk[];
}

function regionsOf(hunks: readonly Hunk[]): readonly Region[] {
  const regions: Region[] = [];
  for (const hunk of hunks) {
    const last = regions.at(-1);
    if (last === undefined || hunk.from >= last.to)
      regions.push({ from: hunk.from, to: hunk.to, hunks: [hunk] });
    else {
      last.to = Math.max(last.to, hunk.to);
      last.hunks.push(hunk);
    }
  }
  return regions;
}

function applied(base: readonly string[], { from, to }: Region, hunks: readonly Hunk[]): readonly string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}
