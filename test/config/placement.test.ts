import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import {
  placementOf,
  sendersOf,
  shardsOf,
  spreadOver,
  withHeld,
  placedAccounts,
} from '../../src/config/placement.ts';
import { setOf } from './support.ts';

const MINUTE = 60_000;
const of = (spread: number) => ({ spread, former: [], left: [], shares: [] });

describe('a placement', () => {
  it('of an account that never changed is by the remainder, which is the same as any for one object', () => {
    expect(placementOf({ shards: 4 })).toEqual(of(-4));
    expect(placementOf({ shards: 1 })).toEqual(of(1));
  });

  it('forgets a former spread when all that was claimed by it is over', () => {
    const raised = spreadOver(of(2), 4, { now: 0, windowMs: 10 * MINUTE });
    expect(raised.former).toEqual([{ spread: 2, until: 15 * MINUTE }]);
    const forgotten = (now: number) => spreadOver(raised, 4, { now, windowMs: 0 }).former.length === 0;
    expect([11, 12].map((minute) => forgotten(minute * MINUTE))).toEqual([false, true]);
  });

  it('keeps what is left where objects come and go', () => {
    const lowered = spreadOver(of(4), 2, { now: 0, windowMs: 0 });
    const drained = withHeld(lowered, 3, 'rows', 3 * MINUTE);
    expect([shardsOf(drained), sendersOf(drained)]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2],
    ]);
    const raised = spreadOver(drained, 3, { now: 6 * MINUTE, windowMs: 0 });
    expect(raised.left).toEqual([{ shard: 3, waits: false }]);
    expect(spreadOver(raised, 1, { now: 9 * MINUTE, windowMs: 0 }).left).toEqual([
      { shard: 1, waits: true },
      { shard: 2, waits: true },
      { shard: 3, waits: false },
    ]);
  });

  it('takes in an object that holds something and was forgotten', () => {
    expect(withHeld(of(2), 5, 'waiting', 0).left).toEqual([{ shard: 5, waits: true }]);
  });
});

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
