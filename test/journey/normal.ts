type Rules = readonly (readonly [pattern: RegExp, mark: string])[];

/** What differs from run to run and is as wide in each: in a table, the next column stays where it is. */
const AS_WIDE: Rules = [
  [/\bevt_[0-9a-z]{26}\b/, '‹evt›'],
  [/\bmsg_[0-9a-z]{17,}\b/, '‹msg›'],
  [/\binc_[0-9a-z]{10,}\b/, '‹inc›'],
  // Dates come before times, since they have these in them.
  [/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/, '‹date›'],
  [/\b\d\d?\/\d\d?\/\d{4}, \d\d:\d\d(?!\d)/, '‹date›'],
  [/\b\d{4}-\d\d-\d\d\b/, '‹day›'],
  [/\b\d\d:\d\d:\d\d\b/, '‹time›'],
  [/(?<=\b(at|until|in|sent|since|about) )\d\d:\d\d\b/, '‹time›'],
  // Seconds since the epoch, in ids that are made of them.
  [/(?<!\d)1\d{9}(?!\d)/, '‹epoch›'],
];

/** The same of any width. A column of durations is as wide as its longest one. */
const OF_ANY_WIDTH: Rules = [
  [/ {2,}TOOK\b/, '  TOOK'],
  [/ {2,}\d[\d,.]* m?s\b/, '  ‹ms›'],
  [/(?<=\b(in|took|after) |, )\d[\d,.]* ms\b/, '‹ms›'],
  [/\b\d+(\.\d+)? (s|seconds?|ms) ago\b/, '‹ago›'],
  [/(?<=\b(in|for|about|after) )(about )?\d+ (s|seconds?|min|minutes?)\b/, '‹while›'],
];

/** A screen without what differs from run to run. `own`: further texts and their marks, such as the port of this run. */
export function normalised(screen: string, own: readonly (readonly [text: string, mark: string])[]): string {
  let text = screen;
  for (const [given, mark] of own) text = text.replaceAll(given, mark);
  for (const [pattern, mark] of AS_WIDE) {
    const padded = (all: string): string => {
      const isColumn = all.endsWith('  ');
      return isColumn ? mark.padEnd(Math.max(all.length, mark.length + 2)) : mark;
    };
    text = text.replaceAll(new RegExp(`(?:${pattern.source})(?: {2,})?`, 'g'), padded);
  }
  for (const [pattern, mark] of OF_ANY_WIDTH) text = text.replaceAll(new RegExp(pattern, 'g'), mark);
  return text;
}
