import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import known from './regexes.json' with { type: 'json' };
import { findRegexes } from './find-regexes.ts';
import { reasonsFor, WITHOUT_REASON } from './judge-regex.ts';

/** A person's reason why each regular expression of `src` is cheap that is not proved to take linear time. */
const LIST = join(import.meta.dirname, 'regexes.json');

/**
 * `npm run regexes`: adds each regular expression of the Worker that needs a reason and is not in the list yet, with a
 * reason to be written. Removes those that are gone.
 */
function main(): void {
  const found = findRegexes();
  const list = reasonsFor(found, new Map(Object.entries(known)));
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  const open = Object.entries(list).filter(([, why]) => why.startsWith(WITHOUT_REASON));
  for (const [text, why] of open) process.stdout.write(`${text}\n  ${why}\n`);
  process.stdout.write(`${found.length} regular expressions, ${open.length} without a reason\n`);
  if (open.length > 0) process.exitCode = 1;
}

main();
