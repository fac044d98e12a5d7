import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FactsFile } from '../../src/config/facts.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { FACTS_FILE, factsText } from '../../scripts/facts.ts';

describe('the file of facts', () => {
  it('is of the providers and of the phone library as they are; if not: `npm run facts`', () => {
    expect(readFileSync(FACTS_FILE, 'utf8') === factsText()).toBe(true);
  });

  it('is ASCII, since one other character would double the memory that an isolate needs for it', () => {
    const text = factsText();
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    expect(/^[\0-\x7f]+$/.test(text)).toBe(true);
    expect(JSON.stringify(parseOwnJson<FactsFile>(text)).includes('’')).toBe(true);
  });
});
