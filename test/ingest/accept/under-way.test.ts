import { describe, expect, it } from 'vitest';
import { MAX_UNDER_WAY_BYTES, UnderWay } from '../../../src/ingest/accept/under-way.ts';

const HALF = MAX_UNDER_WAY_BYTES / 2;

describe('the memory of webhooks under way', () => {
  it('is given out up to its bound, and again once it is given back', () => {
    const underWay = new UnderWay();
    const done = underWay.take(HALF, 0);
    expect(underWay.take(HALF, 0)).not.toBeNull();
    expect(underWay.take(1, 0)).toBeNull();
    done?.();
    done?.();
    expect(underWay.take(HALF, 0)).not.toBeNull();
    expect(underWay.take(1, 0)).toBeNull();
  });

  it('is given to one alone, however much it is', () => {
    const underWay = new UnderWay();
    expect(underWay.take(10 * HALF, 0)).not.toBeNull();
    expect(underWay.take(1, 0)).toBeNull();
  });

  it('comes back though a request that was called off never says so', () => {
    const underWay = new UnderWay();
    underWay.take(2 * HALF, 0);
    expect(underWay.take(1, 59_999)).toBeNull();
    const later = underWay.take(1, 60_000);
    expect(later).not.toBeNull();
    later?.();
    expect(underWay.take(2 * HALF, 60_000)).not.toBeNull();
  });
});
