import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import known from './regexes.json' with { type: 'json' };
import { findRegexes, type FoundRegex } from './find-regexes.ts';

/** Why each regular expression of `src` is cheap: `linear` by this script, or a reason that a person has written. */
const LIST = join(import.meta.dirname, 'regexes.json');

/** Written in place of a reason, and refused by the test. */
const WITHOUT_REASON = 'WRITE WHY: it takes more than linear time';

/**
 * `npm run regexes`: looks at each regular expression of the Worker that is not in the list yet, and adds it: as `linear`
 * if it takes linear time on every text, else with a reason to be written. Removes those that are gone.
 */
function main(): void {
  const reasons = new Map<string, string>(Object.entries(known));
  const list: Record<string, string> = {};
  for (const found of findRegexes()) list[found.text] = reasons.get(found.text) ?? judge(found);
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  const open = Object.entries(list).filter(([, why]) => why.startsWith(WITHOUT_REASON));
  for (const [text, why] of open) process.stdout.write(`${text}\n  ${why}\n`);
  process.stdout.write(`${Object.keys(list).length} regular expressions, ${open.length} without a reason\n`);
  if (open.length > 0) process.exitCode = 1;
}

function judge({ file, literal }: FoundRegex): string {
  if (literal === null) return `${WITHOUT_REASON}, or is put together when it runs (${file})`;
  const { status, ...checked } = checkSync(literal.pattern, literal.flags, { timeout: 60_000 });
  if (status === 'safe') return 'linear';
  const attack = 'attack' in checked ? checked.attack?.pattern : undefined;
  return `${WITHOUT_REASON} (${file}; ${status}${attack === undefined ? '' : `, for example ${attack}`})`;
}

main();
