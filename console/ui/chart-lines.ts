/** The units of a chart's picture: its height, and the width of a step. */
export const HEIGHT = 100;
export const STEP = 10;

/** The places of a line's points, in pieces without gaps. */
export function piecesOf(values: readonly (number | null)[], top: number): readonly string[] {
  const pieces: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) pieces.push([]);
    else pieces.at(-1)?.push(`${(at + 0.5) * STEP},${HEIGHT - (value / top) * HEIGHT}`);
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

/** The place of a time that belongs together in a picture of `steps` steps; a short one is seen, too. */
export function bandOf(
  { from, to }: { readonly from: number; readonly to: number },
  first: number,
  stepMs: number,
  steps: number,
): { readonly x: number; readonly width: number } {
  const end = steps * STEP;
  const at = (ms: number): number => Math.min(end, Math.max(0, ((ms - first) / stepMs) * STEP));
  const x = Math.min(at(from), end - 2);
  return { x, width: Math.max(2, at(to) - x) };
}
