import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../src/config/account-policy.ts';
import { accountOf, shardName, shardNames, shardOf, shardPolicy } from '../../src/outbox/shards.ts';

const shardCount = fc.integer({ min: 1, max: 64 });

describe('the names of an account’s objects', () => {
  it('start with the account’s own, so that an account of one object keeps it when it grows', () =>
    expect(shardNames('sales', 3)).toEqual(['sales', 'sales#1', 'sales#2']));

  it('all lead back to the account, and are all different', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,20}$/), shardCount, (account, shards) => {
        const names = shardNames(account, shards);
        expect(new Set(names).size).toBe(shards);
        expect(names.map(accountOf)).toEqual(names.map(() => account));
        expect(names.map((_, shard) => shardName(account, shard))).toEqual(names);
      }),
    );
  });
});

describe('which object a receiver belongs to', () => {
  it('is one of the account’s, and always the same', () => {
    fc.assert(
      fc.property(fc.string(), shardCount, (key, shards) => {
        const shard = shardOf(key, shards);
        expect(Number.isInteger(shard) && shard >= 0 && shard < shards).toBe(true);
        expect(shardOf(key, shards)).toBe(shard);
      }),
    );
  });

  it('never changes with a deploy: it is FNV-1a', () => {
    // Its published values for these texts. Another hash would tear receivers’ queues apart.
    expect(shardOf('', 0x1_0000_0000)).toBe(0x811c9dc5);
    expect(shardOf('a', 0x1_0000_0000)).toBe(0xe40c292c);
    expect(shardOf('foobar', 0x1_0000_0000)).toBe(0xbf9cf968);
  });

  it('spreads numbers that follow one another evenly', () => {
    const counts = Array.from({ length: 8 }, () => 0);
    for (let n = 0; n < 8_000; n += 1) {
      const shard = shardOf(String(4_915_112_340_000 + n), 8);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});

describe('an object’s share of the pace', () => {
  it('is such that all together never exceed the account, and none is at rest for ever', () => {
    fc.assert(
      fc.property(
        shardCount,
        fc.integer({ min: 64, max: 100_000 }),
        fc.integer({ min: 64, max: 100_000 }),
        (shards, perMinute, burst) => {
          const { rate } = shardPolicy({ ...DEFAULT_ACCOUNT, shards, rate: { perMinute, burst } });
          expect((rate?.perMinute ?? 0) * shards).toBeLessThanOrEqual(perMinute);
          expect((rate?.burst ?? 0) * shards).toBeLessThanOrEqual(burst);
          expect(rate?.perMinute).toBeGreaterThanOrEqual(1);
          expect(rate?.burst).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });

  it('leaves the cap a receiver whole: all its messages are in one object', () =>
    expect(shardPolicy({ ...DEFAULT_ACCOUNT, shards: 4 }).perRecipient).toEqual(
      DEFAULT_ACCOUNT.perRecipient,
    ));

  it('leaves an account of one object, or without a pace, as it is', () => {
    expect(shardPolicy(DEFAULT_ACCOUNT)).toBe(DEFAULT_ACCOUNT);
    expect(shardPolicy({ ...DEFAULT_ACCOUNT, rate: null, shards: 4 }).rate).toBeNull();
  });
});
