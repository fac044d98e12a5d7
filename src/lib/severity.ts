import { ownValue } from './json.ts';

const WORDS = [
  'warning warn average medium moderate p3 sev3',
  'high error err major p2 sev2',
  'critical crit page emergency fatal disaster urgent p1 sev1',
].map((words) => words.split(' '));

export const CRITICAL = WORDS.length;

/** Returns the level of a severity in a sender's words: 0 for one that is low or unknown. */
export const severityLevel = (word: string | null): number =>
  WORDS.findIndex((words) => words.includes(word ?? '')) + 1;

const SEVERITY = ['labels.severity', 'severity', 'commonLabels.severity', 'priority', 'level'];

const MAX_SEVERITY = 24;

/** Returns the severity that an item states, in lower case; null if it states none. */
export function severityOf(item: unknown): string | null {
  const values = SEVERITY.map((path) => ownValue(item, path));
  const stated = values.find((value) => typeof value === 'string' && value !== '');
  return typeof stated === 'string' ? stated.toLowerCase().slice(0, MAX_SEVERITY).toWellFormed() : null;
}
