/** The units of a chart's picture: its height, and the width of a step. */
export const HEIGHT = 100;
export const STEP = 10;

/** The places of a line's points, in pieces without gaps. A piece of one point is as long as its step, or nobody sees it. */
export function piecesOf(values: readonly (number | null)[], top: number): readonly string[] {
  const pieces: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    const y = value === null ? 0 : HEIGHT - (value / top) * HEIGHT;
    const isAlone = (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;
    if (value === null) pieces.push([]);
    else if (isAlone) pieces.at(-1)?.push(`${at * STEP},${y}`, `${(at + 1) * STEP},${y}`);
    else pieces.at(-1)?.push(`${(at + 0.5) * STEP},${y}`);
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

/** The steps of a picture of `steps` in which a time that belongs together is: at least one. */
export function bandOf(
  { from, to }: { readonly from: number; readonly to: number },
  first: number,
  stepMs: number,
  steps: number,
): { readonly x: number; readonly width: number } {
  const stepAt = (ms: number): number => Math.min(steps - 1, Math.max(0, Math.floor((ms - first) / stepMs)));
  const x = stepAt(from);
  return { x: x * STEP, width: (stepAt(to) + 1 - x) * STEP };
}
