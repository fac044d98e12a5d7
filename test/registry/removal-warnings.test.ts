import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { removalWarnings } from '../../src/registry/removal-warnings.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { containing, setOf } from '../config/support.ts';

const configOf = (accounts: ConfigSet['accounts']) => compileConfig(setOf({ accounts }), 1).config;
const changed = (before: ConfigSet['accounts'], after: ConfigSet['accounts']) => ({
  before: configOf(before),
  after: configOf(after),
  documents: before,
});

describe('an account that is removed', () => {
  const removed = changed({ sales: {}, other: {} }, { other: {} });
  const holding = { status: () => Promise.resolve({ queued: 3, retrying: 1, sending: 1 }) };

  it('is warned of with all that waits in it', async () => {
    expect(await removalWarnings(removed, () => holding)).toEqual([
      { path: 'accounts.sales', message: containing('5 waiting messages') },
    ]);
  });

  it('is warned of even when nobody can count', async () => {
    const broken = { status: () => Promise.reject(new Error('overloaded')) };
    expect(await removalWarnings(removed, () => broken)).toEqual([
      { path: 'accounts.sales', message: containing('an unknown number of waiting messages') },
    ]);
  });

  it('is never `default`, which has settings without a document', async () => {
    expect(await removalWarnings(changed({ default: {} }, {}), () => holding)).toEqual([]);
  });
});
