import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { placedAccounts } from '../../src/config/placed-accounts.ts';
import { setOf } from './support.ts';

const MINUTE = 60_000;

const of = (spread: number) => ({ spread, former: [], left: [], shares: [] });

describe('accounts with placements', () => {
  const before = compileConfig(setOf({ accounts: { sales: { rate: false } } }), 1).config.accounts;

  it('has removed accounts with their last settings, which take nothing new', () => {
    const left = [{ shard: 0, waits: true }];
    const gone = {
      ...of(0),
      left,
      document: { rate: { per_minute: 7, burst: 2 }, retention: '2d', shards: 2 },
    };
    const accounts = placedAccounts(before, { gone });
    expect([...accounts.keys()].toSorted()).toEqual(['default', 'gone', 'sales']);
    expect(accounts.get('gone')).toMatchObject({
      rate: { perMinute: 7, burst: 2 },
      retentionMs: 2 * 1_440 * MINUTE,
      shards: 0,
    });
    expect(accounts.get('sales')).toEqual(before.get('sales'));
  });

  it('does not fall over a last document that this deploy does not understand', () => {
    const gone = { ...of(0), document: { rate: 'fast' } };
    expect(placedAccounts(before, { gone }).has('sales')).toBe(true);
  });
});
