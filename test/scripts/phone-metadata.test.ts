import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLANS_FILE, plansText } from '../../scripts/phone-metadata.ts';

describe('the numbering plans', () => {
  it('are those of the library as it is installed; if not: `npm run phone-metadata`', () => {
    expect(readFileSync(PLANS_FILE, 'utf8') === plansText()).toBe(true);
  });
});
