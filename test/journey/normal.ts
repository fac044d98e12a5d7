import { detailsBelow, unwrapTimes, wrapAgain } from './reflow.ts';

type Rules = readonly (readonly [pattern: RegExp, mark: string])[];

/** Texts that differ from run to run but keep their width: in a table, the next column stays where it is. */
const AS_WIDE: Rules = [
  // Dates come before times, since they have these in them.
  [/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/, '‹date›'],
  [/\b\d\d?\/\d\d?\/\d{4}, \d\d:\d\d(?!\d)/, '‹date›'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/, '‹date›'],
  [/\b\d{4}-\d\d-\d\d\b/, '‹day›'],
  [/\b\d\d:\d\d:\d\d\b/, '‹time›'],
  [/(?<=\b(at|until|in|sent|since|about) )\d\d:\d\d\b/, '‹time›'],
  // The end of a time may be cut off.
  [/(?<=\bat )\d\d?(:\d?)?(?=…)/, '‹›'],
  // Seconds since the epoch, in ids that are made of them.
  // First: it may have digits in it that look like a time.
  [/#code=[\w.]+/, '#code=‹code›'],
  [/(?<!\d)1\d{9}(?!\d)/, '‹epoch›'],
];

/** The same of any width. A column of durations is as wide as its longest one. */
const OF_ANY_WIDTH: Rules = [
  [/(?<=^TRY {2}AT {8}) *TOOK/m, 'TOOK'],
  [/(?<=^ *\d+ {2}‹time› {4}) *\d[\d,.]* ms\b/m, '‹ms›'],
  [/(?<=\b(in|took|after) |, | )\d[\d,.]* ms$/m, '‹ms›'],
  [/(?<=\b(in|took|after) |, )\d[\d,.]* ms\b/, '‹ms›'],
  [/\b\d+ (s|seconds?|minutes?) ago\b/, '‹while› ago'],
  [/--cursor \S+/, '--cursor ‹cursor›'],
  [/(?<=\b(in|for|about|after) )(about )?\d+ (s|seconds?|min|minutes?)\b/, '‹while›'],
];

/** Ids, numbered as they come: a reader sees which are the same. */
const IDS: Rules = [
  [/\bevt_[0-9a-z]{26}\b/, 'evt'],
  [/\bmsg_[0-9a-z]{16}\b/, 'msg'],
  [/\binc_[0-9a-z]{10,}\b/, 'inc'],
];

/** Takes out of the screens of one journey what differs from run to run. */
export type Normalise = (screen: string) => string;

/** `own`: further texts and what stands for them, such as the port of this run. */
export function normaliser(own: readonly (readonly [text: string, mark: string])[]): Normalise {
  const seen = new Map<string, string>();
  const markOf = (id: string, kind: string): string => {
    const known =
      seen.get(id) ?? `‹${kind} ${[...seen.values()].filter((mark) => mark.includes(kind)).length + 1}›`;
    seen.set(id, known);
    return known;
  };
  return (screen) => {
    let text = unwrapTimes(detailsBelow(screen));
    for (const [given, mark] of own) text = text.replaceAll(given, mark);
    for (const [pattern, kind] of IDS) text = replaceWide(text, pattern, (id) => markOf(id, kind));
    for (const [pattern, mark] of AS_WIDE) text = replaceWide(text, pattern, () => mark);
    for (const [pattern, mark] of OF_ANY_WIDTH) text = text.replaceAll(new RegExp(pattern, 'gm'), mark);
    return wrapAgain(text);
  };
}

/** Fills up the mark if a further column follows. */
const replaceWide = (text: string, pattern: RegExp, markOf: (found: string) => string): string =>
  text.replaceAll(new RegExp(`(?:${pattern.source})( {2,})?`, 'g'), (all: string) => {
    const mark = markOf(all.trimEnd());
    return all.endsWith('  ') ? mark.padEnd(Math.max(all.length, mark.length + 2)) : mark;
  });
