import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import known from './regexes.json' with { type: 'json' };
import { findRegexes } from './find-regexes.ts';
import { judge, WITHOUT_REASON } from './judge-regex.ts';

/** The reason for which each regular expression of `src` is cheap: `linear` by this script, or a person's text. */
const LIST = join(import.meta.dirname, 'regexes.json');

/**
 * `npm run regexes`: adds each regular expression of the Worker that is not in the list yet: as `linear` if it is proved to
 * take linear time, else with a reason to be written. Removes those that are gone.
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

main();
