import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { summaryOf } from '../../src/provider/summary.ts';

const signs = [...providers.values()].map(summaryOf).filter(({ signs: does }) => does);

describe('the summary of a provider', () => {
  it('says that it signs only where a signature is checked', () => {
    const ids = signs.map(({ id }) => id);
    expect(ids).toContain('stripe');
    expect(ids).not.toContain('alertmanager');
    expect(ids).not.toContain('html-form');
  });
});
