import { readFileSync } from 'node:fs';

/** The relay's words, in its log, for tables that this version cannot read. */
const TOO_NEW = /the \w+'s tables \(version \d+\) need code of version \d+ or later/;
const NOT_OURS = /the \w+ has tables that no release made \([^)]*\)/;

/** Says what to do about a store that this hookbell cannot read; null: it is another fault. */
export function unreadableStoreText(logFile: string, store: string): string | null {
  const empty = `start with an empty store by deleting ${store}`;
  const log = read(logFile);
  const [newer] = TOO_NEW.exec(log) ?? [];
  if (newer !== undefined)
    return `a newer hookbell has changed the store in .wrangler, and this one cannot read it (${newer}): install the newer one again (npm install hookbell@latest), or ${empty}`;
  const [foreign] = NOT_OURS.exec(log) ?? [];
  return foreign === undefined
    ? null
    : `the store in .wrangler is not of this hookbell (${foreign}): ${empty}`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
