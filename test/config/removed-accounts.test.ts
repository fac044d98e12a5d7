import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { withRemoved } from '../../src/config/removed-accounts.ts';
import { setOf } from './support.ts';

const DAY = 86_400_000;

describe('accounts with those that were removed', () => {
  const before = compileConfig(setOf({ accounts: { sales: { rate: false } } }), 1).config.accounts;

  it('have these by their last documents, and the others as they are', () => {
    const accounts = withRemoved(before, {
      gone: { rate: { per_minute: 7, burst: 2 }, retention: '2d' },
    });
    expect([...accounts.keys()].toSorted()).toEqual(['default', 'gone', 'sales']);
    expect(accounts.get('gone')).toMatchObject({
      rate: { perMinute: 7, burst: 2 },
      retentionMs: 2 * DAY,
      isRemoved: true,
    });
    for (const name of ['default', 'sales']) expect(accounts.get(name)).toEqual(before.get(name));
  });

  it('do without a last document that this deploy does not understand', () => {
    const accounts = withRemoved(before, { gone: { rate: 'fast' } });
    expect([...accounts.keys()].toSorted()).toEqual(['default', 'sales']);
  });
});
