/** As long as something happens, or somebody has just touched the screen. What is shown is then at most 2 s old. */
const SOON_MS = 1_500;
const LATER_MS = 15_000;

/** After this time without news or touch (ms), nothing is expected soon. */
const QUIET_MS = 60_000;
/** After this time without a touch (ms), nobody watches closely: a storm may go on all night. */
const WATCHED_MS = 5 * 60_000;
/** After this time without a touch (ms), nobody is there. */
export const AWAY_MS = 60 * 60_000;

/** When somebody last touched the screen, and when the last news came (ms). */
type Signs = Readonly<{ touchedAt: number; newsAt: number }>;

/** Returns the time between two requests for what is new (ms); null: ask nothing until somebody touches the screen. */
export function pollAfter({ touchedAt, newsAt }: Signs, now: number): number | null {
  const untouched = now - touchedAt;
  if (untouched >= AWAY_MS) return null;
  const isQuiet = now - Math.max(touchedAt, newsAt) >= QUIET_MS;
  return isQuiet || untouched >= WATCHED_MS ? LATER_MS : SOON_MS;
}
