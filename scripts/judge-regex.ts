import { checkSync } from 'recheck';
import type { FoundRegex } from './find-regexes.ts';

/** Written in place of a reason, and refused by the test. */
export const WITHOUT_REASON = 'WRITE WHY';

/**
 * Says why a regular expression is cheap: `linear` if recheck proves that it takes linear time on every text, else a
 * request for a reason. recheck tries texts on what it cannot prove, and a search that finds no slow text proves nothing.
 */
export function judge({ file, literal }: FoundRegex): string {
  if (literal === null) return `${WITHOUT_REASON}: it is put together when it runs (${file})`;
  const { status, checker, ...checked } = checkSync(literal.pattern, literal.flags, { timeout: 60_000 });
  if (status === 'safe') {
    return checker === 'automaton'
      ? 'linear'
      : `${WITHOUT_REASON}: nobody has proved it to be linear (${file})`;
  }
  const attack = 'attack' in checked ? checked.attack?.pattern : undefined;
  return `${WITHOUT_REASON}: ${status}${attack === undefined ? '' : `, for example ${attack}`} (${file})`;
}
