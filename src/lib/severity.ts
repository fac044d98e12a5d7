/** The words for a severity, from the least to the worst. */
const WORDS = [
  'warning warn average medium moderate p3 sev3',
  'high error err major p2 sev2',
  'critical crit page emergency fatal disaster urgent p1 sev1',
].map((words) => words.split(' '));

/** The level of what cannot wait. */
export const CRITICAL = WORDS.length;

/** Returns the level of a severity in a sender's words: 0 for one that is low or unknown. */
export const severityLevel = (word: string | null): number =>
  WORDS.findIndex((words) => words.includes(word ?? '')) + 1;
