import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../../src/config/account-policy.ts';
import { placementOf, spreadOver, withHeld } from '../../../src/config/placement.ts';
import { Pace } from '../../../src/outbox/send/pace.ts';
import { past } from '../support.ts';
import {
  accountOf,
  objectNames,
  shardIn,
  shardName,
  shardOf,
  shardPolicy,
} from '../../../src/outbox/state/shards.ts';

const shardCount = fc.integer({ min: 1, max: 64 });

describe('the names of an account’s objects', () => {
  it('start with the account’s own, so that an account of one object keeps it when it grows', () =>
    expect(objectNames('sales', { shards: 3 })).toEqual(['sales', 'sales#1', 'sales#2']));

  it('include those that take no new messages and hold some', () => {
    const placement = spreadOver(placementOf({ shards: 4 }), 2, { now: 0, windowMs: 0 });
    expect(objectNames('sales', { shards: 2, placement })).toEqual([
      'sales',
      'sales#1',
      'sales#2',
      'sales#3',
    ]);
  });

  it('all lead back to the account, and are all different', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,20}$/), shardCount, (account, shards) => {
        const names = objectNames(account, { shards });
        expect(new Set(names).size).toBe(shards);
        expect(names.map(accountOf)).toEqual(names.map(() => account));
        expect(names.map((_, shard) => shardName(account, shard))).toEqual(names);
        expect(names.map(shardIn)).toEqual(names.map((_, shard) => shard));
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

  it('never changes with a deploy: FNV-1a, then a bucket', () => {
    // FNV-1a’s published values for these texts. Another hash would tear receivers’ queues apart.
    expect(shardOf('', -0x1_0000_0000)).toBe(0x811c9dc5);
    expect(shardOf('a', -0x1_0000_0000)).toBe(0xe40c292c);
    expect(shardOf('foobar', -0x1_0000_0000)).toBe(0xbf9cf968);
    const found = ['', 'a', 'foobar', '4915112345678'].map((key) => [2, 8, 64].map((n) => shardOf(key, n)));
    expect(found).toEqual([
      [1, 4, 18],
      [0, 6, 50],
      [1, 7, 13],
      [1, 4, 59],
    ]);
  });

  it('moves as little as can be: up only to the new objects, down only from those that are given up', () => {
    fc.assert(
      fc.property(fc.string(), shardCount, shardCount, (key, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        const [few, many] = [shardOf(key, less), shardOf(key, more)];
        expect(many === few || many >= less).toBe(true);
      }),
    );
  });

  it('spreads numbers that follow one another evenly', () => {
    for (const spread of [8, -8]) {
      const counts = Array.from({ length: 8 }, () => 0);
      for (let n = 0; n < 8_000; n += 1) {
        const shard = shardOf(String(4_915_112_340_000 + n), spread);
        counts[shard] = (counts[shard] ?? 0) + 1;
      }
      expect(Math.min(...counts)).toBeGreaterThan(800);
      expect(Math.max(...counts)).toBeLessThan(1_200);
    }
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
          const { rate } = shardPolicy(
            { ...DEFAULT_ACCOUNT, shards, rate: { perMinute, burst } },
            shards - 1,
            0,
          );
          expect((rate?.perMinute ?? 0) * shards).toBeLessThanOrEqual(perMinute);
          expect((rate?.burst ?? 0) * shards).toBeLessThanOrEqual(burst);
          expect(rate?.perMinute).toBeGreaterThanOrEqual(1);
          expect(rate?.burst).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });

  it('leaves the cap a receiver whole: all its messages are in one object', () =>
    expect(shardPolicy({ ...DEFAULT_ACCOUNT, shards: 4 }, 3, 0).perRecipient).toEqual(
      DEFAULT_ACCOUNT.perRecipient,
    ));

  it('leaves an account of one object, or without a pace, as it is', () => {
    expect(shardPolicy(DEFAULT_ACCOUNT, 0, 0)).toBe(DEFAULT_ACCOUNT);
    expect(shardPolicy({ ...DEFAULT_ACCOUNT, rate: null, shards: 4 }, 9, 0).rate).toBeNull();
  });
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A change: after so many seconds the account has other shards, or an object says what it holds. */
const change = fc.record({
  afterS: fc.integer({ min: 0, max: 200 }),
  what: fc.oneof(
    fc.record({ shards: fc.integer({ min: 0, max: 5 }) }),
    fc.record({
      shard: fc.integer({ min: 0, max: 4 }),
      holds: fc.constantFrom('waiting', 'rows', 'nothing'),
    }),
  ),
});

describe('the account’s pace', () => {
  it('is kept by all objects together while they come to know of changes one after the other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(change, { maxLength: 5 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 8 }),
        (first, changes, lagsS, perMinute, burst) => {
          const known = [
            {
              at: 0,
              placement: spreadOver(placementOf({ shards: 1 }), first, { now: -MINUTE * 9, windowMs: 0 }),
            },
          ];
          for (const { afterS, what } of changes) {
            const last = known.at(-1) ?? { at: 0, placement: placementOf({ shards: 1 }) };
            const now = last.at + afterS * SECOND;
            const placement =
              'shards' in what
                ? spreadOver(last.placement, what.shards, { now, windowMs: 0 })
                : withHeld(last.placement, what.shard, what.holds, now);
            known.push({ at: now, placement });
          }
          // Each object has more to send than it may, whether it should or not.
          const paces = lagsS.map(() => new Pace({ tokens: Number.MAX_SAFE_INTEGER, at: 0, past: past([]) }));
          const sends: number[] = [];
          for (let now = 0; now <= (known.at(-1)?.at ?? 0) + 5 * MINUTE; now += SECOND) {
            for (const [shard, pace] of paces.entries()) {
              const lag = (lagsS[shard] ?? 0) * SECOND;
              const { placement } = known.findLast(({ at }) => at === 0 || at + lag <= now) ?? {};
              if (placement === undefined) continue;
              const policy = {
                ...DEFAULT_ACCOUNT,
                rate: { perMinute, burst },
                shards: placement.spread,
                placement,
              };
              const { rate } = shardPolicy(policy, shard, now);
              for (let n = pace.sendsAllowed(rate, now); n > 0; n -= 1) {
                pace.record({ at: now, phone: null }, rate, 0);
                sends.push(now);
              }
            }
            const inMinute = sends.filter((at) => at > now - MINUTE).length;
            expect(inMinute).toBeLessThanOrEqual(perMinute);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is shared by who has something to send: by a former object until that is sent, and none has too little', () => {
    const policy = { ...DEFAULT_ACCOUNT, rate: { perMinute: 40, burst: 4 } };
    const shares = (placement: ReturnType<typeof placementOf>, now: number) =>
      [0, 1, 2, 3].map(
        (shard) =>
          shardPolicy({ ...policy, shards: placement.spread, placement }, shard, now).rate?.perMinute,
      );
    const lowered = spreadOver(placementOf({ shards: 4 }), 2, { now: 0, windowMs: 0 });
    expect(shares(lowered, 10 * MINUTE)).toEqual([10, 10, 10, 10]);
    const empty = withHeld(withHeld(lowered, 2, 'rows', 10 * MINUTE), 3, 'nothing', 20 * MINUTE);
    expect(shares(empty, 21 * MINUTE)).toEqual([13, 13, 0, 0]);
    expect(shares(empty, 22 * MINUTE)).toEqual([20, 20, 0, 0]);
    // A person tries a message again there.
    const again = withHeld(empty, 2, 'waiting', 30 * MINUTE);
    expect(shares(again, 31 * MINUTE)).toEqual([13, 13, 0, 0]);
    expect(shares(again, 32 * MINUTE)).toEqual([13, 13, 13, 0]);
  });

  it('of less than one for each is for the first ones: the others have their turn', () => {
    const placement = spreadOver(placementOf({ shards: 4 }), 1, { now: 0, windowMs: 0 });
    const rates = [0, 1, 2, 3].map(
      (shard) =>
        shardPolicy({ ...DEFAULT_ACCOUNT, rate: { perMinute: 3, burst: 2 }, placement }, shard, 3 * MINUTE)
          .rate,
    );
    expect(rates).toEqual([
      { perMinute: 1, burst: 1 },
      { perMinute: 1, burst: 1 },
      { perMinute: 0, burst: 0 },
      { perMinute: 0, burst: 0 },
    ]);
    expect(new Pace({ tokens: 9, at: 0, past: past([]) }).nextSendAt({ perMinute: 0, burst: 0 }, 5)).toBe(
      5 + MINUTE,
    );
  });
});
