import { readFileSync } from 'node:fs';

/** The relay's words for tables that this version cannot read, in its log. */
const TOO_NEW = /the \w+'s tables \(version \d+\) need code of version \d+ or later/;

/** Says what to do about a store that a newer hookbell has changed beyond this one; null: it is another fault. */
export function newerStoreText(logFile: string): string | null {
  const [found] = TOO_NEW.exec(read(logFile)) ?? [];
  return found === undefined
    ? null
    : `a newer hookbell has changed the store in .wrangler, and this one cannot read it (${found}): install the newer one again (npm install hookbell@latest), or start with an empty store by deleting .wrangler/demo`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
