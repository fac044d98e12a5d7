import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FACTS_FILE, factsText } from '../../scripts/facts.ts';

describe('the file of facts', () => {
  it('is of the providers and of the phone library as they are; if not: `npm run facts`', () => {
    expect(readFileSync(FACTS_FILE, 'utf8') === factsText()).toBe(true);
  });
});
