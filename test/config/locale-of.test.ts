import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { localeOf } from '../../src/config/locale-of.ts';
import { open, setOf } from './support.ts';

function unknown(): never {
  throw new Error('unknown');
}

describe('the language of a source', () => {
  it('is that of its document, and English for any other', () => {
    const { config } = compileConfig(setOf({ sources: { shop: open({ locale: 'de-AT' }) } }), 1);
    expect(localeOf(config, 'shop')).toBe('de-AT');
    expect(localeOf(config, 'gone')).toBe('en');
    expect(localeOf(config, null)).toBe('en');
    expect(localeOf(null, 'shop')).toBe('en');
  });

  it('is English if a later deploy wrote the source', () => {
    expect(localeOf({ sources: { has: () => true, get: unknown } }, 'shop')).toBe('en');
  });
});
