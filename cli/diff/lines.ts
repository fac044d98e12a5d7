/** A line of a difference: in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** Beyond this many steps two texts have nothing to do with each other, and are shown one after the other. */
const MAX_STEPS = 1_000;

/** The shortest way from one text to the other, line by line (Myers, 1986: An O(ND) Difference Algorithm). */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    ...a.slice(0, start).map(same),
    ...shortest(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const same = (text: string): DiffLine => ({ kind: 'same', text });
const old = (text: string): DiffLine => ({ kind: 'old', text });
const fresh = (text: string): DiffLine => ({ kind: 'new', text });

function shortest(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  // `furthest[k]`: how far in `a` the best way with k more deletions than insertions has come; one copy for each step.
  const trace: Map<number, number>[] = [];
  const furthest = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MAX_STEPS); d += 1) {
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(furthest, k, d) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b);
    }
  }
  return [...a.map(old), ...b.map(fresh)];
}

const at = (furthest: ReadonlyMap<number, number>, k: number): number => furthest.get(k) ?? -1;

/** Whether the way to diagonal `k` came by an insertion. */
const isDown = (furthest: ReadonlyMap<number, number>, k: number, d: number): boolean =>
  k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1));

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const furthest = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = isDown(furthest, k, d);
    const fromX = down ? at(furthest, k + 1) : at(furthest, k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      lines.push(same(a[x] ?? ''));
    }
    if (d === 0) break;
    lines.push(down ? fresh(b[fromY] ?? '') : old(a[fromX] ?? ''));
    [x, y] = [fromX, fromY];
  }
  return lines.toReversed();
}
