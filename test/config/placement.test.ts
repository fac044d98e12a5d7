import { describe, expect, it } from 'vitest';
import { placementOf, sendersOf, shardsOf, spreadOver, withHeld } from '../../src/config/placement.ts';

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
