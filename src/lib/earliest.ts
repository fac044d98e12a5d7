/** The earliest of these times (ms); null, as in `times`: never. */
export const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
