import { checkSync } from 'recheck';
import type { FoundRegex } from './find-regexes.ts';

/** Written in place of a reason, and refused by the test. */
export const WITHOUT_REASON = 'WRITE WHY';

/**
 * Returns the regular expressions that need a reason why they are cheap: the reasons that are known, and a request for each
 * of the others that is not proved to take linear time.
 */
export function reasonsFor(
  found: readonly FoundRegex[],
  known: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const reasons = found.map((one) => [one.text, known.get(one.text) ?? judge(one)] as const);
  return Object.fromEntries(reasons.flatMap(([text, why]) => (why === null ? [] : [[text, why]])));
}

/**
 * Returns null if recheck proves that a regular expression takes linear time on every text, else a request for a reason why
 * it is cheap. recheck tries texts on what it cannot prove, and a search that finds no slow text proves nothing.
 */
export function judge({ file, literal }: FoundRegex): string | null {
  if (literal === null) return `${WITHOUT_REASON}: it is put together when it runs (${file})`;
  const { status, checker, ...checked } = checkSync(literal.pattern, literal.flags, { timeout: 600_000 });
  if (status === 'safe')
    return checker === 'automaton' ? null : `${WITHOUT_REASON}: nobody has proved it to be linear (${file})`;
  const attack = 'attack' in checked ? checked.attack?.pattern : undefined;
  return `${WITHOUT_REASON}: ${status}${attack === undefined ? '' : `, for example ${attack}`} (${file})`;
}
