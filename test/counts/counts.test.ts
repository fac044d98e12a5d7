import { describe, expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { Counts, type Totals } from '../../src/counts/counts.ts';

describe('counts', () => {
  it('add up by what they count', () => {
    const counts = new Counts();
    counts.add(1, 'event', 'shop', 'routed');
    counts.add(2, 'event', 'shop', 'routed');
    counts.add(1, 'event', 'form', 'routed');
    expect(counts.get('event', 'shop', 'routed')).toBe(3);
    expect(counts.get('event', 'shop', 'failed')).toBe(0);
    expect(counts.of('event')).toEqual([
      [['shop', 'routed'], 3],
      [['form', 'routed'], 1],
    ]);
    expect(counts.size).toBe(2);
  });

  it('keep the newest of times, whichever comes last', () => {
    const counts = new Counts();
    counts.last(5, 'shop');
    counts.last(3, 'shop');
    expect(counts.get('last', 'shop')).toBe(5);
  });

  it('are no different for names that objects have of their own', () => {
    const counts = new Counts();
    counts.add(1, 'constructor');
    counts.add(1, '__proto__');
    expect(new Counts(parseOwnJson<Totals>(JSON.stringify(counts))).get('constructor')).toBe(1);
    expect(new Counts().get('constructor')).toBe(0);
  });

  it('can leave out what nobody asks for any more', () => {
    const counts = new Counts({ 'event shop routed': 1, 'attempt sent': 1 });
    counts.keepOnly(([kind]) => kind === 'attempt');
    expect(counts.toJSON()).toEqual({ 'attempt sent': 1 });
  });
});
